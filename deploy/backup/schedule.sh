#!/usr/bin/env bash
# Takes scheduled backups and archives WAL in BACKUP_FOLDER until it is stopped: schedule.sh [once]
# With `once` it takes one backup, deletes the oldest and exits, for external schedulers.
# Settings: those of take.sh; BACKUP_EVERY_H, the hours from one backup to the next; BACKUP_KEEP, how
# many stay. Of one server (BACKUP_FORM=base) the changes are received as they are committed, into
# BACKUP_FOLDER/wal; of dumps there are none.
set -euo pipefail
shopt -s inherit_errexit
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$HERE/seal.sh"

FOLDER=${BACKUP_FOLDER:?}
WAL=$FOLDER/wal
EVERY_S=$((${BACKUP_EVERY_H:-24} * 3600))
KEEP=${BACKUP_KEEP:-7}
SLOT=seedup_changes
RETRY_S=600
mkdir -p "$FOLDER"

say() { echo "backup: $*"; }
sql() { psql -qAtX -v ON_ERROR_STOP=1 "$BACKUP_SERVER_URL" -c "$1"; }
receiver=
pause() { sleep "$1" & wait $! || true; }
over() { [ -z "$receiver" ] || kill "$receiver" 2>/dev/null || true; exit 0; }
trap over TERM INT

# Changes that do not belong to those that were kept are begun anew, with a backup: after a gap, because
# the slot kept more at the server than that allows, and when the server is another one or was restored.
begin_anew() {
  say "$1: the changes begin anew with a backup"
  is_due=yes next_try=0
  if [ -d "$WAL" ]; then mv -T "$WAL" "$WAL.until-$(date -u +%Y%m%d-%H%M%S)"; fi
}
receive() {
  if [ -n "$receiver" ] && kill -0 "$receiver" 2>/dev/null; then return; fi
  local server lost
  server=$(sql "select system_identifier || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8) from pg_control_system()") || return 1
  lost=$(sql "select count(pg_drop_replication_slot(slot_name)) from pg_replication_slots where slot_name = '$SLOT' and wal_status = 'lost'") || return 1
  if [ "$lost" != 0 ]; then begin_anew "changes were lost"
  elif [ "$server" != "$(cat "$WAL/server" 2>/dev/null)" ]; then begin_anew "the server is new here"; fi
  mkdir -p "$WAL"
  echo "$server" >"$WAL/server"
  pg_receivewal --dbname="$BACKUP_SERVER_URL" --slot=$SLOT --create-slot --if-not-exists || return 1
  pg_receivewal --dbname="$BACKUP_SERVER_URL" --slot=$SLOT --directory="$WAL" --synchronous --no-loop --no-password &
  receiver=$!
}

# Complete files are encrypted if a passphrase is configured.
encrypt_changes() {
  local file
  [ -n "$BACKUP_PASSPHRASE_FILE" ] || return 0
  for file in "$WAL"/*; do
    [[ ${file##*/} =~ ^[0-9A-F]{24}$|^[0-9A-F]{8}\.history$ ]] || continue
    rm -f "$file.gpg"
    keep "$file" <"$file"
    sync "$file.gpg"
    rm "$file"
  done
}

backups() { find "$FOLDER" -mindepth 2 -maxdepth 2 -name about -printf '%h\n' | sort; }
newest_at() { local newest; newest=$(backups | tail -1); if [ -n "$newest" ]; then stat -c %Y "$newest/about"; else echo 0; fi; }
is_due=no
next_try=0
back_up() {
  local now newest
  now=$(date +%s) newest=$(newest_at)
  if [ "$now" -lt "$next_try" ] || { [ $is_due = no ] && [ $((now - newest)) -lt "$EVERY_S" ]; }; then return 0; fi
  next_try=$((now + RETRY_S))
  # Of one that was killed.
  rm -rf "$FOLDER"/*.partial
  "$HERE/take.sh" "$FOLDER/$(date -u +%Y%m%d-%H%M%S)" || { say "no backup was taken; it is tried again in $RETRY_S s"; return 0; }
  is_due=no next_try=0
  say "taken: $(backups | tail -1)"
  forget
}

# Backups beyond the number, and changes from before the oldest that stays.
forget() {
  local old oldest from file name
  while read -r old; do rm -rf "$old"; done < <(backups | head -n "-$KEEP")
  oldest=$(backups | head -1)
  find "$FOLDER" -maxdepth 1 -name 'wal.until-*' ! -newer "$oldest/about" -exec rm -rf {} +
  from=$(sed -n 's/^wal_from=//p' "$oldest/about")
  if [ -z "$from" ] || [ ! -d "$WAL" ]; then return 0; fi
  for file in "$WAL"/*; do
    name=${file##*/}
    if [[ $name =~ ^[0-9A-F]{24} && ${name:8:16} < ${from:8:16} ]]; then rm -f "$file"; fi
  done
}

# The age of the last backup, for node-exporter's textfile collector.
tell_age() {
  printf '# TYPE seedup_backup_last_success_timestamp_seconds gauge\nseedup_backup_last_success_timestamp_seconds %s\n' \
    "$(newest_at)" >"$FOLDER/.backup.prom" && mv -f "$FOLDER/.backup.prom" "$FOLDER/backup.prom"
}

if [ "${1:-}" = once ]; then
  is_due=yes
  back_up
  tell_age
  [ $is_due = no ]
  exit
fi
# A stalled receiver must not fill the server's disk.
if [ "${BACKUP_FORM:-base}" = base ] && [ "$(sql 'show max_slot_wal_keep_size')" = -1 ]; then
  sql "alter system set max_slot_wal_keep_size = '4GB'" && sql 'select pg_reload_conf()' >/dev/null || say "max_slot_wal_keep_size is not bounded"
fi
while :; do
  if [ "${BACKUP_FORM:-base}" = base ]; then receive || say "no changes are received"; fi
  back_up
  encrypt_changes || say "changes could not be encrypted"
  tell_age
  pause 10
done
