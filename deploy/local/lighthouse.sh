#!/usr/bin/env bash
# Lighthouse for phones on the list and the detail, on an optimised build of an installation of their own: lighthouse.sh
# ORIGIN=http://… judges a product that runs already. RUNS is how often each screen is visited; medians count.
set -euo pipefail
export INSTANCE=bench PROFILE=release
source "$(dirname "$0")/settings.sh"
HERE=$ROOT/deploy/local
TOOL=$ROOT/frontend/tools/lighthouse

"$HERE/client.sh"
[ -d "$TOOL/node_modules" ] || (cd "$TOOL" && npm ci --no-audit --no-fund --loglevel=error)
if [ -z "${ORIGIN:-}" ]; then
  "$HERE/install.sh" bench
  (cd "$ROOT/services" && cargo build --workspace --bins --release)
  trap '"$HERE/stack.sh" down >/dev/null 2>&1 || true' EXIT
  trap 'exit 130' INT TERM
  "$HERE/stack.sh" reset >/dev/null
  "$HERE/stack.sh" start
fi
# The client's packages bring the runtime that its tools need.
PATH=$ROOT/frontend/node_modules/.bin:$PATH
node "$TOOL/judge.mjs" "${ORIGIN:-$PUBLIC_ORIGIN}" "${RUNS:-5}" /invest-v2/stock /invest-v2/stock/005930
