#!/usr/bin/env bash
# Builds the page into dist/, unless dist/ is newer than everything that it is made from.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
sh "$here/../../build-support/npm-ci-if-stale.sh" "$here"
cd "$here"
# Folders count too: a removed file leaves only its folder's time behind.
if [ -f dist/index.html ] && [ -z "$(find src index.html package.json package-lock.json \
  vite.config.ts tsconfig.json ../src/main/resources/capacity/openapi.yaml -newer dist/index.html -print -quit)" ]; then
  exit 0
fi
echo "Building the page" >&2
npm run --silent build >&2
