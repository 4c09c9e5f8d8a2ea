#!/usr/bin/env bash
# The whole product on one machine: stack.sh up [--detach] | start | down | reset | logs [NAME] | status
#   up      installs, builds, migrates, seeds and starts everything; Ctrl-C stops it again
#   start   the same without installing and building (what the tests use), in the background
set -euo pipefail
source "$(dirname "$0")/settings.sh"
HERE=$ROOT/deploy/local

declare -A ADMIN=([auth]=$AUTH_ADMIN_PORT [market-data]=$MARKET_ADMIN_PORT [trading]=$TRADING_ADMIN_PORT
  [edge]=$EDGE_ADMIN_PORT [gateway]=$GATEWAY_ADMIN_PORT)

build() {
  say "building the services ($PROFILE; the first time takes some minutes)"
  (cd "$ROOT/services" && cargo build --workspace --bins --profile "$PROFILE") || fail "the services do not build; the messages are above"
  "$HERE/client.sh"
}

create_databases() {
  local psql=(psql -qAtX -v ON_ERROR_STOP=1 "$SERVER_DATABASE_URL") name
  for name in $DATABASES; do
    local role
    for role in owner app; do
      "${psql[@]}" -c "do \$\$ begin
          if not exists (select from pg_roles where rolname = 'seedup_${name}_$role') then create role seedup_${name}_$role login; end if;
        end \$\$" -c "alter role seedup_${name}_$role password '$(secret "pg-$name-$role")'"
    done
    if [ -z "$("${psql[@]}" -c "select 1 from pg_database where datname = 'seedup_$name'")" ]; then
      "${psql[@]}" -c "grant seedup_${name}_owner to current_user" \
        -c "create database seedup_$name owner seedup_${name}_owner template template0 encoding 'UTF8' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'"
    fi
    # The running process may read and write rows; only the owner may change tables.
    psql -qAtX -v ON_ERROR_STOP=1 "$(database_url "$name" owner)" \
      -c "grant usage on schema public to seedup_${name}_app" \
      -c "alter default privileges in schema public grant select, insert, update, delete on tables to seedup_${name}_app" \
      -c "alter default privileges in schema public grant usage, select on sequences to seedup_${name}_app" \
      -c "alter default privileges in schema public grant execute on functions to seedup_${name}_app"
  done
}

migrate() {
  local name
  for name in auth market-data trading; do
    if ! "$HERE/process.sh" "$name" migrate >"$RUN/log/$name-migrate.log" 2>&1; then
      tail -n 15 "$RUN/log/$name-migrate.log" >&2
      fail "the database of $name could not be migrated; see ${RUN#"$ROOT"/}/log/$name-migrate.log"
    fi
  done
}

claim_ports() {
  local pair name number
  for pair in gateway:$GATEWAY_PORT edge:$EDGE_PORT auth:$AUTH_PORT market-data:$MARKET_PORT trading:$TRADING_PORT \
    gateway:$GATEWAY_ADMIN_PORT edge:$EDGE_ADMIN_PORT auth:$AUTH_ADMIN_PORT market-data:$MARKET_ADMIN_PORT trading:$TRADING_ADMIN_PORT; do
    name=${pair%%:*} number=${pair##*:}
    supervised "$name" || ! port_taken "$number" ||
      fail "port $number, meant for $name, is already in use by another program (GATEWAY_PORT and EDGE_PORT choose others)"
  done
}

is_ready() { curl -fsS -m 2 -o /dev/null "http://127.0.0.1:${ADMIN[$1]}/readyz"; }
has_prices() { curl -fsS -m 5 "http://127.0.0.1:$GATEWAY_PORT/api/v1/stock/popular/member/0" | grep -q isuSrtCd; }

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
  wait_until prices 90 has_prices || fail "no price arrived; see ${RUN#"$ROOT"/}/log/market-data.log ('make down' stops the rest)"
}

start() {
  load_urls
  claim_ports
  say "starting PostgreSQL, Redis, RabbitMQ and the mail sink"
  "$HERE/servers.sh" up
  create_databases
  migrate
  start_processes
}

down() {
  local name pid reversed=
  for name in $PROCESSES; do reversed="$name $reversed"; done
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

case ${1:-} in
up)
  "$HERE/install.sh"
  started=$(date +%s)
  build
  start
  say "ready after $(($(date +%s) - started)) s: open $PUBLIC_ORIGIN (a phone-wide window suits it best)"
  [ -n "$EXTERNAL_SMTP_URL" ] || say "mails to members are shown at http://127.0.0.1:$MAIL_PAGE_PORT"
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
  ;;
*) echo "usage: stack.sh up [--detach] | start | down | reset | logs [NAME] | status" >&2; exit 2 ;;
esac
