#!/usr/bin/env bash
# Pictures of 35 screens in two sizes and two themes against those of the first run, which stay in .run/pictures: pictures.sh
# ORIGIN=http://… photographs a product that runs already.
set -euo pipefail
source "$(dirname "$0")/measured.sh"
node "$ROOT/frontend/e2e/performance/pictures.ts" "$ORIGIN" "$ROOT/.run/pictures"
