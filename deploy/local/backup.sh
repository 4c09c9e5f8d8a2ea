#!/usr/bin/env bash
# Saves and restores an installation: databases, pictures, the market's seed and the keys.
#   backup.sh save [FOLDER]      while it runs; without a name below .run/backups/INSTANCE
#   backup.sh restore FOLDER     while it is stopped, or on a machine where there was none
#   backup.sh schedule           does not end: a backup every BACKUP_EVERY_H hours, of which
#                                BACKUP_KEEP stay, and every change in between (`make up` starts it)
# Settings: BACKUP_PASSPHRASE_FILE encrypts and decrypts. BACKUP_FORM=dumps saves each database by
# itself, which another release of PostgreSQL can read; servers that DATABASE_URL names are always
# saved so. UNTIL='2026-11-23 09:00+09' restores what was true then, and UNTIL=end all there is, from
# the changes that the schedule kept (WAL=folder where they lie elsewhere).
# Current prices and queued messages are not included: a new tick log is started, and events that
# were in an outbox are published again.
set -euo pipefail
shopt -s inherit_errexit
source "$(dirname "$0")/settings.sh"
HERE=$ROOT/deploy/local
TOOLS=$ROOT/deploy/backup
export PGBIN BACKUP_FOLDER=${BACKUP_FOLDER:-$ROOT/.run/backups/$INSTANCE}
umask 077

# What the scripts of deploy/backup read.
name_databases() {
  local name url
  load_urls
  export BACKUP_SERVER_URL=$SERVER_DATABASE_URL
  for name in $DATABASES; do
    url=$(database_url "$name" owner)
    export "BACKUP_${name^^}_URL=$url"
  done
  export BACKUP_SECRETS=$RUN/secrets
  BACKUP_FILES=${FILES_URL:-$RUN/files} BACKUP_COMMUNITY=$(binaries)/community
  export BACKUP_FILES=${BACKUP_FILES#file://} BACKUP_COMMUNITY
  if [ -n "$EXTERNAL_DATABASE_URL" ]; then BACKUP_FORM=dumps; fi
  export BACKUP_FORM=${BACKUP_FORM:-base}
}

case ${1:-} in
save)
  name_databases
  folder=${2:-$BACKUP_FOLDER/$(date -u +%Y%m%d-%H%M%S)}
  "$TOOLS/take.sh" "$folder" || fail "nothing was saved"
  say "saved in $folder"
  ;;
schedule)
  name_databases
  exec "$TOOLS/schedule.sh"
  ;;
restore)
  [ -d "${2:-}" ] || fail "name the folder of a backup: make restore FROM=…"
  folder=$(realpath "$2")
  source "$HERE/restore.sh"
  restore "$folder"
  ;;
*) echo "usage: backup.sh save [FOLDER] | restore FOLDER | schedule" >&2; exit 2 ;;
esac
