#!/usr/bin/env bash
# Proves the ledger under faults: random orders, modifications, cancellations and repeats, money acts among
# them (transfers, items, contracts, resets, competitions), and answers to quizzes whose points become won, against a running product, while its processes and servers are killed and other faults are injected in turn;
# during the run the markets close and shares are split. In the end every response must be in the
# database exactly once. Then market days move on, so that contracts pay and mature and competitions
# end, and everything must add up again. Environment: SEED, OPERATIONS, KILL_EVERY_S, RESTING (open
# orders at the close), CLOSE_AFTER_S (0 = no close), MOVES (days, separated by commas; none by default
# for unoptimised programs).
set -euo pipefail
export INSTANCE=proof DURABLE=yes
source "$(dirname "$0")/load.sh"
SEED=${SEED:-$(($(date +%s) % 100000))}
OPERATIONS=${OPERATIONS:-200000}
KILL_EVERY_S=${KILL_EVERY_S:-6}
source "$HERE/killing.sh"
# Unoptimised programs get a smaller and shorter load.
if [ "$PROFILE" = dev ]; then
  export PROOF_CLIENTS=${PROOF_CLIENTS:-16} PROOF_PHONES=${PROOF_PHONES:-6}
  SECONDS_MAX=${SECONDS_MAX:-75}
  # Market days take such programs some seconds each.
  MOVES=${MOVES-}
  RESTING=${RESTING:-2000} CLOSE_AFTER_S=${CLOSE_AFTER_S:-45} START_S=${START_S:-90}
fi
RESTING=${RESTING:-12000}
CLOSE_AFTER_S=${CLOSE_AFTER_S:-120}
# Maximum time to start an installation from nothing.
START_S=${START_S:-60}
FROZEN_S=${FROZEN_S:-8}
KILLED=(gateway postgres trading education community rabbitmq auth market-data redis edge)
# While market days are worked off.
KILLED_AFTER_MOVE=(trading postgres trading rabbitmq)
# The end of every competition, and then that of contracts of a year.
MOVES=${MOVES-35,370}
ACTS=(repeat_batches lock_account lose_stream flush_redis lose_writer freeze_auth)
own_servers "the proof kills its servers"
# A stopped process does not handle SIGTERM.
before_stop() { thaw_all; }

# The practice clock closes at midnight in Korea, 15:00 UTC; the product's clock is shifted so that
# this happens under load.
MIDNIGHT_S=54000
before_start() {
  local now close day
  [ "$CLOSE_AFTER_S" -gt 0 ] || return 0
  now=$(date +%s)
  close=$((now + START_S + CLOSE_AFTER_S))
  CLOCK_SHIFT_S=$(((MIDNIGHT_S - close % 86400 + 86400) % 86400))
  PROOF_CLOSE_AT=$((close + CLOCK_SHIFT_S))
  day=$(TZ=Asia/Seoul date -d "@$PROOF_CLOSE_AT" +%F)
  PROOF_SPLITS="split 035420 $day 5/1; split AAPL $day 3/2"
  export CLOCK_SHIFT_S PROOF_CLOSE_AT PROOF_SPLITS MARKET_EVENTS=$PROOF_SPLITS
}
export PROOF_RESTING=$RESTING
until_close() { echo $((PROOF_CLOSE_AT - CLOCK_SHIFT_S - $(date +%s))); }

# Each may fail because a server is down; it is retried at the next turn.
repeat_batches() { AMQP_URL=$AMQP_URL RUST_LOG=error timeout 15 "$(binaries)/proof" repeat >/dev/null 2>&1; }
# The broker forgets within its first seconds, when it is killed, that a queue was deleted: then a stream without data blocks its
# name until an operator acts (runbook NoTicksWhileAMarketIsOpen).
DELETION_KEPT_S=5
stream_lost_at=-$DELETION_KEPT_S
lose_stream() {
  stream_lost_at=$SECONDS
  curl -fsS -m 5 -o /dev/null -X DELETE -u "seedup:$(secret rabbitmq)" "http://127.0.0.1:$RABBIT_MGMT_PORT/api/queues/%2f/ticks" 2>/dev/null
}
# The log, its writer and the matcher at the same time.
lose_writer() {
  local name victim
  for name in market-data trading; do
    victim=$(pid_of "$name.child") && running "$victim" && kill -KILL "$victim" || return 1
    kills=$((kills + 1)) killed[$name]=$((${killed[$name]:-0} + 1))
  done
  lose_stream
}
freeze_auth() {
  running "$(pid_of auth.child)" || return 1
  freeze auth &
}
LOCKED_S=10
lock_account() {
  local id
  id=$(trading_sql "select id from account order by member_id desc offset $((RANDOM % 50)) limit 1" 2>/dev/null)
  [ -n "$id" ] || return 1
  psql -qAtX -v ON_ERROR_STOP=1 "$(database_url trading owner)" \
    -c "select 1 from account where id = $id for update; select pg_sleep($LOCKED_S)" >/dev/null 2>&1 &
}

export INITIAL_DEPOSIT_WON=50000000
begin proof
# The load starts a fixed time before the close, so that kills happen around it.
if [ "$CLOSE_AFTER_S" -gt 0 ]; then
  [ "$(until_close)" -gt 20 ] || fail "starting took longer than $START_S s: set START_S"
  while [ "$(until_close)" -gt "$((CLOSE_AFTER_S + 10))" ]; do pause 1; done
fi
(
  [ "$CLOSE_AFTER_S" -eq 0 ] || shift_clock "$CLOCK_SHIFT_S"
  export TRADING_URL=http://127.0.0.1:$TRADING_PORT EDUCATION_URL=http://127.0.0.1:$EDUCATION_PORT PUBLIC_ORIGIN SISE_ORIGIN RUST_LOG=${PROOF_LOG:-warn}
  # The message says more than the backtrace.
  export RUST_BACKTRACE=0
  DATABASE_URL=$(database_url trading owner)
  EDUCATION_DATABASE_URL=$(database_url education owner)
  export DATABASE_URL EDUCATION_DATABASE_URL AMQP_URL PROOF_SEED=$SEED PROOF_OPERATIONS=$OPERATIONS PROOF_SECONDS_MAX=${SECONDS_MAX:-3600}
  [ -z "$MOVES" ] || export PROOF_MOVES=$MOVES
  exec "$(binaries)/proof" orders
) >"$log" 2>&1 &
load=$!
say "seed $SEED, $OPERATIONS operations, a kill -9 about every $KILL_EVERY_S s; the log is ${log#"$ROOT"/}"

turn=$((SEED % ${#ACTS[@]}))
may_kill() { [ "$1" != rabbitmq ] || [ $((SECONDS - stream_lost_at)) -ge "$DELETION_KEPT_S" ]; }
is_past_close() { [ "$CLOSE_AFTER_S" -gt 0 ] && [ "$(until_close)" -lt -4 ]; }
close_is_repeated=no
until begun; do sleep 0.2; done
while placing; do
  # Kills and other faults alternate, so that each occurs in every phase of the load.
  half_a_turn
  placing || break
  kill_one
  half_a_turn
  placing || break
  if [ $close_is_repeated = no ] && is_past_close; then
    # Repeats the session records of the close and the splits.
    act repeat_batches && close_is_repeated=yes || true
  else
    act "${ACTS[$((turn % ${#ACTS[@]}))]}" && turn=$((turn + 1)) || true
  fi
done
thaw_all
moves=0
moved() { grep -c "^proof: $1 " "$log" || true; }
# Starts the market and what lives by its time again, so many days later.
move_clock() {
  local name
  for name in trading market-data; do kill -TERM "$(pid_of "$name")" 2>/dev/null || true; done
  for name in trading market-data; do wait_until "$name" 60 stopped "$name"; done
  CLOCK_SHIFT_S=$((${CLOCK_SHIFT_S:-0} + $1 * 86400)) "$HERE/stack.sh" start >/dev/null || fail "the product did not start $1 days later"
  CLOCK_SHIFT_S=$((${CLOCK_SHIFT_S:-0} + $1 * 86400))
}
stopped() { ! supervised "$1"; }
while running "$load"; do
  if [ "$(moved move)" -gt "$moves" ]; then
    days=$(sed -n 's/^proof: move \([0-9]*\) days$/\1/p' "$log" | tail -n 1)
    moves=$((moves + 1))
    move_clock "$days"
    acted[move_days]=$((${acted[move_days]:-0} + 1))
    KILLED=("${KILLED_AFTER_MOVE[@]}")
  fi
  if [ "$(moved moved)" -lt "$moves" ]; then
    kill_one
    pause "$KILL_EVERY_S"
  else
    pause 1
  fi
done
end_load
for name in "${ACTS[@]}"; do [ "${acted[$name]:-0}" -gt 0 ] || say "there was no time to ${name//_/ }"; done
