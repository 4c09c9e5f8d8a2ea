#!/usr/bin/env bash
# Half an hour of live prices and changes of screen, on the built client and a server of its own, with its heap watched: soak.sh
# MINUTES=… makes it shorter.
set -euo pipefail
source "$(dirname "$0")/settings.sh"
"$ROOT/deploy/local/client.sh"
cd "$ROOT/frontend"
node_modules/.bin/node e2e/performance/soak.ts "${MINUTES:-30}"
