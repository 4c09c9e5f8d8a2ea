#!/usr/bin/env bash
# The proof of the rolling restart: members and watchers of prices load an installation of their
# own at half of what it can do, while every process is replaced. No request may fail.
# Environment: SEED, ROUNDS (how often every process is replaced).
set -euo pipefail
export INSTANCE=proof DURABLE=yes
source "$(dirname "$0")/settings.sh"
HERE=$ROOT/deploy/local
ROUNDS=${ROUNDS:-3}

"$HERE/install.sh"
(cd "$ROOT/services" && cargo build --workspace --bins --profile "$PROFILE")
load=
stop() {
  [ -z "$load" ] || kill "$load" 2>/dev/null || true
  "$HERE/stack.sh" down >/dev/null 2>&1 || true
}
trap stop EXIT
trap 'exit 130' INT TERM

"$HERE/stack.sh" reset >/dev/null
export ORDERS_PER_SECOND=100000 ORDERS_PER_MINUTE=1000000 OPEN_ORDERS_MAX=1000000 INITIAL_DEPOSIT_WON=5000000000
export RATE_LIMIT_PER_SECOND=1000000 RATE_LIMIT_PER_MINUTE=60000000
export AUDIT_EVERY_S=0
"$HERE/stack.sh" start
log=$RUN/log/steady.log
: >"$log"
PUBLIC_ORIGIN=$PUBLIC_ORIGIN SISE_ORIGIN=$SISE_ORIGIN STEADY_UNTIL=$RUN/steady-over PROOF_SEED=${SEED:-1} \
  RUST_LOG=${PROOF_LOG:-warn} "$(binaries)/proof" steady >"$log" 2>&1 &
load=$!
loading() { grep -q '^steady: begun' "$log" || ! running "$load"; }
wait_until load 120 loading || fail "the load did not begin; see ${log#"$ROOT"/}"
for ((round = 1; round <= ROUNDS; round++)); do
  say "round $round of $ROUNDS"
  "$HERE/rolling.sh"
done
sleep 2
touch "$RUN/steady-over"
status=0
wait "$load" || status=$?
load=
grep '^steady: \|^failed after' "$log" | tail -n 40
"$HERE/process.sh" trading audit
[ $status = 0 ] || fail "requests failed; see ${log#"$ROOT"/}"
