#!/usr/bin/env bash
# Tests backups on a separate installation: members join, order, renew and like during and after a
# backup; then everything is deleted and restored from the backup's folder alone. No row may belong
# to another member, requests from before the backup must get the same reply, and no id that was
# ever issued may be issued again.
# Environment: ROUNDS (2; every second one saves encrypted dumps, the last goes to a point in time),
# PROFILE (dev), BUILD=no, LOAD_S (4: seconds of load before and after the backup).
set -euo pipefail
INSTANCE=${INSTANCE:-e2e} PROFILE=${PROFILE:-dev}
export INSTANCE PROFILE DURABLE=${DURABLE:-no}
source "$(dirname "$0")/load.sh"
ROUNDS=${ROUNDS:-2}
LOAD_S=${LOAD_S:-4}
own_servers "a test throws its servers away"
WORK=$ROOT/.run/backup-test
LOAD=$ROOT/deploy/backup/load.mjs
export PUBLIC_ORIGIN
# Where a schedule of the installation keeps things is not where the test looks.
export BACKUP_FOLDER=$WORK/kept

milliseconds() { date +%s%3N; }
sql() { psql -qAtX -v ON_ERROR_STOP=1 "$@"; }
backup() { "$HERE/backup.sh" "$@"; }
refused() { # WHAT COMMAND...: the command fails
  local what=$1
  shift
  if "$@" >"$WORK/out" 2>&1; then fail "$what was not refused"; fi
}

begin_load() {
  rm -f "$WORK/until" "$WORK/state.json"
  node "$LOAD" run "$WORK/state.json" "$WORK/until" &
  load=$!
  sleep "$LOAD_S"
}
end_load() {
  sleep "$LOAD_S"
  touch "$WORK/until"
  wait "$load" || fail "the load failed"
  load=
}

mails_to() { { grep -rlisE "^to:.*$1" "$RUN/mail" || true; } | wc -l; }
has_mail() { [ "$(mails_to "$1")" -ge 1 ]; }
# One whose mail has left, one whose mail waits, and one who asks after the backup.
join_for_mail() {
  local name
  for name in sent waits late; do
    curl -fsS -o /dev/null -X POST "$PUBLIC_ORIGIN/api/v1/auth/join" -H 'Content-Type: application/json' \
      -d "{\"email\":\"$name$1@example.com\",\"password\":\"correct horse battery\",\"nickname\":\"$name$1\",
        \"birthYear\":1999,\"termsAgreed\":true,\"privacyAgreed\":true,\"age14\":true}"
  done
  node "$LOAD" ask-mail "sent$1@example.com"
  wait_until mail 30 has_mail "sent$1" || fail "no mail was sent"
  kill -TERM "$(pid_of mail)"
  wait_until "the mail server's end" 10 mail_is_away
  node "$LOAD" ask-mail "waits$1@example.com"
}
mail_is_away() { ! supervised mail; }
mails_told_apart() {
  wait_until mail 60 has_mail "waits$1" || fail "a mail that waited was not sent after the restore"
  sleep 3
  local counts
  counts="$(mails_to "sent$1") $(mails_to "waits$1") $(mails_to "late$1")"
  [ "$counts" = "0 1 0" ] || fail "mails sent, waiting and late: $counts and not 0 1 0"
}

# Only the folder of the backup is left.
throw_away() {
  node "$LOAD" prices "$WORK/prices.json"
  "$HERE/stack.sh" down
  rm -rf "$RUN" "$ROOT/.run/$INSTANCE".{before-*,restoring}
}

# What only grows can be added to, and nothing else, by the role of the running process.
rights_are_kept() {
  local table
  for table in journal entry fill order_event; do
    refused "a change of $table" sql "$(database_url trading app)" -c "delete from $table"
    grep -q "permission denied" "$WORK/out" || fail "$table is protected by its trigger alone: $(cat "$WORK/out")"
  done
}

# An incomplete backup is rejected before anything is changed.
damage_is_seen() {
  local damaged=$WORK/damaged before file
  before=$(find "$RUN" -maxdepth 2 | sort | md5sum)
  for file in "$1"/*; do
    rm -rf "$damaged"
    cp -r "$1" "$damaged"
    printf 'x' | dd of="$damaged/${file##*/}" bs=1 seek=$(($(stat -c %s "$file") / 2)) conv=notrunc status=none
    refused "a damaged ${file##*/}" backup restore "$damaged"
    [ "$(find "$RUN" -maxdepth 2 | sort | md5sum)" = "$before" ] || fail "a refused backup changed the installation"
  done
  rm -rf "$damaged" "$ROOT/.run/$INSTANCE.restoring"
}

# As containers are restored: into the folders of a server and of its secrets, over what is there.
containers_are_restored() {
  local at
  at=$(mktemp -d)
  chmod 711 "$at"
  mkdir "$at/data" "$at/secrets"
  touch "$at/data/of-before" "$at/secrets/of-before"
  "$ROOT/deploy/backup/restore-data.sh" "$1" "$at/data" "$at/secrets" "$at/files"
  [ -s "$at/data/PG_VERSION" ] && [ -s "$at/secrets/market-seed" ] || fail "the server or its secrets were not restored"
  [ ! -e "$at/secrets/auth.pem" ] && [ ! -e "$at/data/of-before" ] || fail "what is of before stays in use"
  [ -e "$at"/data/.before-*/of-before ] && [ -e "$at"/secrets/.before-*/of-before ] || fail "what was there is gone"
  rm -rf "$at"
}

# Dumps go into a server that somebody names, beside the databases there.
named_server_is_restored() (
  say "into a named server"
  export INSTANCE=replay
  source "$HERE/settings.sh"
  rm -rf "$RUN"
  "$HERE/servers.sh" postgres
  trap 'INSTANCE=replay "$HERE/servers.sh" down; rm -rf "$ROOT/.run/replay" "$ROOT/.run/bench"{,.*}' EXIT
  load_urls
  export DATABASE_URL=$SERVER_DATABASE_URL INSTANCE=bench
  for time in first second; do "$HERE/backup.sh" restore "$1"; done
  [ "$(sql "$DATABASE_URL" -c "select count(*) from pg_database where datname ~ '^seedup_(auth|trading|market|education|community)(_before_.*)?$'")" = 10 ] ||
    fail "$time: the databases of before are not beside those restored"
)

# The check of members is itself checked.
strangers_are_seen() {
  local url
  load_urls
  url=$(database_url market owner)
  export BACKUP_TRADING_URL BACKUP_MARKET_URL=$url BACKUP_AUTH_URL BACKUP_EDUCATION_URL BACKUP_COMMUNITY_URL
  BACKUP_TRADING_URL=$(database_url trading owner)
  BACKUP_AUTH_URL=$(database_url auth owner)
  BACKUP_EDUCATION_URL=$(database_url education owner)
  BACKUP_COMMUNITY_URL=$(database_url community owner)
  "$ROOT/deploy/backup/check.sh" || fail "the databases do not belong together"
  sql "$url" -c "insert into search_history values (777777777777, 'STOCK', 'x', now())"
  refused "a like of nobody" "$ROOT/deploy/backup/check.sh"
  sql "$url" -c "delete from search_history where member_id = 777777777777"
  url=$BACKUP_TRADING_URL
  sql "$url" -c "grant update on entry to seedup_trading_app"
  refused "a ledger that can be changed" "$ROOT/deploy/backup/check.sh"
  sql "$url" -c "revoke update on entry from seedup_trading_app"
}

# Who holds what is counted by market-data from events, of which some were on their way.
holders_agree() {
  local rows="md5(coalesce(string_agg(row::text, ' ' order by row::text), ''))"
  [ "$(sql "$(database_url market owner)" -c "select $rows from (select member_id, code, quantity::numeric(28, 8) from item_holder where quantity > 0) row")" = \
    "$(sql "$(database_url trading owner)" -c "select $rows from (select member_id, instrument_code, sum(quantity)::numeric(28, 8)
      from holding group by 1, 2 having sum(quantity) > 0) row")" ]
}

look_at_restored() { # FROM TO
  load_urls
  wait_until holders 30 holders_agree || fail "market-data counts other holders than the books do"
  node "$LOAD" same-market "$WORK/prices.json" || fail "prices jumped"
  node "$LOAD" check "$WORK/state.json" "$1" "$2" || fail "the restored product answers otherwise"
  rights_are_kept
  "$HERE/process.sh" trading audit
}

# One backup under load, and the restore of it.
round() {
  local number=$1 folder=$WORK/backup-$1 from to
  unset BACKUP_PASSPHRASE_FILE BACKUP_FORM
  if [ $((number % 2)) = 0 ]; then
    echo "round $number" >"$WORK/passphrase"
    export BACKUP_FORM=dumps BACKUP_PASSPHRASE_FILE=$WORK/passphrase
  fi
  say "round $number of $ROUNDS (${BACKUP_FORM:-base})"
  join_for_mail "r$number"
  begin_load
  from=$(milliseconds)
  backup save "$folder"
  to=$(milliseconds)
  node "$LOAD" ask-mail "later$number@example.com"
  end_load
  [ -z "$(find "$folder" -perm /077)" ] || fail "others may read the backup"
  if [ -n "${BACKUP_FORM:-}" ]; then
    BACKUP_PASSPHRASE_FILE='' refused "an encrypted backup without its passphrase" "$ROOT/deploy/backup/open.sh" "$folder" "$WORK/opened"
    rm -rf "$WORK/opened"
    [ "$number" != 2 ] || named_server_is_restored "$folder"
  fi
  refused "a restore of what runs" backup restore "$folder"
  if [ "$number" = 1 ]; then
    strangers_are_seen
    "$HERE/stack.sh" down
    damage_is_seen "$folder"
    containers_are_restored "$folder"
    "$HERE/stack.sh" start
  fi
  throw_away
  backup restore "$folder"
  "$HERE/stack.sh" start
  mails_told_apart "r$number"
  look_at_restored "$from" "$to"
  rm -rf "$folder"
}

# The schedule's last backup, and what was changed until an instant after it.
point_in_time() {
  say "to a point in time"
  unset BACKUP_FORM
  echo "changes" >"$WORK/passphrase"
  export BACKUP_PASSPHRASE_FILE=$WORK/passphrase
  local until at
  load_urls
  BACKUP_EVERY_H=1 "$HERE/stack.sh" start
  wait_until "the first backup" 120 has_backup || fail "the schedule took no backup; see .run/$INSTANCE/log/backups.log"
  begin_load
  # What is complete is encrypted; the rest is read as it is.
  sql "$SERVER_DATABASE_URL" -c 'select pg_switch_wal()' >/dev/null
  wait_until "an encrypted change" 60 has_encrypted_change || fail "complete changes are not encrypted"
  sleep 1
  at=$(milliseconds)
  until=$(date -u -d "@${at%???}.${at: -3}" '+%Y-%m-%d %H:%M:%S.%3N+00')
  end_load
  throw_away
  UNTIL=$until backup restore "$(latest_backup)"
  "$HERE/stack.sh" start
  look_at_restored "$at" "$at"
}
has_encrypted_change() { compgen -G "$BACKUP_FOLDER/wal/*.gpg" && ! compgen -G "$BACKUP_FOLDER/wal/0???????????????????????"; }
# The comparison of prices is itself checked: with another seed they go on from elsewhere.
another_seed_is_another_market() {
  "$HERE/stack.sh" down
  od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >"$RUN/secrets/market-seed"
  "$HERE/stack.sh" start
  refused "another market" node "$LOAD" same-market "$WORK/prices.json"
  cat "$WORK/out"
}

# Pictures in a bucket come back into one that has lost them.
pictures_in_a_bucket() {
  say "pictures in a bucket"
  unset BACKUP_FORM BACKUP_PASSPHRASE_FILE
  "$HERE/stack.sh" down
  begin_bucket
  export FILES_URL=s3://pictures/of/seedup AWS_REGION=here AWS_ACCESS_KEY_ID=key AWS_SECRET_ACCESS_KEY=secret AWS_ENDPOINT
  "$HERE/stack.sh" start
  node "$LOAD" upload "$WORK/picture.json"
  AWS_ENDPOINT=http://127.0.0.1:1 refused "a bucket that is away" backup save "$WORK/in-bucket"
  [ -z "$(find "$WORK" -name 'in-bucket*')" ] || fail "something is left of a backup that failed"
  backup save "$WORK/in-bucket"
  throw_away
  end_bucket
  begin_bucket
  backup restore "$WORK/in-bucket"
  [ ! -e "$RUN/files" ] || fail "the pictures are on the disk, too"
  "$HERE/stack.sh" start
  node "$LOAD" picture "$WORK/picture.json" || fail "the bucket has not all pictures"
  "$HERE/stack.sh" down
  end_bucket
  unset FILES_URL AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_ENDPOINT
}
begin_bucket() {
  rm -f "$WORK/bucket"
  node "$ROOT/deploy/backup/bucket.mjs" "$WORK/bucket" &
  load=$!
  wait_until "the bucket" 10 test -s "$WORK/bucket" || fail "no bucket"
  AWS_ENDPOINT=$(cat "$WORK/bucket")
}
end_bucket() {
  kill -TERM "$load"
  wait "$load" || true
  load=
}

# WAL with a gap, or of another server, is never mixed with the archived WAL.
gaps_begin_anew() {
  say "changes with a gap"
  rm -rf "$RUN" "$BACKUP_FOLDER"
  "$HERE/servers.sh" postgres
  load_urls
  keep_changes 1
  sql "$SERVER_DATABASE_URL" -c "alter system set max_slot_wal_keep_size = '16MB'" -c 'select pg_reload_conf()' >/dev/null
  for _ in 1 2 3 4 5 6; do sql "$SERVER_DATABASE_URL" -c "select pg_logical_emit_message(true, 'x', repeat('x', 1000000))" -c 'select pg_switch_wal()' -c checkpoint >/dev/null; done
  keep_changes 2
  "$HERE/servers.sh" down
  rm -rf "$RUN"
  "$HERE/servers.sh" postgres
  keep_changes 3
}
# The schedule begins, and leaves so many backups and as many beginnings of changes: keep_changes NUMBER
keep_changes() {
  "$HERE/backup.sh" schedule >>"$RUN/log/schedule.log" 2>&1 &
  load=$!
  wait_until "backup $1" 60 has_kept "$1" || fail "$1 backups and beginnings of changes were expected: $(cat "$RUN/log/schedule.log")"
  kill -TERM "$load"
  wait "$load" || true
  load=
}
has_kept() { [ "$(find "$BACKUP_FOLDER" -name about | wc -l)" = "$1" ] && [ "$(find "$BACKUP_FOLDER" -maxdepth 1 -name 'wal*' | wc -l)" = "$1" ]; }

latest_backup() { find "$BACKUP_FOLDER" -mindepth 2 -maxdepth 2 -name about -printf '%h\n' | sort | tail -1; }
has_backup() { [ -n "$(latest_backup)" ]; }

if [ "${BUILD:-yes}" != no ]; then
  "$HERE/install.sh"
  build_programs
fi
rm -rf "$WORK"
mkdir -p "$WORK"
trap stop EXIT
trap 'exit 130' INT TERM
"$HERE/stack.sh" reset >/dev/null
"$HERE/stack.sh" start
for ((number = 1; number <= ROUNDS; number++)); do round "$number"; done
point_in_time
another_seed_is_another_market
pictures_in_a_bucket
gaps_begin_anew
"$HERE/servers.sh" down
rm -rf "$WORK" "$RUN" "$ROOT/.run/$INSTANCE".{before-*,restoring}
say "$ROUNDS restores and one to a point in time: nothing was another's, nothing was given out twice"
