#!/usr/bin/env bash
# Replaces every process of a running installation, one after another, without rejecting a request:
# rolling.sh [NAME...]
# The successor takes over the listening socket, and the predecessor ends when the successor is
# ready. Only one market-data may serve, because the tick log has one writer: the successor prepares
# beside the predecessor and serves with the last stored prices once it has ended; calls in between
# wait in the socket's backlog.
set -euo pipefail
source "$(dirname "$0")/settings.sh"

has_successor() { pid_of "$1.next" >/dev/null; }
lives() { [ "$(curl -fsS -m 2 "http://127.0.0.1:${ADMIN[$1]}/livez")" = "live $2" ]; }
sockets_of() { find "/proc/$1/fd" -maxdepth 1 -lname 'socket:*' -printf '%l\n' 2>/dev/null | sort; }
# After a handover two processes share a socket.
took_over() { [ -n "$(comm -12 <(sockets_of "$1") <(sockets_of "$2"))" ]; }
is_ready() { lives "$1" "$2" && curl -fsS -m 2 -o /dev/null "http://127.0.0.1:${ADMIN[$1]}/readyz"; }
has_ended() { ! running "$1"; }
is_kept() { [ "$(pid_of "$1.child")" = "$2" ]; }

replace() {
  local name=$1 old new started=$SECONDS
  supervised "$name" || fail "$name does not run"
  old=$(pid_of "$name.child")
  kill -USR1 "$(pid_of "$name")"
  wait_until successor 10 has_successor "$name" || fail "no successor of $name was started"
  new=$(pid_of "$name.next")
  wait_until handover 60 took_over "$old" "$new" || fail "$name keeps its socket; see ${RUN#"$ROOT"/}/log/$name.log"
  if [ "$name" = market-data ]; then
    # Tasks of the single writer start when the other has ended.
    wait_until preparation 120 lives "$name" "$new" || fail "the successor of $name does not live; the old one goes on"
  else
    wait_until ready 120 is_ready "$name" "$new" || fail "the successor of $name is not ready; the old one goes on"
  fi
  kill -TERM "$old"
  wait_until ready 120 is_ready "$name" "$new" || fail "the successor of $name is not ready; see ${RUN#"$ROOT"/}/log/$name.log"
  wait_until end 60 has_ended "$old" || fail "the predecessor of $name does not end"
  wait_until kept 10 is_kept "$name" "$new" || fail "nobody keeps the successor of $name"
  say "$name: $old became $new in $((SECONDS - started)) s"
}

for name in ${*:-$PROCESSES}; do replace "$name"; done
