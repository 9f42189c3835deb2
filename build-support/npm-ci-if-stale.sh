#!/usr/bin/env bash
# Installs the npm packages of a folder as its lock file says, unless that was done already.
# Usage: npm-ci-if-stale.sh DIR
set -euo pipefail

dir=${1:?usage: npm-ci-if-stale.sh DIR}
cd "$dir"
if ! command -v npm >/dev/null; then
  echo "npm is not installed: install Node.js 20.19 or newer." >&2
  exit 1
fi
wanted=$(cat package.json package-lock.json | sha256sum | cut -d' ' -f1)
stamp=node_modules/.installed
if [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then
  exit 0
fi
echo "Installing the npm packages of $dir" >&2
npm ci --no-audit --no-fund --loglevel=error >&2
echo "$wanted" >"$stamp"
