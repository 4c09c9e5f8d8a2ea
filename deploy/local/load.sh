# Shared by scripts that load a separate installation: sourced with INSTANCE set, then `begin NAME`
# creates the installation, which is removed when the script ends. The script stores the load's pid
# in `load` and may define `before_start` and `before_stop`.

export PROFILE=${PROFILE:-release}
source "$(dirname "${BASH_SOURCE[0]}")/settings.sh"
HERE=$ROOT/deploy/local

# The limits per member would limit the load.
export ORDERS_PER_SECOND=100000 ORDERS_PER_MINUTE=1000000 OPEN_ORDERS_MAX=1000000
export RATE_LIMIT_PER_SECOND=1000000 RATE_LIMIT_PER_MINUTE=60000000 REFRESHES_PER_MINUTE=60000000 HASHES_PER_MINUTE=60000000
export JOINS_PER_HOUR=1000000 SISE_LOGINS_PER_MINUTE=1000000
export WS_SOCKETS_PER_ADDRESS=1000000 WS_HANDSHAKES_PER_ADDRESS_PER_S=1000000
export AUDIT_EVERY_S=0

load=
before_start() { :; }
before_stop() { :; }
stop() {
  before_stop
  [ -z "$load" ] || kill "$load" 2>/dev/null || true
  "$HERE/stack.sh" down >/dev/null 2>&1 || true
}

# Faults are injected only into servers of the installation: own_servers WHY
own_servers() {
  [ -z "$EXTERNAL_DATABASE_URL$EXTERNAL_REDIS_URL$EXTERNAL_AMQP_URL" ] ||
    fail "$1: unset DATABASE_URL, REDIS_URL and AMQP_URL"
}

# Builds, starts everything from nothing, and creates the load's log $RUN/log/NAME.log: begin NAME
begin() {
  "$HERE/install.sh" "$1"
  build_programs
  trap stop EXIT
  trap 'exit 130' INT TERM
  "$HERE/stack.sh" reset >/dev/null
  before_start
  "$HERE/stack.sh" start
  load_urls
  log=$RUN/log/$1.log
  : >"$log"
}

# Whether the load has started or ended.
begun() { grep -q '^[a-z]*: started' "$log" || ! running "$load"; }

pause() { sleep "$1" & wait $! || true; }
# Includes the children of a server.
family() { local pid; pid=$(pid_of "$1.child") && echo "$pid" && pgrep -P "$pid" || true; }
signal() { kill -"$2" $(family "$1") 2>/dev/null || true; }
freeze() {
  signal "$1" STOP
  pause "$FROZEN_S"
  signal "$1" CONT
}
thaw_all() { local name; for name in postgres redis rabbitmq $PROCESSES; do signal "$name" CONT; done; }
trading_sql() { PGCONNECT_TIMEOUT=3 timeout 5 psql -qAtX -v ON_ERROR_STOP=1 "$(database_url trading owner)" -c "$1"; }
flush_redis() { REDISCLI_AUTH=$(secret redis) timeout 5 redis-cli -p "$REDIS_PORT" flushall >/dev/null; }
