#!/usr/bin/env bash
# Becomes one of the product's processes, with the environment it needs: process.sh NAME [SUBCOMMAND...]
set -euo pipefail
source "$(dirname "$0")/settings.sh"
load_urls
name=$1
shift

# A signing key per installation and purpose.
signing_key() {
  local file=$RUN/secrets/$1.pem
  if [ ! -s "$file" ]; then
    mkdir -p "$RUN/secrets"
    (umask 077; openssl genpkey -algorithm ed25519 -out "$file" 2>/dev/null)
  fi
  echo "$file"
}
# By which browsers know the installation: a new one would end every subscription.
push_key() {
  local file=$RUN/secrets/push.pem
  if [ ! -s "$file" ]; then
    mkdir -p "$RUN/secrets"
    (umask 077; openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$file.$$" 2>/dev/null && mv "$file.$$" "$file")
  fi
  echo "$file"
}
market_seed() {
  secret market-seed >/dev/null
  echo "$RUN/secrets/market-seed"
}

[ -n "${PORT[$name]:-}" ] || fail "there is no process named '$name'"
unset DATABASE_URL
if [ -n "${DATABASE_OF[$name]:-}" ]; then
  DATABASE_URL=$(database_url "${DATABASE_OF[$name]}" app)
  MIGRATION_DATABASE_URL=$(database_url "${DATABASE_OF[$name]}" owner)
  export DATABASE_URL MIGRATION_DATABASE_URL
fi
export AUTH_URL=http://127.0.0.1:$AUTH_PORT TRADING_URL=http://127.0.0.1:$TRADING_PORT MARKET_URL=http://127.0.0.1:$MARKET_PORT
export EDUCATION_URL=http://127.0.0.1:$EDUCATION_PORT COMMUNITY_URL=http://127.0.0.1:${PORT[community]}
export PUBLIC_ORIGIN=$PUBLIC_ORIGINS SISE_ORIGIN=$SISE_ORIGINS REDIS_URL AMQP_URL SMTP_URL
# Where a successor asks the running process for its socket.
export HANDOVER_SOCKET=$RUN/pid/$name.sock
# What an error says is its cause; the frames behind it would push it out of the end of a log. A
# panic keeps its own.
export RUST_LIB_BACKTRACE=${RUST_LIB_BACKTRACE:-0}
export LOG_FORMAT=${LOG_FORMAT:-json} RUST_LOG=${RUST_LOG:-info}

# The public reaches the edge and the gateway alone.
host=127.0.0.1
case $name in edge | gateway) host=$BIND_ADDR ;; esac
export LISTEN_ADDR=$host:${PORT[$name]} ADMIN_ADDR=127.0.0.1:${ADMIN[$name]}

case $name in
auth)
  SIGNING_KEY_FILE=$(signing_key auth) && export SIGNING_KEY_FILE
  PUSH_VAPID_KEY_FILE=${PUSH_VAPID_KEY_FILE:-$(push_key)} && export PUSH_VAPID_KEY_FILE
  [ -n "$EXTERNAL_SMTP_URL" ] || export PUSH_SINK=${PUSH_SINK-http://127.0.0.1:$MAIL_PAGE_PORT/pushes}
  ;;
market-data)
  SIGNING_KEY_FILE=$(signing_key sise) && export SIGNING_KEY_FILE
  MARKET_SEED_FILE=$(market_seed) && export MARKET_SEED_FILE
  if [ "$INSTANCE" = replay ]; then
    export MARKET_CLOCK=${MARKET_CLOCK:-replay} MARKET_FEED=${MARKET_FEED:-replay}
  fi
  ;;
gateway) export CLIENT_DIR=$ROOT/frontend/dist ;;
esac

# For trials alone: a clock that is ahead.
[ -z "${CLOCK_SHIFT_S:-}" ] || shift_clock "$CLOCK_SHIFT_S"
exec "$(binaries)/$name" "$@"
