#!/bin/sh
# Installs the locked agent clients (1.4 GB) into node_modules here, once for each lock file.
set -eu
cd "$(dirname "$0")"
for program in git ip node npm unshare; do
  command -v "$program" >/dev/null || { echo "The clients need $program." >&2; exit 1; }
done
cmp -s package-lock.json node_modules/.installed && exit 0
# Not `npm ci`: that refuses a lock without the packages for other systems, which a registry may lack.
rm -rf node_modules
npm install --no-save --silent
# No package's script runs by itself; these two put the native program in its place.
(cd node_modules/@anthropic-ai/claude-code && node install.cjs)
(cd node_modules/opencode-ai && node postinstall.mjs)
cp package-lock.json node_modules/.installed
