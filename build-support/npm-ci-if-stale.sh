#!/bin/sh
# Brings the npm packages that DIR/package-lock.json pins, unless they are already there and newer than it.
# usage: npm-ci-if-stale.sh DIR
set -eu

dir=${1:?usage: npm-ci-if-stale.sh DIR}
lock="$dir/package-lock.json"
# npm writes this file last, so a half-done install is never taken for a whole one.
stamp="$dir/node_modules/.package-lock.json"

if [ ! -f "$lock" ]; then
  echo "$lock is missing: check it out again." >&2
  exit 1
fi
if [ -f "$stamp" ] && [ ! "$lock" -nt "$stamp" ] && [ ! "$dir/package.json" -nt "$stamp" ]; then
  exit 0
fi
if ! command -v npm >/dev/null 2>&1; then
  echo "npm is missing: install Node.js 20 or newer (it brings npm), or build where it is; $dir needs it." >&2
  exit 1
fi

echo "npm ci in $dir" >&2
cd "$dir"
npm ci --no-audit --no-fund --loglevel=error >&2
# npm keeps the stamp's old time when nothing had to change.
touch node_modules/.package-lock.json
