#!/usr/bin/env bash
# Keeps one process running: supervise.sh NAME COMMAND...
# When it ends without being asked to, it is started again after a growing pause. TERM ends
# both. USR1 starts a successor beside it (pid/NAME.next), which becomes the one that is kept when
# the first ends; it is not HUP because a shell begun under nohup can never catch that. Its output
# goes to the log of that name; its pid to pid/NAME.child.
set -uo pipefail
source "$(dirname "$0")/settings.sh"
name=$1
shift
echo $$ >"$RUN/pid/$name"
log=$RUN/log/$name.log
# A log that has grown is put aside once, so that one never fills the disk.
if [ -s "$log" ] && [ "$(stat -c %s "$log")" -gt 50000000 ]; then mv -f "$log" "$log.1"; fi

stopping=no
child=
next=
stop() {
  stopping=yes
  local pid
  for pid in $child $next; do kill -"${STOP_SIGNAL:-TERM}" "$pid" 2>/dev/null; done
}
succeed() {
  if running "$next"; then return; fi
  "${command[@]}" </dev/null >>"$log" 2>&1 &
  next=$!
  echo $next >"$RUN/pid/$name.next"
}
command=("$@")
trap stop TERM INT
trap succeed USR1
pause_s=1
while [ $stopping = no ]; do
  started=$(date +%s)
  "${command[@]}" </dev/null >>"$log" 2>&1 &
  child=$!
  echo $child >"$RUN/pid/$name.child"
  # wait returns early when a signal arrives; wait again for the child itself.
  while :; do
    wait "$child"
    status=$?
    if running "$child"; then continue; fi
    rm -f "$RUN/pid/$name.next"
    if ! running "$next"; then break; fi
    child=$next next=
    echo $child >"$RUN/pid/$name.child"
    echo "supervise: $name goes on as $child" >>"$log"
  done
  [ $stopping = no ] || break
  if [ $(($(date +%s) - started)) -gt 20 ]; then pause_s=1; fi
  echo "supervise: $name ended with status $status, starting it again in ${pause_s}s" >>"$log"
  sleep $pause_s &
  wait $! || true
  pause_s=$((pause_s * 2 > 10 ? 10 : pause_s * 2))
done
rm -f "$RUN/pid/$name" "$RUN/pid/$name.child" "$RUN/pid/$name.next"
