#!/usr/bin/env bash
# The first price, the largest text and home's first figure on a slow phone with a slow line: slow-phone.sh
# ORIGIN=http://… measures a product that runs already. RUNS is how often each screen is opened; medians count.
set -euo pipefail
source "$(dirname "$0")/measured.sh"
node "$ROOT/frontend/e2e/performance/slowPhone.ts" "$ORIGIN" "${RUNS:-3}"
