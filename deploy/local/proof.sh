#!/usr/bin/env bash
# The proof of the ledger: random orders, modifications, cancels and repeats against a running
# product, while its processes and servers are killed without warning. In the end every answer that
# was given must be in the books exactly once. Environment: SEED, OPERATIONS, KILL_EVERY_S.
set -euo pipefail
export INSTANCE=proof DURABLE=yes
source "$(dirname "$0")/load.sh"
SEED=${SEED:-$(($(date +%s) % 100000))}
OPERATIONS=${OPERATIONS:-200000}
KILL_EVERY_S=${KILL_EVERY_S:-6}
# Unoptimised programs are given less at a time, and an end.
if [ "$PROFILE" = dev ]; then
  export PROOF_CLIENTS=${PROOF_CLIENTS:-16} PROOF_PHONES=${PROOF_PHONES:-6}
  SECONDS_MAX=${SECONDS_MAX:-75}
fi
KILLED=(gateway postgres trading rabbitmq auth market-data redis edge)
own_servers "the proof kills its servers"

export INITIAL_DEPOSIT_WON=50000000
begin proof
TRADING_URL=http://127.0.0.1:$TRADING_PORT DATABASE_URL=$(database_url trading owner) \
  PUBLIC_ORIGIN=$PUBLIC_ORIGIN SISE_ORIGIN=$SISE_ORIGIN PROOF_SEED=$SEED PROOF_OPERATIONS=$OPERATIONS PROOF_SECONDS_MAX=${SECONDS_MAX:-3600} RUST_LOG=${PROOF_LOG:-warn} \
  "$(binaries)/proof" orders >"$log" 2>&1 &
load=$!
say "seed $SEED, $OPERATIONS operations, a kill -9 about every $KILL_EVERY_S s; the log is ${log#"$ROOT"/}"

placing() { running "$load" && ! grep -q '^proof: .* operations in' "$log"; }
# The seed chooses the instants too, as far as a machine keeps them.
RANDOM=$SEED
declare -A killed=()
kills=0
until begun; do sleep 0.2; done
while placing; do
  # Half a period to one and a half, so that kills meet every phase of the work.
  sleep "$((KILL_EVERY_S / 2 + RANDOM % (KILL_EVERY_S + 1)))" & wait $! || true
  placing || break
  name=${KILLED[$((kills % ${#KILLED[@]}))]}
  victim=$(pid_of "$name.child") || continue
  if running "$victim"; then
    kill -KILL "$victim" && kills=$((kills + 1)) && killed[$name]=$((${killed[$name]:-0} + 1))
    printf '\r[%s] %d kills' "$INSTANCE" "$kills"
  fi
done
echo
status=0
wait "$load" || status=$?
load=
grep -v ' WARN \| INFO ' "$log" | tail -n 40
for name in "${!killed[@]}"; do echo "killed: $name ${killed[$name]} times"; done | sort
say "$kills kills"
[ $status = 0 ] || fail "the proof failed with seed $SEED; see ${log#"$ROOT"/}"
