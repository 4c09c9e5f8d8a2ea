#!/usr/bin/env bash
# Lighthouse for phones on the screens that people open first: lighthouse.sh
# ORIGIN=http://… judges a product that runs already, and writes twenty posts into it where it has fewer. RUNS is how often each
# screen is visited; medians count.
set -euo pipefail
source "$(dirname "$0")/measured.sh"
TOOL=$ROOT/frontend/tools/lighthouse

[ -d "$TOOL/node_modules" ] || (cd "$TOOL" && npm ci --no-audit --no-fund --loglevel=error)
post=$(node "$TOOL/community.mjs" "$ORIGIN")
node "$TOOL/judge.mjs" "$ORIGIN" "${RUNS:-5}" / /invest-v2/stock /invest-v2/stock/005930 /invest-v2/coin '/invest-v2/coin/KRW-BTC?refMarketCode=coin' \
  /invest-v2/gold /market-trend /login /community "$post"
