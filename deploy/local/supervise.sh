#!/usr/bin/env bash
# Keeps one process running: supervise.sh NAME COMMAND...
# When it ends unexpectedly, it is restarted after a growing delay. TERM ends both. USR1 starts a
# successor beside it (pid/NAME.next), which is supervised when the first ends; not HUP, because a
# shell under nohup cannot catch it. Output goes to the log of that name, which is rotated; the pid
# to pid/NAME.child.
set -uo pipefail
source "$(dirname "$0")/settings.sh"
name=$1
shift
record_pid "$name" $$
log=$RUN/log/$name.log

# Rotates a log while it is written, so that it cannot fill the disk: whole blocks are copied and
# then punched off its front. Where the file system does not support that, the log is truncated, and
# lines written in between are lost.
LOG_BYTES_MAX=${LOG_BYTES_MAX:-50000000}
put_log_aside() {
  local size block
  size=$(stat -c %s "$log" 2>/dev/null) || return 0
  [ "$size" -gt "$LOG_BYTES_MAX" ] || return 0
  block=$(stat -f -c %S "$log")
  size=$(((size - 1) / block * block))
  head -c "$size" "$log" >"$log.1.new" && mv -f "$log.1.new" "$log.1" || return 0
  fallocate --collapse-range --offset 0 --length "$size" "$log" 2>/dev/null || : >"$log"
}
# A log that is being put aside when the end comes is put aside first: ended in between, its lines
# would be there twice.
look_after_log() {
  local ended
  trap - USR1
  while running $$; do
    ended=no
    trap 'ended=yes' TERM INT
    put_log_aside
    trap 'exit 0' TERM INT
    if [ $ended = yes ]; then exit 0; fi
    sleep "${LOG_LOOK_S:-20}" & wait $!
  done
}
look_after_log </dev/null >/dev/null 2>&1 &
log_keeper=$!

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
  record_pid "$name.next" $next
}
command=("$@")
trap stop TERM INT
trap succeed USR1
pause_s=1
while [ $stopping = no ]; do
  started=$(date +%s)
  "${command[@]}" </dev/null >>"$log" 2>&1 &
  child=$!
  record_pid "$name.child" $child
  # wait returns early when a signal arrives; wait again for the child itself.
  while :; do
    wait "$child"
    status=$?
    if running "$child"; then continue; fi
    rm -f "$RUN/pid/$name.next"
    if ! running "$next"; then break; fi
    child=$next next=
    record_pid "$name.child" $child
    echo "supervise: $name goes on as $child" >>"$log"
  done
  [ $stopping = no ] || break
  if [ $(($(date +%s) - started)) -gt 20 ]; then pause_s=1; fi
  echo "supervise: $name ended with status $status, starting it again in ${pause_s}s" >>"$log"
  sleep $pause_s &
  wait $! || true
  pause_s=$((pause_s * 2 > 10 ? 10 : pause_s * 2))
done
kill $log_keeper 2>/dev/null
wait $log_keeper
rm -f "$RUN/pid/$name" "$RUN/pid/$name.child" "$RUN/pid/$name.next"
