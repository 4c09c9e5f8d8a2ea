#!/usr/bin/env bash
# Proves the rolling restart: members and price watchers load a separate installation at half of its
# peak rate while every process is replaced. No request may fail.
# Environment: SEED, ROUNDS (replacements of every process).
set -euo pipefail
export INSTANCE=proof DURABLE=yes
source "$(dirname "$0")/load.sh"
ROUNDS=${ROUNDS:-3}

export INITIAL_DEPOSIT_WON=5000000000
begin steady
PUBLIC_ORIGIN=$PUBLIC_ORIGIN SISE_ORIGIN=$SISE_ORIGIN STEADY_UNTIL=$RUN/steady-over PROOF_SEED=${SEED:-1} \
  RUST_LOG=${PROOF_LOG:-warn} "$(binaries)/proof" steady >"$log" 2>&1 &
load=$!
wait_until load 120 begun || fail "the load did not begin; see ${log#"$ROOT"/}"
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
