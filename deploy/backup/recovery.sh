#!/usr/bin/env bash
# Tells a copied server up to where it repeats changes when it starts: recovery.sh DATA WAL
# UNTIL is a time, `end`, or nothing: then it goes to the end of the backup. It goes on under a new
# timeline, so its changes are never taken for those of the server it was copied from.
set -euo pipefail
data=${1:?usage: recovery.sh DATA WAL} wal=${2:?usage: recovery.sh DATA WAL}
{
  case ${UNTIL:-} in
  '') echo "recovery_target = 'immediate'" ;;
  end) ;;
  *) echo "recovery_target_time = '$UNTIL'" ;;
  esac
  echo "recovery_target_action = 'promote'"
  echo "restore_command = 'cp \"$wal/%f\" \"%p\"'"
} >>"$data/postgresql.auto.conf"
touch "$data/recovery.signal"
