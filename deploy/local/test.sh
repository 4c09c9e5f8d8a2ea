#!/usr/bin/env bash
# Runs the tests on servers of their own: test.sh all | rust [NAME] | client [FILE] | e2e [FILE]
# NAME and FILE are parts of the names of tests and of files.
# Stops everything it starts, also after a failure or Ctrl-C.
set -euo pipefail
source "$(dirname "$0")/settings.sh"
HERE=$ROOT/deploy/local
what=${1:-all}
# Tests build once, without optimisation; `make up` is what runs optimised.
export PROFILE=dev
# IN_MEMORY=no keeps the databases of failed journeys.
IN_MEMORY=${IN_MEMORY:-yes}

"$HERE/install.sh" tests
started=()
stop_all() {
  local instance
  for instance in "${started[@]}"; do INSTANCE=$instance "$HERE/stack.sh" down >/dev/null 2>&1 || true; done
}
trap stop_all EXIT
trap 'exit 130' INT TERM

rust() {
  local only=()
  if [ -n "${1:-}" ]; then only=("$1"); fi
  started+=(test)
  INSTANCE=test "$HERE/stack.sh" reset >/dev/null
  INSTANCE=test DURABLE=no IN_MEMORY=$IN_MEMORY "$HERE/servers.sh" up
  (
    INSTANCE=test
    source "$HERE/settings.sh"
    load_urls
    DATABASE_URL=$SERVER_DATABASE_URL
    export DATABASE_URL REDIS_URL AMQP_URL
    cd "$ROOT/services"
    # Of two tests at a time on two processors, one often waits for a deadline.
    if cargo nextest --version >/dev/null 2>&1; then
      cargo nextest run --workspace --no-fail-fast --test-threads "$(($(nproc) * 3 / 2))" "${only[@]}"
    else
      cargo test --workspace --no-fail-fast "${only[@]}"
    fi
  )
  INSTANCE=test "$HERE/servers.sh" down
  if [ ${#only[@]} = 0 ]; then "$ROOT/deploy/new-service/test.sh"; fi
}

client() {
  "$HERE/client.sh" install
  (
    cd "$ROOT/frontend"
    if [ -n "${1:-}" ]; then npx vitest run "$1"; else npm run --silent test; fi
  )
}

# The products that a journey of this name needs.
projects_of() {
  (
    cd "$ROOT/frontend"
    npx vitest list --config vitest.e2e.config.ts --filesOnly --project 'e2e*' --project replay "$1"
  ) | sed -n 's/^\[\(e2e\|replay\).*/\1/p' | sort -u
}

journeys() {
  local instance files=() projects=(e2e replay)
  build_programs
  "$HERE/client.sh"
  if [ -n "${1:-}" ]; then
    files=("$1")
    mapfile -t projects < <(projects_of "$1")
    [ ${#projects[@]} != 0 ] || fail "no journey is named $1"
  fi
  for instance in "${projects[@]}"; do
    started+=("$instance")
    # Each run starts from an empty installation.
    INSTANCE=$instance "$HERE/stack.sh" reset >/dev/null
    (
      export INSTANCE=$instance DURABLE=no IN_MEMORY
      # Many browsers share one address here.
      export RATE_LIMIT_PER_SECOND=500 RATE_LIMIT_PER_MINUTE=20000 HASHES_PER_MINUTE=20000 JOINS_PER_HOUR=10000 SISE_LOGINS_PER_MINUTE=20000
      # A recorded day outlasts a journey, so that day orders do not expire during one.
      export REPLAY_SECONDS_PER_DAY=600
      "$HERE/stack.sh" start
      source "$HERE/settings.sh"
      cd "$ROOT/frontend"
      E2E_ORIGIN=$PUBLIC_ORIGIN E2E_SISE_ORIGIN=$SISE_ORIGIN E2E_INSTANCE=$instance E2E_RUN_DIR=$RUN \
        E2E_MAIL_ORIGIN=http://127.0.0.1:$MAIL_PAGE_PORT \
        npm run --silent e2e -- --project "$instance*" "${files[@]}"
    )
    audit "$instance"
    INSTANCE=$instance "$HERE/stack.sh" down >/dev/null
  done
}

audit() {
  INSTANCE=$1 "$HERE/process.sh" trading audit
}

case $what in
all) export BUILD_TESTS=yes; INSTANCE=test "$HERE/scripts-test.sh"; rust; client; journeys ;;
rust) rust "${2:-}" ;;
client) client "${2:-}" ;;
e2e) journeys "${2:-}" ;;
*) echo "usage: test.sh all | rust [NAME] | client [FILE] | e2e [FILE]" >&2; exit 2 ;;
esac
