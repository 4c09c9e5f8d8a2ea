# Restores an installation from a backup: sourced by backup.sh, which says what the settings are.
# The restored data is created beside the existing data and verified; then two folders are renamed,
# and the old data stays until it is deleted by hand.

restore() {
  local folder=$1 name stamp before
  for name in backups $PROCESSES mail rabbitmq redis postgres; do
    ! supervised "$name" || fail "$name is running; 'make down' first"
  done
  case ${FILES_URL:-} in s3://* | gs://* | az://*)
    [ -x "$(binaries)/community" ] || fail "pictures go into $FILES_URL by the program community: build it first (cargo build --workspace --bins in services)" ;;
  esac
  "$HERE/install.sh"
  stamp=$(date -u +%Y%m%d-%H%M%S)
  before=$ROOT/.run/$INSTANCE.before-$stamp
  new=$ROOT/.run/$INSTANCE.restoring
  rm -rf "$new"
  mkdir -p "$new/pid" "$new/log" "$new/postgres"
  chmod 755 "$new" "$new/log"
  room_for $((2 + 4 * $(du -sk "$folder" | cut -f1) / 1048576)) "a restore"

  say "looking whether the backup is whole"
  "$TOOLS/open.sh" "$folder" "$new/opened" || fail "nothing was restored and nothing was changed"
  [ ! -d "$new/opened/secrets" ] || mv "$new/opened/secrets" "$new/secrets"
  [ ! -d "$new/opened/files" ] || mv "$new/opened/files" "$new/files"
  # Pictures never change: those of after the backup are there for what UNTIL brings back.
  if [ -d "$ROOT/.run/$INSTANCE/files" ]; then mkdir -p "$new/files" && cp -rn "$ROOT/.run/$INSTANCE/files/." "$new/files/"; fi
  # Tokens issued after the backup may name members that no longer exist. With a new key they must be
  # renewed, which only sessions of the backup can.
  rm -f "$new"/secrets/auth*.pem
  RUN=$new
  trap stop_restoring EXIT
  trap 'exit 130' INT TERM
  if [ -d "$new/opened/data" ]; then restore_server; else restore_dumps; fi
  look_at_it
  restore_bucket
  "$TOOLS/go-on.sh"
  stop_restoring
  trap - EXIT

  rm -rf "$new/opened" "$new/wal" "$new/pid"
  if [ -n "${DATABASE_SUFFIX:-}" ]; then rename_databases "$stamp"; fi
  if [ -e "$ROOT/.run/$INSTANCE" ]; then mv -T "$ROOT/.run/$INSTANCE" "$before"; say "what was there is in ${before#"$ROOT"/}"; fi
  mv -T "$new" "$ROOT/.run/$INSTANCE"
  # The archived WAL belongs to the old server.
  [ ! -d "$BACKUP_FOLDER/wal" ] || mv -T "$BACKUP_FOLDER/wal" "$BACKUP_FOLDER/wal.until-$stamp"
  say "restored from $folder; 'make up' starts it"
}

# What the bucket has stays, as it does in a folder.
restore_bucket() {
  [[ ${FILES_URL:-} =~ ^(s3|gs|az):// ]] && [ -d "$new/files" ] || return 0
  say "copying the pictures into $FILES_URL"
  "$(binaries)/community" copy-files "file://$new/files" "$FILES_URL" ||
    fail "the pictures could not be copied into $FILES_URL; the restored data is in ${RUN#"$ROOT"/}, and nothing else was changed"
  rm -rf "$new/files"
}

servers() { INSTANCE=$INSTANCE RUN_DIR=$RUN "$HERE/servers.sh" "$@"; }
stop_restoring() { [ -n "${DATABASE_SUFFIX:-}" ] || servers down; }

# A copy of a server with all of its databases, roles and rights.
restore_server() {
  [ -z "$EXTERNAL_DATABASE_URL" ] || fail "this backup is a server of its own: unset DATABASE_URL, or save with BACKUP_FORM=dumps"
  mv "$new/opened/data" "$new/postgres/data"
  local wal=${WAL:-$BACKUP_FOLDER/wal}
  mkdir "$new/wal"
  [ ! -d "$wal" ] || "$TOOLS/fetch-wal.sh" "$wal" "$new/wal"
  "$TOOLS/recovery.sh" "$new/postgres/data" "$new/wal"
  if [ "$(id -u)" = 0 ]; then chown -R postgres: "$new/wal"; fi
  say "starting the copy${UNTIL:+ and repeating what was changed until $UNTIL}"
  POSTGRES_READY_S=3600 servers postgres
  load_urls
  wait_until recovery 3600 recovered || fail "the changes could not be repeated; see ${RUN#"$ROOT"/}/log/postgres.log"
  local setting
  for setting in restore_command recovery_target recovery_target_time recovery_target_action; do
    psql -qAtX -v ON_ERROR_STOP=1 "$SERVER_DATABASE_URL" -c "alter system reset $setting"
  done
}
recovered() { [ "$(psql -qAtX "$SERVER_DATABASE_URL" -c 'select pg_is_in_recovery()')" = f ]; }

# Dumps go into databases made for them: on a new private server, or beside those of a named one.
restore_dumps() {
  [ -z "${UNTIL:-}" ] || fail "dumps hold one moment of each database: unset UNTIL"
  source "$HERE/databases.sh"
  local name
  if [ -n "$EXTERNAL_DATABASE_URL" ]; then
    DATABASE_SUFFIX=_restoring
    load_urls
    for name in $DATABASES; do admin_sql -c "drop database if exists $(database_name "$name")"; done
  else
    servers postgres
    load_urls
  fi
  create_databases
  for name in $DATABASES; do
    say "restoring the database $name"
    # Older backups have no education or community: their tables are made when they start.
    [ -f "$new/opened/$name.dump" ] || [[ $name != education && $name != community ]] || continue
    "$PGBIN/pg_restore" --exit-on-error --no-owner --dbname="$(database_url "$name" owner)" "$new/opened/$name.dump" ||
      fail "the database $name could not be restored; nothing else was changed"
  done
  grant_to_processes
}
rename_databases() {
  local name
  for name in $DATABASES; do
    if [ -n "$(admin_sql -c "select 1 from pg_database where datname = 'seedup_$name'")" ]; then
      admin_sql -c "alter database seedup_$name rename to \"seedup_${name}_before_$1\""
    fi
    admin_sql -c "alter database seedup_${name}$DATABASE_SUFFIX rename to seedup_$name"
  done
}

look_at_it() {
  name_databases
  # Older backups have no community, whose database is made when it starts.
  [ "$(psql -qAtX "$BACKUP_COMMUNITY_URL" -c "select to_regclass('post') is not null" 2>/dev/null)" = t ] || unset BACKUP_COMMUNITY_URL
  "$TOOLS/check.sh" || fail "the restored databases do not belong together; they are in ${RUN#"$ROOT"/}, and nothing else was changed"
  if [ ! -x "$(binaries)/trading" ]; then say "the books are audited when the product runs: it is not built here yet"; return; fi
  local word
  for word in migrate audit; do
    RUN_DIR=$RUN DATABASE_SUFFIX=${DATABASE_SUFFIX:-} AUDIT_OUTBOX_AGE_S=1000000000 "$HERE/process.sh" trading $word >"$RUN/log/restore-$word.log" 2>&1 || {
      tail -n 20 "$RUN/log/restore-$word.log" >&2
      fail "the restored books are wrong; they are in ${RUN#"$ROOT"/}, and nothing else was changed"
    }
  done
  say "members, accounts and books agree"
}
