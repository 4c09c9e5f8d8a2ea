# Where everything of one installation on this machine lives: folders, ports, secrets, addresses.
# Sourced by the other scripts; prints nothing and starts nothing.
#
# INSTANCE names the installation. `local` is what `make up` runs; tests use instances of their
# own, with their own ports and data, so that they never touch what a person did.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
INSTANCE=${INSTANCE:-local}
# A restore fills another folder first.
RUN=${RUN_DIR:-$ROOT/.run/$INSTANCE}
# How the services are built: dev takes half as long and serves a person well; release is what is
# measured and deployed. An installation goes on with what it was begun with.
PROFILE=${PROFILE:-$(cat "$RUN/profile" 2>/dev/null || echo dev)}

# Each instance shifts every port by the same amount. All lie below the range from which the system
# gives ports to connections: one of those would keep a process from listening.
case $INSTANCE in
  local) SHIFT=0 ;;
  test) SHIFT=200 ;;
  e2e) SHIFT=400 ;;
  replay) SHIFT=600 ;;
  proof) SHIFT=800 ;;
  bench) SHIFT=1000 ;;
  fuzz) SHIFT=1200 ;;
  faults) SHIFT=1400 ;;
  proofc) SHIFT=1800 ;;
  *) echo "unknown INSTANCE '$INSTANCE' (local, test, e2e, replay, proof, proofc, bench, fuzz or faults)" >&2; exit 2 ;;
esac
port() { echo $(($1 + SHIFT)); }

if [ "$INSTANCE" = local ]; then
  GATEWAY_PORT=${GATEWAY_PORT:-8080}
  EDGE_PORT=${EDGE_PORT:-8081}
  # Both families of addresses where the machine has both.
  if grep -q . /proc/net/if_inet6 2>/dev/null && grep -qx 0 /proc/sys/net/ipv6/bindv6only; then
    BIND_ADDR=${BIND_ADDR:-[::]}
  else
    BIND_ADDR=${BIND_ADDR:-0.0.0.0}
  fi
else
  GATEWAY_PORT=$(port 18080)
  EDGE_PORT=$(port 18081)
  BIND_ADDR=127.0.0.1
fi
PG_PORT=$(port 27432)
REDIS_PORT=$(port 27379)
AMQP_PORT=$(port 27672)
RABBIT_MGMT_PORT=$(port 27673)
RABBIT_DIST_PORT=$(port 27674)
EPMD_PORT=$(port 27369)
MAIL_SMTP_PORT=$(port 27525)
MAIL_PAGE_PORT=$(port 27580)
AUTH_PORT=$(port 27501)
TRADING_PORT=$(port 27502)
MARKET_PORT=$(port 27503)
EDUCATION_PORT=$(port 27505)

# The names under which the machine answers at BIND_ADDR.
own_hosts() {
  local address
  echo localhost
  case $BIND_ADDR in
  0.0.0.0 | '[::]')
    echo 127.0.0.1
    [ "$BIND_ADDR" = 0.0.0.0 ] || echo '[::1]'
    for address in $(hostname -I 2>/dev/null); do
      case $address in
      *:*) [ "$BIND_ADDR" = 0.0.0.0 ] || echo "[$address]" ;;
      *) echo "$address" ;;
      esac
    done
    ;;
  *) echo "$BIND_ADDR" ;;
  esac
}
# The same as origins with a port, separated by commas: own_origins PORT
own_origins() { own_hosts | sed "s|.*|http://&:$1|" | paste -sd,; }
# The address at which a phone in the same network finds the machine, if it has one.
lan_host() {
  local routed
  [[ $BIND_ADDR == 0.0.0.0 || $BIND_ADDR == '[::]' ]] || return 0
  routed=$(ip -4 route get 192.0.2.1 2>/dev/null | sed -n 's/.* src \([0-9.]*\).*/\1/p')
  echo "${routed:-$(hostname -I 2>/dev/null | tr ' ' '\n' | grep -m1 -F . || true)}"
}

# The same hosts at another port: origins_at PORT ORIGIN[,ORIGIN]...
origins_at() { tr , '\n' <<<"$2" | sed -E "s#^([a-z]+://(\[[^]]*\]|[^:/]*)).*#\1:$1#" | paste -sd,; }

# Other hosts may be named for the installation of a person, and then only they are; those of tests
# are only themselves. The processes are told all origins, in the same order for both ports.
if [ "$INSTANCE" = local ] && [ -n "${PUBLIC_ORIGIN:-}${SISE_ORIGIN:-}" ]; then
  PUBLIC_ORIGIN=${PUBLIC_ORIGIN:-http://localhost:$GATEWAY_PORT}
  SISE_ORIGIN=${SISE_ORIGIN:-$(origins_at "$EDGE_PORT" "$PUBLIC_ORIGIN")}
  PUBLIC_ORIGINS=$PUBLIC_ORIGIN
  SISE_ORIGINS=$SISE_ORIGIN
  PHONE_ORIGIN=${PUBLIC_ORIGIN%%,*}
else
  PUBLIC_ORIGIN=http://localhost:$GATEWAY_PORT
  SISE_ORIGIN=http://localhost:$EDGE_PORT
  PUBLIC_ORIGINS=$(own_origins "$GATEWAY_PORT")
  SISE_ORIGINS=$(own_origins "$EDGE_PORT")
  PHONE_ORIGIN=$(lan_host)
  PHONE_ORIGIN=${PHONE_ORIGIN:+http://$PHONE_ORIGIN:$GATEWAY_PORT}
fi

# The processes in the order in which they are started: runs NAME PORT ADMIN_PORT [DATABASE]. Adding
# one to this machine is adding its folder and a line here (and in process.sh what only it is told);
# deploy/check/databases.sh names the lists of backups, containers and a cluster that lack it.
PROCESSES= DATABASES=
declare -gA PORT=() ADMIN=() DATABASE_OF=()
runs() {
  PROCESSES+="${PROCESSES:+ }$1"
  PORT[$1]=$2 ADMIN[$1]=$3
  [ -n "${4:-}" ] || return 0
  DATABASES+="${DATABASES:+ }$4"
  DATABASE_OF[$1]=$4
}
runs auth "$AUTH_PORT" "$(port 27601)" auth
runs market-data "$MARKET_PORT" "$(port 27603)" market
runs trading "$TRADING_PORT" "$(port 27602)" trading
runs community "$(port 27506)" "$(port 27606)" community
runs education "$EDUCATION_PORT" "$(port 27605)" education
runs edge "$EDGE_PORT" "$(port 27604)"
runs gateway "$GATEWAY_PORT" "$(port 27600)"
# A load may need some of them alone.
PROCESSES=${ONLY_PROCESSES:-$PROCESSES}

PGBIN=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
RABBITBIN=/usr/lib/rabbitmq/bin

# Servers named in the environment are used instead of private ones.
EXTERNAL_DATABASE_URL=${DATABASE_URL:-}
EXTERNAL_REDIS_URL=${REDIS_URL:-}
EXTERNAL_AMQP_URL=${AMQP_URL:-}
EXTERNAL_SMTP_URL=${SMTP_URL:-}

# The folder of the programs that this profile builds.
binaries() {
  case $PROFILE in
  release) echo "${CARGO_TARGET_DIR:-$ROOT/services/target}/release" ;;
  dev) echo "${CARGO_TARGET_DIR:-$ROOT/services/target}/debug" ;;
  *) fail "PROFILE is release or dev" ;;
  esac
}

# Builds every program of the services, or the few that a load needs, with its own. Beside tests cargo gives crates other features and would compile them again:
# BUILD_TESTS=yes builds the tests along, where both are wanted.
build_programs() {
  local name programs=(--bins)
  if [ -n "${ONLY_PROCESSES:-}" ]; then
    programs=(--bin proof)
    for name in $PROCESSES; do programs+=(--bin "$name"); done
  fi
  (cd "$ROOT/services" && cargo build --workspace "${programs[@]}" ${BUILD_TESTS:+--tests} --profile "$PROFILE")
}

say() { printf '\033[1m[%s]\033[0m %s\n' "$INSTANCE" "$*"; }
fail() { printf '\033[31m[%s] %s\033[0m\n' "$INSTANCE" "$*" >&2; exit 1; }

# A zombie that pid 1 has not reaped yet still answers kill -0, so the state is looked at.
running() {
  local pid=$1 state
  [ -n "$pid" ] || return 1
  state=$(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$pid/status" 2>/dev/null) || return 1
  [ -n "$state" ] && [ "$state" != Z ]
}
# The boot and the clock tick in which a process began: a pid alone is given out again.
identity_of() {
  local stat boot
  { stat=$(<"/proc/$1/stat"); } 2>/dev/null && boot=$(</proc/sys/kernel/random/boot_id) || return 1
  # What follows the name, which may hold spaces: the start time is the 20th field of it.
  read -ra stat <<<"${stat##*) }"
  echo "$boot ${stat[19]}"
}
# Writes the pid file NAME in one step, so that nobody reads half of it.
record_pid() {
  printf '%s\n%s\n' "$2" "$(identity_of "$2")" >"$RUN/pid/$1.new"
  mv -f "$RUN/pid/$1.new" "$RUN/pid/$1"
}
# The pid in the pid file NAME, if the process that was meant still runs under it.
pid_of() {
  local pid= identity=
  { read -r pid; read -r identity; } 2>/dev/null <"$RUN/pid/$1" || true
  [ -n "$pid" ] || return 1
  if [ -n "$identity" ]; then
    [ "$(identity_of "$pid")" = "$identity" ] && echo "$pid"
  else
    # From a release that wrote no identity: ours when its command lies in this folder.
    grep -qzsF "$ROOT/" "/proc/$pid/cmdline" && echo "$pid"
  fi
}
supervised() { running "$(pid_of "$1")"; }
# A full disk stops the servers in the middle of something, and says so nowhere near the cause:
# room_for GIGABYTES WHAT
room_for() {
  local free
  free=$(df -Pk "$ROOT" | awk 'NR == 2 { print int($4 / 1048576) }')
  [ "$free" -ge "$1" ] || fail "$2 needs $1 GB of disk, and $free GB are free"
}
port_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Waits until a command succeeds: wait_until WHAT SECONDS COMMAND...
wait_until() {
  local what=$1 limit_s=$2 end
  shift 2
  end=$(($(date +%s) + limit_s))
  until "$@" >/dev/null 2>&1; do
    [ "$(date +%s)" -lt "$end" ] || return 1
    sleep 0.1
  done
}

secret() {
  # One random secret per name and installation, made at first use.
  local file=$RUN/secrets/$1
  if [ ! -s "$file" ]; then
    mkdir -p "$RUN/secrets"
    chmod 700 "$RUN/secrets"
    (umask 077; od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >"$file")
  fi
  cat "$file"
}

# Addresses. They are not exported here: another script of ours would take them for servers that
# the person named.
load_urls() {
  mkdir -p "$RUN/pid" "$RUN/log"
  if [ -n "$EXTERNAL_DATABASE_URL" ]; then
    SERVER_DATABASE_URL=$EXTERNAL_DATABASE_URL
  else
    SERVER_DATABASE_URL=postgres://seedup_admin:$(secret pg-admin)@127.0.0.1:$PG_PORT/postgres
  fi
  REDIS_URL=${EXTERNAL_REDIS_URL:-redis://:$(secret redis)@127.0.0.1:$REDIS_PORT/0}
  AMQP_URL=${EXTERNAL_AMQP_URL:-amqp://seedup:$(secret rabbitmq)@127.0.0.1:$AMQP_PORT/%2f}
  SMTP_URL=${EXTERNAL_SMTP_URL:-smtp://127.0.0.1:$MAIL_SMTP_PORT}
}
# A restore fills databases beside those in use.
database_name() { echo "seedup_$1${DATABASE_SUFFIX:-}"; }
# The URL of one database for one role: database_url auth app|owner
database_url() {
  local name=$1 role=$2 rest
  rest=${SERVER_DATABASE_URL#*://}
  rest=${rest#*@}
  echo "postgres://seedup_${name}_$role:$(secret "pg-$name-$role")@${rest%%/*}/$(database_name "$name")"
}

# Lets what is started from here on live in a time that is so many seconds ahead of the machine's.
shift_clock() {
  local library
  library=$(compgen -G '/usr/lib/*/faketime/libfaketimeMT.so.1' | head -1)
  [ -n "$library" ] || fail "libfaketime is missing (install.sh proof)"
  export LD_PRELOAD=$library FAKETIME=+$1s FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1 NO_FAKE_STAT=1
}
