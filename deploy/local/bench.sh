#!/usr/bin/env bash
# The measurements, on an optimised build of an installation of their own: bench.sh [NAME...]
set -euo pipefail
export INSTANCE=bench DURABLE=yes PROFILE=release
source "$(dirname "$0")/settings.sh"
HERE=$ROOT/deploy/local

"$HERE/install.sh" bench
(cd "$ROOT/services" && cargo build --workspace --bins --benches --release)
trap '"$HERE/stack.sh" down >/dev/null 2>&1 || true' EXIT
trap 'exit 130' INT TERM
"$HERE/stack.sh" reset >/dev/null
# What keeps one person from ordering too much would also bound the measurement.
export ORDERS_PER_SECOND=100000 ORDERS_PER_MINUTE=1000000 OPEN_ORDERS_MAX=1000000 INITIAL_DEPOSIT_WON=9000000000000
export RATE_LIMIT_PER_SECOND=1000000 RATE_LIMIT_PER_MINUTE=60000000 MAX_CONNECTIONS=20000
# The load program stands in for many people behind one proxy.
export TRUSTED_PROXIES=1
export AUDIT_EVERY_S=0
"$HERE/stack.sh" start
load_urls
(
  export BENCH_ROOT=$ROOT BENCH_RUN_DIR=$RUN BENCH_PG_BIN=$PGBIN BENCH_BIN_DIR=${CARGO_TARGET_DIR:-$ROOT/services/target}/release
  export BENCH_TRADING_URL=http://127.0.0.1:$TRADING_PORT BENCH_SISE_ORIGIN=$SISE_ORIGIN BENCH_GATEWAY_ORIGIN=$PUBLIC_ORIGIN
  export BENCH_SERVER_DATABASE_URL=$SERVER_DATABASE_URL AMQP_URL
  node "$ROOT/deploy/bench/run.mjs" "$@"
)
"$HERE/client.sh"
(cd "$ROOT/frontend" && npm run --silent check:size)
"$HERE/process.sh" trading audit
