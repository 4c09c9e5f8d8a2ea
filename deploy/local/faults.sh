#!/usr/bin/env bash
# Faults other than kills: under the orders of a few members each server and process is paused and
# resumed, and the servers are restarted, emptied, closed and starved. After each fault orders must
# succeed again and every process must be ready; in the end the books must add up, as in the proof.
# Environment: SEED, FROZEN_S (length of a pause), RECOVERY_S (maximum time to recover).
set -euo pipefail
export INSTANCE=faults DURABLE=yes
source "$(dirname "$0")/load.sh"
SEED=${SEED:-$(($(date +%s) % 100000))}
FROZEN_S=${FROZEN_S:-10}
RECOVERY_S=${RECOVERY_S:-60}
own_servers "faults are done to servers of its own"
# A stopped process does not handle SIGTERM.
before_stop() { thaw_all; }

# Its supervisor restarts it. The signal goes to the main process only.
restart_postgres() { kill -"$1" "$(pid_of postgres.child)"; }
admin_sql() { PGCONNECT_TIMEOUT=3 psql -qAtX -v ON_ERROR_STOP=1 "$SERVER_DATABASE_URL" -c "$1"; }
close_database() {
  admin_sql "alter database seedup_$1 with allow_connections false"
  admin_sql "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = 'seedup_$1'" >/dev/null
  pause "$FROZEN_S"
  admin_sql "alter database seedup_$1 with allow_connections true"
}
rabbit() {
  (cd "$RUN/rabbitmq" && env "HOME=$RUN/rabbitmq/home" RABBITMQ_CONF_ENV_FILE=/dev/null "ERL_EPMD_PORT=$EPMD_PORT" \
    "$RABBITBIN/rabbitmqctl" -q -n "seedup-$INSTANCE@localhost" "$@") >>"$RUN/log/rabbitmqctl.log" 2>&1
}
close_rabbit() {
  rabbit stop_app
  pause "$FROZEN_S"
  rabbit start_app
}
# The memory alarm blocks publishers.
starve_rabbit() {
  rabbit set_vm_memory_high_watermark 0.00001
  pause "$FROZEN_S"
  rabbit set_vm_memory_high_watermark absolute 1GB
}

# As a usual liveness probe: three tries of three seconds.
lives_on() {
  local try
  for try in 1 2 3; do
    curl -fsS -m 3 -o /dev/null "http://127.0.0.1:${ADMIN[$1]}/livez" && return
  done
  say "$1 was taken for dead"
  return 1
}
pids() { local name; for name in postgres redis rabbitmq $PROCESSES; do pid_of "$name.child"; done; }
# Four busy programs per processor: everything takes five times as long, and nothing may fail.
starve_machine() {
  local before placed index name busy=()
  before=$(pids) placed=$(orders)
  for ((index = 0; index < 4 * $(nproc); index++)); do
    timeout "$FROZEN_S" bash -c 'while :; do :; done' &
    busy+=($!)
  done
  for name in $PROCESSES; do lives_on "$name" || return 1; done
  wait "${busy[@]}" || true
  [ "$(orders)" -gt "$placed" ] || { say "no order was placed meanwhile"; return 1; }
  [ "$(pids)" = "$before" ] || { say "not every process has lived through it"; return 1; }
}

orders() { trading_sql 'select count(*) from trade_order'; }
all_ready() {
  local name
  for name in $PROCESSES; do
    curl -fsS -m 2 -o /dev/null "http://127.0.0.1:${ADMIN[$name]}/readyz" || return 1
  done
}
more_orders() { local now; now=$(orders) && [ "$now" -ge "$(($1 + 20))" ]; }
goes_on() { more_orders "$1" && all_ready; }

failed=no
# fault WHAT COMMAND...
fault() {
  local what=$1 before since
  shift
  running "$load" || fail "the load has ended; see ${log#"$ROOT"/}"
  "$@" || fail "$what could not be done"
  since=$(date +%s)
  # Orders placed during the fault do not count.
  until before=$(orders 2>/dev/null); do
    [ $(($(date +%s) - since)) -lt "$RECOVERY_S" ] || break
    pause 0.2
  done
  if [ -n "$before" ] && wait_until orders "$RECOVERY_S" goes_on "$before"; then
    say "$what: orders go through and all is ready $(($(date +%s) - since)) s after it"
  else
    failed=yes
    say "$what: NOT WELL AGAIN within $RECOVERY_S s"
  fi
}

export INITIAL_DEPOSIT_WON=50000000
begin faults
TRADING_URL=http://127.0.0.1:$TRADING_PORT DATABASE_URL=$(database_url trading owner) AMQP_URL=$AMQP_URL PUBLIC_ORIGIN=$PUBLIC_ORIGIN \
  SISE_ORIGIN=$SISE_ORIGIN PROOF_SEED=$SEED PROOF_OPERATIONS=1000000000 PROOF_UNTIL=$RUN/faults-over PROOF_CLIENTS=6 \
  EDUCATION_URL=http://127.0.0.1:$EDUCATION_PORT EDUCATION_DATABASE_URL=$(database_url education owner) \
  PROOF_PHONES=5 RUST_LOG=${PROOF_LOG:-warn} "$(binaries)/proof" orders >"$log" 2>&1 &
load=$!
wait_until load 120 begun || fail "the load did not begin; see ${log#"$ROOT"/}"
say "seed $SEED; the log is ${log#"$ROOT"/}"

fault "nothing" true
for name in postgres redis rabbitmq $PROCESSES; do fault "$name stopped for $FROZEN_S s" freeze "$name"; done
fault "four busy programs for each processor for $FROZEN_S s" starve_machine
fault "postgres restarted" restart_postgres INT
fault "postgres restarted at once" restart_postgres QUIT
for name in $DATABASES; do fault "the database of $name closed for $FROZEN_S s" close_database "$name"; done
fault "redis emptied" flush_redis
fault "rabbitmq closed for $FROZEN_S s" close_rabbit
fault "rabbitmq out of memory for $FROZEN_S s" starve_rabbit

touch "$RUN/faults-over"
status=0
wait "$load" || status=$?
load=
grep -v ' WARN \| INFO ' "$log" | tail -n 20
[ $status = 0 ] || fail "the books or the answers are wrong with seed $SEED; see ${log#"$ROOT"/}"
[ $failed = no ] || fail "something did not go on by itself"
say "all is well"
