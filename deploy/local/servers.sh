#!/usr/bin/env bash
# Private PostgreSQL, Redis, RabbitMQ and mail sink of one instance: servers.sh up|postgres|down|status
# They listen on loopback only, on ports of their own, with data under .run/. As root each runs
# under its own user. A port in use by another program is reported, because connecting to a
# foreign server looks like success.
set -euo pipefail
source "$(dirname "$0")/settings.sh"
load_urls
HERE=$ROOT/deploy/local

# as USER: the words before a command that runs it as that user when we are root.
as() {
  AS=()
  if [ "$(id -u)" = 0 ]; then
    AS=(setpriv "--reuid=$1" "--regid=$(id -gn "$1")" --init-groups)
    # Below a folder that only root may enter, the server keeps the right to pass through it.
    if ! "${AS[@]}" test -x "$RUN" 2>/dev/null; then
      AS+=(--inh-caps=+dac_read_search --ambient-caps=+dac_read_search)
    fi
  fi
}
own() { if [ "$(id -u)" = 0 ]; then chown -R "$1:$(id -gn "$1")" "$2"; fi; }
claim_port() { ! port_taken "$1" || fail "port $1, meant for $2, is already in use by another program"; }
start() { # start NAME COMMAND...
  local name=$1
  shift
  setsid env INSTANCE="$INSTANCE" "$HERE/supervise.sh" "$name" "$@" </dev/null >/dev/null 2>&1 &
}

# IN_MEMORY=yes: a new PostgreSQL keeps its files in memory until `down`, if 6 GB are free. Tests create and drop a
# database each, which on ext4 doubles the duration of a small test.
data_in_memory() {
  local folder free
  [ "${IN_MEMORY:-no}" = yes ] && [ ! -e "$RUN/postgres/data" ] || return 0
  free=$({ df --output=avail /dev/shm 2>/dev/null; sed -n 's/^MemAvailable: *\([0-9]*\).*/\1/p' /proc/meminfo; } | tail -n +2 | sort -n | head -1)
  [ "${free:-0}" -gt $((6 << 20)) ] || return 0
  folder=$(mktemp -d "/dev/shm/seedup-$INSTANCE.XXXXXX")
  ln -sfn "$folder" "$RUN/postgres/data"
  own postgres "$folder"
}
forget_memory() {
  local folder
  folder=$(readlink "$RUN/postgres/data") || return 0
  if [[ $folder == /dev/shm/seedup-* ]]; then rm -rf "$folder" "$RUN/postgres/data"; fi
}

postgres_up() {
  supervised postgres && return
  claim_port "$PG_PORT" PostgreSQL
  [ -n "$PGBIN" ] || fail "PostgreSQL is not installed"
  mkdir -p "$RUN/postgres"
  data_in_memory
  own postgres "$RUN/postgres"
  as postgres
  if [ ! -s "$RUN/postgres/data/PG_VERSION" ]; then
    secret pg-admin >/dev/null
    install -m 600 "$RUN/secrets/pg-admin" "$RUN/postgres/password"
    own postgres "$RUN/postgres"
    (cd / && "${AS[@]}" "$PGBIN/initdb" -D "$RUN/postgres/data" -U seedup_admin -A scram-sha-256 \
      --pwfile="$RUN/postgres/password" -E UTF8 --locale=C.UTF-8) >"$RUN/log/initdb.log" 2>&1 ||
      fail "initdb failed; see ${RUN#"$ROOT"/}/log/initdb.log"
    rm -f "$RUN/postgres/password"
  fi
  # A person's data is kept safe; a test's data only has to be fast.
  local durability=()
  if [ "${DURABLE:-yes}" = no ]; then
    durability=(-c fsync=off -c synchronous_commit=off -c full_page_writes=off)
  fi
  (cd / && STOP_SIGNAL=INT start postgres "${AS[@]}" "$PGBIN/postgres" -D "$RUN/postgres/data" -p "$PG_PORT" \
    -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300 -c shared_buffers=256MB \
    -c max_wal_size=1GB -c checkpoint_timeout=5min -c wal_compression=lz4 -c track_io_timing=on \
    -c log_min_duration_statement=500 "${durability[@]}")
}
postgres_ready() {
  running "$(head -1 "$RUN/postgres/data/postmaster.pid" 2>/dev/null)" && "$PGBIN/pg_isready" -q -h 127.0.0.1 -p "$PG_PORT" -t 1
}

redis_up() {
  supervised redis && return
  claim_port "$REDIS_PORT" Redis
  mkdir -p "$RUN/redis"
  printf 'port %s\nbind 127.0.0.1\ndir "%s"\nsave ""\nappendonly no\nrequirepass %s\nmaxmemory 256mb\nmaxmemory-policy allkeys-lru\npidfile "%s"\n' \
    "$REDIS_PORT" "$RUN/redis" "$(secret redis)" "$RUN/redis/redis.pid" >"$RUN/redis/redis.conf"
  chmod 600 "$RUN/redis/redis.conf"
  own redis "$RUN/redis"
  as redis
  start redis "${AS[@]}" redis-server "$RUN/redis/redis.conf"
}
redis_ready() {
  running "$(pid_of redis.child)" && [ "$(REDISCLI_AUTH=$(secret redis) redis-cli -h 127.0.0.1 -p "$REDIS_PORT" ping)" = PONG ]
}

rabbit_env() {
  local d=$RUN/rabbitmq
  RABBIT_ENV=(
    "HOME=$d/home" "RABBITMQ_NODENAME=seedup-$INSTANCE@localhost" RABBITMQ_CONF_ENV_FILE=/dev/null
    "RABBITMQ_CONFIG_FILE=$d/rabbitmq.conf" "RABBITMQ_ADVANCED_CONFIG_FILE=$d/advanced.config" "RABBITMQ_CONFIG_FILES=$d/conf.d"
    "RABBITMQ_ENABLED_PLUGINS_FILE=$d/enabled_plugins" "RABBITMQ_MNESIA_BASE=$d/mnesia" "RABBITMQ_LOG_BASE=$d/log"
    "RABBITMQ_PID_FILE=$d/rabbitmq.pid" "RABBITMQ_DIST_PORT=$RABBIT_DIST_PORT" "ERL_EPMD_PORT=$EPMD_PORT"
    ERL_EPMD_ADDRESS=127.0.0.1 LC_ALL=C.UTF-8
    # The start script then becomes the broker instead of staying its parent: signals reach it.
    RUNNING_UNDER_SYSTEMD=yes
    "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=-kernel inet_dist_use_interface {127,0,0,1} +S 2:2"
  )
}
rabbit_up() {
  supervised rabbitmq && return
  local d=$RUN/rabbitmq
  claim_port "$AMQP_PORT" RabbitMQ
  claim_port "$RABBIT_MGMT_PORT" "RabbitMQ's management"
  claim_port "$RABBIT_DIST_PORT" "RabbitMQ's cluster link"
  supervised epmd || claim_port "$EPMD_PORT" "Erlang's port mapper"
  mkdir -p "$d/home" "$d/mnesia" "$d/log" "$d/conf.d"
  echo '[rabbitmq_management].' >"$d/enabled_plugins"
  cat >"$d/rabbitmq.conf" <<CONF
listeners.tcp.default = 127.0.0.1:$AMQP_PORT
management.tcp.ip = 127.0.0.1
management.tcp.port = $RABBIT_MGMT_PORT
default_user = seedup
default_pass = $(secret rabbitmq)
disk_free_limit.absolute = 200MB
vm_memory_high_watermark.absolute = 1GB
log.file.level = warning
log.file.rotation.size = 20000000
log.file.rotation.count = 2
heartbeat = 10
CONF
  chmod 600 "$d/rabbitmq.conf"
  own rabbitmq "$d"
  as rabbitmq
  rabbit_env
  supervised epmd || (cd "$d" && start epmd "${AS[@]}" env "${RABBIT_ENV[@]}" epmd -port "$EPMD_PORT" -address 127.0.0.1)
  wait_until epmd 10 port_taken "$EPMD_PORT" || fail "Erlang's port mapper did not start; see ${RUN#"$ROOT"/}/log/epmd.log"
  (cd "$d" && start rabbitmq "${AS[@]}" env "${RABBIT_ENV[@]}" "$RABBITBIN/rabbitmq-server")
}
rabbit_ready() {
  curl -fsS -m 2 -u "seedup:$(secret rabbitmq)" "http://127.0.0.1:$RABBIT_MGMT_PORT/api/health/checks/port-listener/$AMQP_PORT"
}

# Mails stay here as files; the page on MAIL_PAGE_PORT shows them. The program is one of ours, so
# where nothing was built yet there is none, and nothing that needs it runs.
mail_up() {
  supervised mail && return
  [ -x "$(binaries)/mail-sink" ] || { say "mails wait: mail-sink is not built"; return; }
  claim_port "$MAIL_SMTP_PORT" "the mail sink"
  claim_port "$MAIL_PAGE_PORT" "the page of the mail sink"
  start mail env SMTP_ADDR="127.0.0.1:$MAIL_SMTP_PORT" PAGE_ADDR="127.0.0.1:$MAIL_PAGE_PORT" MAIL_DIR="$RUN/mail" \
    LOG_FORMAT="${LOG_FORMAT:-json}" "$(binaries)/mail-sink"
}

# Stops what supervise.sh keeps under NAME and waits for it: stop_server NAME SECONDS
stop_server() {
  local name=$1 limit_s=$2 pid
  pid=$(pid_of "$name") || return 0
  running "$pid" || return 0
  kill -TERM "$pid"
  wait_until "$name" "$limit_s" not_running "$pid" || { kill -KILL "$(pid_of "$name.child")" "$pid" 2>/dev/null || true; say "$name had to be killed"; }
}
not_running() { ! running "$1"; }

case ${1:-} in
up)
  room_for 2 "an installation's data"
  [ -n "$EXTERNAL_DATABASE_URL" ] || postgres_up
  [ -n "$EXTERNAL_REDIS_URL" ] || redis_up
  [ -n "$EXTERNAL_AMQP_URL" ] || rabbit_up
  [ -n "$EXTERNAL_SMTP_URL" ] || mail_up
  [ -n "$EXTERNAL_REDIS_URL" ] || wait_until redis 15 redis_ready || fail "Redis did not start; see ${RUN#"$ROOT"/}/log/redis.log"
  [ -n "$EXTERNAL_DATABASE_URL" ] || wait_until postgres 60 postgres_ready || fail "PostgreSQL did not start; see ${RUN#"$ROOT"/}/log/postgres.log"
  [ -n "$EXTERNAL_AMQP_URL" ] || wait_until rabbitmq 90 rabbit_ready || fail "RabbitMQ did not start; see ${RUN#"$ROOT"/}/log/rabbitmq.log"
  ;;
postgres)
  postgres_up
  wait_until postgres "${POSTGRES_READY_S:-60}" postgres_ready || fail "PostgreSQL did not start; see ${RUN#"$ROOT"/}/log/postgres.log"
  ;;
down)
  stop_server mail 5
  stop_server rabbitmq 30
  stop_server epmd 5
  stop_server redis 10
  stop_server postgres 30
  forget_memory
  ;;
status)
  for name in postgres redis rabbitmq mail; do
    if supervised "$name"; then echo "$name up"; else echo "$name down"; fi
  done
  ;;
*) echo "usage: servers.sh up|postgres|down|status" >&2; exit 2 ;;
esac
