#!/usr/bin/env bash
# Tests of the scripts themselves: reused pids, programs that are older
# than the build, logs that grow while they are written, and a folder whose name has spaces. Everything happens in a copy of the scripts in
# such a folder: scripts-test.sh [pids | names | builds | logs | journeys | servers]...
set -euo pipefail
INSTANCE=${INSTANCE:-test}
export INSTANCE
source "$(dirname "$0")/settings.sh"
TOP=$(mktemp -d "${TMPDIR:-/tmp}/seed up XXXXXX")
chmod 755 "$TOP"
COPY="$TOP/a folder"
SCRIPTS=$COPY/deploy/local
mkdir -p "$COPY/services"
cp -r "$ROOT/deploy" "$COPY/"
ln -s "$ROOT/services/target" "$COPY/services/target"
RUN=$COPY/.run/$INSTANCE
mkdir -p "$RUN/pid" "$RUN/log"

started=()
clean_up() {
  "$SCRIPTS/servers.sh" down >/dev/null 2>&1 || true
  [ ${#started[@]} = 0 ] || kill -KILL "${started[@]}" 2>/dev/null || true
  rm -rf "$TOP"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

supervise() { # NAME COMMAND...
  "$SCRIPTS/supervise.sh" "$@" </dev/null >/dev/null 2>&1 &
  started+=($!)
  supervisor=$!
  wait_until "$1" 10 test -s "$RUN/pid/$1.child" || fail "$1 was not started"
}

status() { [[ $'\n'$("$SCRIPTS/stack.sh" status)$'\n' == *$'\n'"$1 $2"$'\n'* ]]; }

# After a crash another process has the pid.
pids() {
  local stranger child
  sleep 1000 &
  stranger=$!
  started+=("$stranger")
  sleep 0.1
  supervise gateway sleep 1001
  child=$(head -1 "$RUN/pid/gateway.child")
  status gateway up || fail "what runs is not counted"
  kill -KILL "$supervisor" "$child"
  sed -i "1s/.*/$stranger/" "$RUN/pid/gateway" "$RUN/pid/gateway.child"
  status gateway down || fail "a stranger's process is counted as ours"
  "$SCRIPTS/stack.sh" down >/dev/null
  running "$stranger" || fail "a stranger's process was stopped"
  say "pids: a stranger's process is neither counted nor stopped"
}

# What settings.sh makes of these settings alone: origins SETTING=VALUE...
origins() {
  env -u PUBLIC_ORIGIN -u SISE_ORIGIN -u GATEWAY_PORT -u EDGE_PORT -u BIND_ADDR INSTANCE=local "$@" \
    bash -c 'source "$0"; printf "%s\n" "$PUBLIC_ORIGINS" "$SISE_ORIGINS" "$PHONE_ORIGIN"' "$SCRIPTS/settings.sh"
}
# What a person is told who starts with these settings; the code to photograph is a line here.
phones() {
  env -u PUBLIC_ORIGIN -u SISE_ORIGIN -u GATEWAY_PORT -u EDGE_PORT -u BIND_ADDR INSTANCE=local "$@" bash -c '
    source "${0%/*}/settings.sh"
    qrencode() { echo "code of ${!#}"; }
    eval "$(sed -n "/^say_where_phones_go()/,/^}/p" "$0")"
    say_where_phones_go' "$SCRIPTS/stack.sh"
}

# Without PUBLIC_ORIGIN every name of the machine is an origin, with live prices under the same name;
# with it only that is one.
names() {
  local bind told expected host public sise
  for bind in BIND_ADDR=0.0.0.0 BIND_ADDR=; do
    # An empty one is as good as none: both families, where the machine has both.
    told=$(origins "$bind")
    expected=http://localhost:8080,http://127.0.0.1:8080
    if [ "$bind" = BIND_ADDR= ] && grep -q . /proc/net/if_inet6 2>/dev/null && grep -qx 0 /proc/sys/net/ipv6/bindv6only; then
      expected+=,http://[::1]:8080
      for host in $(hostname -I); do
        if [[ $host == *:* ]]; then host=[$host]; fi
        expected+=,http://$host:8080
      done
    else
      for host in $(hostname -I | tr ' ' '\n' | grep -F .); do expected+=,http://$host:8080; done
    fi
    [ "$(sed -n 1p <<<"$told")" = "$expected" ] || fail "the machine's names are not all origins: $told"
    [ "$(sed -n 2p <<<"$told")" = "${expected//:8080/:8081}" ] || fail "live prices are elsewhere: $told"
    host=$(sed -n 3p <<<"$told")
    [[ ,$expected, == *",$host,"* ]] || fail "a phone is sent to no origin: $told"
    [ "$(phones "$bind")" = "$(INSTANCE=local say "on a phone in the same network: $host")"$'\n'"code of $host" ] ||
      fail "a person is not told where a phone goes"
  done
  [ -z "$(phones BIND_ADDR=127.0.0.1)" ] || fail "a phone is sent to a machine that does not answer it"
  told=$(origins PUBLIC_ORIGIN=https://a.example SISE_ORIGIN=https://b.example)
  [ "$told" = $'https://a.example\nhttps://b.example\nhttps://a.example' ] || fail "more than the named origin is one: $told"
  [[ $(phones PUBLIC_ORIGIN=https://a.example) == *$'\ncode of https://a.example' ]] || fail "a phone is sent elsewhere than it was named"
  # Live prices are at the port of the edge, under the same names.
  while read -r public sise; do
    told=$(origins PUBLIC_ORIGIN="$public" | sed -n 2p)
    [ "$told" = "$sise" ] || fail "with $public alone, live prices are at $told"
  done <<'END'
https://a.example https://a.example:8081
http://192.168.0.7:8080 http://192.168.0.7:8081
http://[fd00::7]:8080,https://[fd00::7] http://[fd00::7]:8081,https://[fd00::7]:8081
END
  say "names: every name of the machine is an origin, unless one is named; a phone is sent to one"
}

# What runs is compared with what was built last.
builds() {
  local built=$TOP/target/debug/auth told
  export PROFILE=dev CARGO_TARGET_DIR=$TOP/target
  mkdir -p "${built%/*}"
  cp "$(command -v sleep)" "$built"
  supervise auth "$built" 1002
  told=$("$SCRIPTS/stack.sh" status)
  [[ $told != *older* ]] || fail "what was built last is taken for older: $told"
  cp "$built" "$built.new"
  mv "$built.new" "$built"
  told=$("$SCRIPTS/stack.sh" status)
  [[ $told == *"older than this build: auth;"*"make roll"* ]] || fail "nobody says that what runs is older than the build"
  kill -TERM "$supervisor"
  say "builds: what is older than the build is named"
}

# A log is put aside while it is written, and no line is lost; nor is one there twice when the end
# comes in between, which a slow disk makes likely.
logs() {
  local log=$RUN/log/writer.log limit=200000
  export LOG_BYTES_MAX=$limit LOG_LOOK_S=0.2 CUT=$TOP/cut
  fallocate() {
    touch "$CUT"
    sleep 0.5
    command fallocate "$@"
  }
  export -f fallocate
  # shellcheck disable=SC2016
  supervise writer bash -c 'for ((line = 100000; ; line++)); do echo "line $line"; done'
  sleep 4
  rm -f "$CUT"
  wait_until "a log that is being put aside" 10 test -e "$CUT" || fail "no log is put aside"
  kill -TERM "$supervisor"
  wait "$supervisor" || true
  unset -f fallocate
  local size
  size=$(stat -c %s "$log")
  [ -s "$log.1" ] || fail "a log of $size bytes was not put aside"
  cat "$log.1" "$log" | sed '1d;$d' | awk '
    $1 != "line" || (last && $2 != last + 1) { print "after line " last " comes: " $0; exit 1 }
    { last = $2 }' || fail "a line of the log was lost"
  say "logs: put aside while written ($size bytes are left), every line is there once"
}

# One journey alone is looked for where it is, and a name that no journey has is not passed over.
journeys() {
  local name project
  "$ROOT/deploy/local/client.sh" install
  eval "$(sed -n '/^projects_of()/,/^}/p' "$SCRIPTS/test.sh")"
  while read -r name project; do
    [ "$(projects_of "$name")" = "$project" ] || fail "$name is looked for in: $(projects_of "$name")"
  done <<'END'
twoTabs e2e
replayMainJob replay
noSuchJourney
END
  say "journeys: one alone is run in its own project"
}

servers() {
  local name
  "$SCRIPTS/servers.sh" up
  for name in postgres redis rabbitmq; do
    status "$name" up || fail "$name does not run in a folder with spaces"
  done
  "$SCRIPTS/servers.sh" down
  say "servers: they run in a folder with spaces"
}

for what in "${@:-pids names builds logs journeys servers}"; do for one in $what; do "$one"; done; done
say "the scripts are right"
