#!/usr/bin/env bash
# The measurements, on an optimised build of an installation of their own: bench.sh [NAME...]
set -euo pipefail
export INSTANCE=bench DURABLE=yes PROFILE=release
source "$(dirname "$0")/load.sh"

"$HERE/install.sh" bench
(cd "$ROOT/services" && cargo build --workspace --bins --bench '*' --release)
trap stop EXIT
trap 'exit 130' INT TERM
"$HERE/stack.sh" reset >/dev/null
export INITIAL_DEPOSIT_WON=9000000000000 MAX_CONNECTIONS=20000
# The load program stands in for many people behind one proxy.
export TRUSTED_PROXIES=1
"$HERE/stack.sh" start
load_urls
(
  export BENCH_ROOT=$ROOT BENCH_RUN_DIR=$RUN BENCH_PG_BIN=$PGBIN BENCH_BIN_DIR=${CARGO_TARGET_DIR:-$ROOT/services/target}/release
  export BENCH_TRADING_URL=http://127.0.0.1:$TRADING_PORT BENCH_SISE_ORIGIN=$SISE_ORIGIN BENCH_GATEWAY_ORIGIN=$PUBLIC_ORIGIN
  export BENCH_SERVER_DATABASE_URL=$SERVER_DATABASE_URL BENCH_REDIS_URL=$REDIS_URL AMQP_URL
  node "$ROOT/deploy/bench/run.mjs" "$@"
)
"$HERE/client.sh"
(cd "$ROOT/frontend" && npm run --silent check:size)
"$HERE/process.sh" trading audit
