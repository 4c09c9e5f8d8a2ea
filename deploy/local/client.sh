#!/usr/bin/env bash
# Installs the client's packages and builds it, each only when something changed: client.sh [install]
set -euo pipefail
source "$(dirname "$0")/settings.sh"
cd "$ROOT/frontend"

marker=node_modules/.installed-lock
if ! cmp -s package-lock.json "$marker"; then
  say "installing the client's packages"
  npm ci --no-audit --no-fund --loglevel=error || fail "the client's packages could not be installed"
  cp package-lock.json "$marker"
fi
[ "${1:-}" != install ] || exit 0

if [ ! -e dist/index.html ] || [ -n "$(find . -path ./node_modules -prune -o -path ./dist -prune -o -type f -newer dist/index.html -print -quit)" ]; then
  say "building the client"
  npm run --silent build || fail "the client does not build; the messages are above"
  touch dist/index.html
fi
