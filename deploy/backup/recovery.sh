#!/usr/bin/env bash
# Configures the recovery target of a copied server: recovery.sh DATA WAL
# UNTIL is a time, `end`, or nothing: then it goes to the end of the backup. The server
# continues on a new timeline, so its WAL is never mixed with that of the original.
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
