#!/usr/bin/env bash
# Keeps and brings back what members did: backup.sh save [FOLDER] | restore FOLDER
# A backup holds the databases. Prices of the moment and queued messages are not part of it:
# the tick log starts anew and events that were still in an outbox are published again.
set -euo pipefail
source "$(dirname "$0")/settings.sh"
load_urls
case ${1:-} in
save)
  folder=${2:-$ROOT/.run/backups/$INSTANCE-$(date +%Y%m%d-%H%M%S)}
  mkdir -p "$folder"
  for name in $DATABASES; do
    "$PGBIN/pg_dump" --format=custom --file="$folder/$name.dump" "$(database_url "$name" owner)" || fail "the database $name could not be saved"
  done
  say "saved in $folder"
  ;;
restore)
  folder=${2:-}
  [ -d "$folder" ] || fail "name the folder of a backup: make restore FROM=…"
  for name in gateway edge trading market-data auth; do
    ! supervised "$name" || fail "$name is running; 'make down' first"
  done
  "$(dirname "$0")/servers.sh" up
  for name in $DATABASES; do
    url=$(database_url "$name" owner)
    psql -qAtX -v ON_ERROR_STOP=1 "$url" -c "drop schema public cascade" -c "create schema public" \
      -c "grant usage on schema public to seedup_${name}_app" \
      -c "alter default privileges in schema public grant select, insert, update, delete on tables to seedup_${name}_app" \
      -c "alter default privileges in schema public grant usage, select on sequences to seedup_${name}_app" >/dev/null
    "$PGBIN/pg_restore" --exit-on-error --no-owner --schema=public --dbname="$url" "$folder/$name.dump" || fail "the database $name could not be restored"
  done
  say "restored from $folder; 'make up' starts it"
  ;;
*) echo "usage: backup.sh save [FOLDER] | restore FOLDER" >&2; exit 2 ;;
esac
