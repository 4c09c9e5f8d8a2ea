#!/usr/bin/env bash
# The whole product on one machine: stack.sh up [--detach] | start | down | reset | logs [NAME] | status
#   up      installs, builds, migrates, seeds and starts everything; Ctrl-C stops it again
#   start   the same without installing and building (what the tests use), in the background
set -euo pipefail
source "$(dirname "$0")/settings.sh"
HERE=$ROOT/deploy/local
source "$HERE/databases.sh"

# Builds what runs, and no tool or bench. `--workspace` gives every crate the features that the tests build it with, so that
# neither compiles the other's crates again. The client is built meanwhile: cargo leaves a core idle for its last crates.
build() {
  local name client programs=()
  for name in $PROCESSES mail-sink; do programs+=(--bin "$name"); done
  say "building the services ($PROFILE; the first time takes some minutes) and the client"
  "$HERE/client.sh" &
  client=$!
  (cd "$ROOT/services" && cargo build --workspace "${programs[@]}" --profile "$PROFILE") || fail "the services do not build; the messages are above"
  wait "$client"
}

migrate() {
  local name
  for name in $PROCESSES; do
    [ -n "${DATABASE_OF[$name]:-}" ] || continue
    if ! "$HERE/process.sh" "$name" migrate >"$RUN/log/$name-migrate.log" 2>&1; then
      tail -n 15 "$RUN/log/$name-migrate.log" >&2
      fail "the database of $name could not be migrated; see ${RUN#"$ROOT"/}/log/$name-migrate.log"
    fi
  done
}

claim_ports() {
  local name number
  for name in $PROCESSES; do
    for number in "${PORT[$name]}" "${ADMIN[$name]}"; do
      supervised "$name" || ! port_taken "$number" ||
        fail "port $number, meant for $name, is already in use by another program (GATEWAY_PORT and EDGE_PORT choose others)"
    done
  done
}

is_ready() { curl -fsS -m 2 -o /dev/null "http://127.0.0.1:${ADMIN[$1]}/readyz"; }
has_prices() { curl -fsS -m 5 "http://127.0.0.1:$GATEWAY_PORT/api/v1/stock/popular/member/0" | grep -q isuSrtCd; }

# Takes backups while the product runs, where BACKUP_EVERY_H says how often.
start_backups() {
  if [ -z "${BACKUP_EVERY_H:-}" ] || supervised backups; then return; fi
  setsid env INSTANCE="$INSTANCE" "$HERE/supervise.sh" backups "$HERE/backup.sh" schedule </dev/null >/dev/null 2>&1 &
}

start_processes() {
  local name
  for name in $PROCESSES; do
    supervised "$name" && continue
    setsid env INSTANCE="$INSTANCE" PROFILE="$PROFILE" "$HERE/supervise.sh" "$name" "$HERE/process.sh" "$name" run </dev/null >/dev/null 2>&1 &
  done
  for name in $PROCESSES; do
    say "waiting for $name"
    if ! wait_until "$name" 120 is_ready "$name"; then
      tail -n 15 "$RUN/log/$name.log" >&2 || true
      fail "$name did not become ready; see ${RUN#"$ROOT"/}/log/$name.log ('make down' stops the rest)"
    fi
  done
  [[ " $PROCESSES " != *" gateway "* ]] || wait_until prices 90 has_prices || fail "no price arrived; see ${RUN#"$ROOT"/}/log/market-data.log ('make down' stops the rest)"
}

# What runs another program than the one that was built last.
outdated() {
  local name pid
  for name in $PROCESSES; do
    pid=$(pid_of "$name.child") || continue
    [ "/proc/$pid/exe" -ef "$(binaries)/$name" ] || echo "$name"
  done
}
# Says it; asks only who can answer: say_what_is_outdated [ask]
say_what_is_outdated() {
  local old answer=
  old=$(outdated | paste -sd' ')
  [ -n "$old" ] || return 0
  say "older than this build: $old; 'make roll' replaces what runs without refusing a request"
  if [ "${1:-}" = ask ] && [ -t 0 ]; then read -r -p "Replace it now? [y/N] " answer || true; fi
  # shellcheck disable=SC2086
  if [[ $answer == [yY]* ]]; then "$HERE/rolling.sh" $old; fi
}

start() {
  load_urls
  claim_ports
  say "starting PostgreSQL, Redis, RabbitMQ and the mail sink"
  "$HERE/servers.sh" up
  create_databases
  grant_to_processes
  migrate
  start_processes
  start_backups
}

down() {
  local name pid reversed=
  for name in backups $PROCESSES; do reversed="$name $reversed"; done
  for name in $reversed; do
    pid=$(pid_of "$name") && running "$pid" && kill -TERM "$pid" || true
  done
  for name in $reversed; do
    pid=$(pid_of "$name") || continue
    wait_until "$name" 30 stopped "$pid" || {
      say "$name had to be killed"
      kill -KILL "$(pid_of "$name.child")" "$pid" 2>/dev/null || true
    }
  done
  load_urls
  "$HERE/servers.sh" down
}
stopped() { ! running "$1"; }

# Where a phone opens the product, and the same to be photographed.
say_where_phones_go() {
  [ -n "$PHONE_ORIGIN" ] && [[ $PHONE_ORIGIN != *://localhost* ]] || return 0
  say "on a phone in the same network: $PHONE_ORIGIN"
  command -v qrencode >/dev/null || return 0
  if [ -t 1 ]; then qrencode -t ANSIUTF8 -m 2 "$PHONE_ORIGIN"; else qrencode -t UTF8 -m 2 "$PHONE_ORIGIN"; fi
}

case ${1:-} in
up)
  "$HERE/install.sh"
  started=$(date +%s)
  mkdir -p "$RUN" && echo "$PROFILE" >"$RUN/profile"
  build
  start
  if [ "${2:-}" = --detach ]; then say_what_is_outdated; else say_what_is_outdated ask; fi
  say "ready after $(($(date +%s) - started)) s: open $PUBLIC_ORIGIN (a phone-wide window suits it best)"
  say_where_phones_go
  [ -n "$EXTERNAL_SMTP_URL" ] || say "mails and pushes to members are shown at http://127.0.0.1:$MAIL_PAGE_PORT"
  if [ "${2:-}" != --detach ]; then
    trap 'trap - INT TERM; echo; say "stopping"; down; exit 0' INT TERM
    say "Ctrl-C stops everything; 'make logs' in another terminal shows what happens"
    while supervised gateway; do sleep 1 & wait $! || true; done
    say "stopped"
  fi
  ;;
start)
  start
  say "ready: $PUBLIC_ORIGIN"
  ;;
down) down; say "stopped" ;;
reset)
  down
  rm -rf "$RUN"
  say "all data of this installation is gone"
  ;;
logs)
  if [ -n "${2:-}" ]; then tail -n 100 -F "$RUN/log/$2.log"; else tail -n 20 -F "$RUN"/log/*.log; fi
  ;;
status)
  for name in postgres redis rabbitmq mail $PROCESSES; do
    if supervised "$name"; then echo "$name up"; else echo "$name down"; fi
  done
  say_what_is_outdated
  ;;
*) echo "usage: stack.sh up [--detach] | start | down | reset | logs [NAME] | status" >&2; exit 2 ;;
esac
