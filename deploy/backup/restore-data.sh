#!/usr/bin/env bash
# Restores the data folder of a server that is stopped, the secrets and the pictures:
# restore-data.sh FOLDER DATA SECRETS FILES
# For servers in containers, as root or as the server's own user. UNTIL and WAL are as for
# deploy/local/backup.sh. Pictures never change: FILES gets those that it lacks. DATA and SECRETS get their new content when it was looked at; what was there
# stays in them as .before-TIME until somebody deletes it.
set -euo pipefail
shopt -s inherit_errexit
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$HERE/seal.sh"

folder=${1:?usage: restore-data.sh FOLDER DATA SECRETS FILES} data=${2:?} secrets=${3:?} files=${4:?}
[ ! -e "$data/postmaster.pid" ] || wrong "the server of $data runs, or was not stopped"
stamp=$(date -u +%Y%m%d-%H%M%S)
new=$data/.restoring
sockets=$(mktemp -d)
as=()
if [ "$(id -u)" = 0 ]; then as=(setpriv --reuid=postgres --regid=postgres --init-groups); chmod 711 "$sockets"; fi
server_is() { "${as[@]}" env PATH="$PATH" pg_ctl --silent -D "$new/data" "$@"; }
stop() { server_is stop -m fast >/dev/null 2>&1 || true; rm -rf "$sockets"; }
trap stop EXIT
trap 'exit 130' INT TERM

rm -rf "$new"
"$HERE/open.sh" "$folder" "$new"
[ -d "$new/data" ] || wrong "it holds dumps: restore them into a running server with 'make restore'"
mkdir -p "$new/wal" "$sockets/run"
[ ! -d "${WAL:-}" ] || "$HERE/fetch-wal.sh" "$WAL" "$new/wal"
"$HERE/recovery.sh" "$new/data" "$new/wal"
# While it is looked at, only this script reaches it, without a password; it takes nobody before it has
# repeated everything, and so needs none of the settings of the server it was copied from.
mv "$new/data/pg_hba.conf" "$new/pg_hba.conf"
echo 'local all all trust' >"$new/data/pg_hba.conf"
if [ "$(id -u)" = 0 ]; then chown -R postgres:postgres "$new/data" "$new/wal" "$sockets/run"; chmod 711 "$new"; fi
server_is start -w -t 3600 -l "$new/data/restore.log" -o "-c hot_standby=off -c listen_addresses= -c unix_socket_directories='$sockets/run'" ||
  { tail -n 20 "$new/data/restore.log" >&2; wrong "the copy does not start"; }

until pg_isready -q -h "$sockets/run"; do
  server_is status >/dev/null || { tail -n 20 "$new/data/restore.log" >&2; wrong "the changes could not be repeated"; }
  sleep 0.5
done
admin=$(psql -qAtX -h "$sockets/run" -U seedup_admin -d postgres -c 'select current_user' 2>/dev/null || echo postgres)
sql() { psql -qAtX -v ON_ERROR_STOP=1 -h "$sockets/run" -U "$admin" -d postgres -c "$1"; }
for name in $SAVED_DATABASES; do
  # Backups of before learning, and of before the community.
  [ "$(sql "select count(*) from pg_database where datname = 'seedup_$name'")" = 1 ] || [[ $name != education && $name != community ]] || continue
  declare -x "BACKUP_${name^^}_URL=postgresql:///seedup_$name?host=$sockets/run&user=seedup_${name}_owner"
done
"$HERE/check.sh" || wrong "the restored databases do not belong together; nothing was changed"
"$HERE/go-on.sh"
for setting in restore_command recovery_target recovery_target_time recovery_target_action; do sql "alter system reset $setting"; done
server_is stop -m fast
mv "$new/pg_hba.conf" "$new/data/pg_hba.conf"
if [ "$(id -u)" = 0 ]; then chown postgres:postgres "$new/data/pg_hba.conf"; fi

# Puts what was in a folder aside and another folder's content in its place: exchange FOLDER CONTENT
exchange() {
  mkdir -p "$1" "$1/.before-$stamp"
  find "$1" -mindepth 1 -maxdepth 1 ! -name '.before-*' ! -name .restoring -exec mv -t "$1/.before-$stamp" {} +
  find "$2" -mindepth 1 -maxdepth 1 -exec mv -t "$1" {} +
  rmdir "$1/.before-$stamp" 2>/dev/null || true
}
if [ -d "$new/secrets" ]; then
  # With another key phones renew their tokens, which only sessions of the backup can.
  rm -f "$new"/secrets/auth*.pem
  exchange "$secrets" "$new/secrets"
fi
if [ -d "$new/files" ]; then
  mkdir -p "$files"
  if [ "$(id -u)" = 0 ]; then chown -R --reference="$files" "$new/files"; fi
  cp -rnp "$new/files/." "$files/"
fi
exchange "$data" "$new/data"
rm -rf "$new"
