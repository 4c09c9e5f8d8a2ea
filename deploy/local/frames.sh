#!/usr/bin/env bash
# Scrolling through many rows while their prices change, prices that change in a list that stands still, and taps meanwhile, on the
# built client and a server of its own: frames.sh
set -euo pipefail
source "$(dirname "$0")/settings.sh"
"$ROOT/deploy/local/client.sh"
cd "$ROOT/frontend"
npm run --silent frames
npm run --silent live
