#!/usr/bin/env bash
# Takes one backup of an installation: take.sh FOLDER
# It needs PostgreSQL's client programs and these settings:
#   BACKUP_FORM              base (the default): all databases of one server as they were at one
#                            instant. dumps: each database by itself, wherever it is.
#   BACKUP_SERVER_URL        base: the server, as a role that may replicate
#   BACKUP_AUTH_URL …        dumps: each of SAVED_DATABASES (seal.sh), as the owner of its tables
#   BACKUP_SECRETS           a folder that belongs to the installation (keys, market seed), or nothing
#   BACKUP_FILES             where the files of pictures are: a folder, a bucket as in FILES_URL, or nothing
#   BACKUP_COMMUNITY         the program community, which copies them out of a bucket
#   BACKUP_PASSPHRASE_FILE   encrypts it
# The folder gets its name when everything in it is complete and on disk.
set -euo pipefail
shopt -s inherit_errexit
source "$(dirname "${BASH_SOURCE[0]}")/seal.sh"

folder=${1:?usage: take.sh FOLDER}
form=${BACKUP_FORM:-base}
[ ! -e "$folder" ] || wrong "$folder exists already"
partial=$folder.partial
# Of a bucket, until they are kept.
pictures=$folder.pictures.partial
trap 'rm -rf "$partial" "$pictures"' EXIT
trap 'exit 130' INT TERM
rm -rf "$partial" "$pictures"
mkdir -p "$partial"

sql() { psql -qAtX -v ON_ERROR_STOP=1 "$1" -c "$2"; }

# The slot, which ends with its session, keeps the log that the backup needs until it is read.
take_base() {
  coproc SLOT { psql -qAtX "$BACKUP_SERVER_URL"; }
  local slot_pid=$SLOT_PID held
  echo "select pg_create_physical_replication_slot('seedup_backup_' || pg_backend_pid(), true, true) is not null;" >&"${SLOT[1]}"
  read -r -t 30 held <&"${SLOT[0]}" && [ "$held" = t ] || wrong "the server gives no replication slot"
  wal_from=$(sql "$BACKUP_SERVER_URL" "select pg_walfile_name(pg_current_wal_lsn())")
  pg_basebackup --dbname="$BACKUP_SERVER_URL" --pgdata=- --format=tar --wal-method=fetch --checkpoint=fast \
    --compress=client-gzip:1 --manifest-checksums=SHA256 --label=seedup | keep "$partial/base.tar.gz" ||
    wrong "the server could not be copied"
  echo '\q' >&"${SLOT[1]}"
  wait "$slot_pid" || true
}

take_dumps() {
  local name url
  for name in $SAVED_DATABASES; do
    url=BACKUP_${name^^}_URL
    pg_dump --format=custom --compress=1 "${!url}" | keep "$partial/$name.dump" || wrong "the database $name could not be saved"
  done
}

wal_from=
began=$(date -u +%Y-%m-%dT%H:%M:%SZ)
case $form in
base) take_base ;;
dumps) take_dumps ;;
*) wrong "BACKUP_FORM is base or dumps" ;;
esac
if [ -n "${BACKUP_SECRETS:-}" ]; then
  tar -C "$BACKUP_SECRETS" --exclude="./.before-*" --owner=0 --group=0 -chf - . | keep "$partial/secrets.tar" || wrong "the secrets could not be saved"
fi
# After the databases: what is uploaded meanwhile has a file without a row, which does no harm. A file
# that is removed meanwhile was in no text for a week.
files=${BACKUP_FILES:-}
if [[ $files == *://* ]]; then
  [ -x "${BACKUP_COMMUNITY:-}" ] || wrong "the pictures are in $files: BACKUP_COMMUNITY must name the program that copies them"
  "$BACKUP_COMMUNITY" copy-files "$files" "file://$(realpath -m "$pictures")" >&2 || wrong "the pictures could not be copied out of $files"
  files=$pictures
fi
if [ -d "$files" ]; then
  states=(0 0)
  tar -C "$files" --owner=0 --group=0 --warning=no-file-changed --warning=no-file-removed -cf - . | keep "$partial/files.tar" || states=("${PIPESTATUS[@]}")
  # 1 is a file that changed or went away while it was read.
  [ "${states[0]}" -le 1 ] && [ "${states[1]}" = 0 ] || wrong "the pictures could not be saved"
fi
cat >"$partial/about" <<ABOUT
format=1
form=$form
began=$began
ended=$(date -u +%Y-%m-%dT%H:%M:%SZ)
postgres=$(pg_dump --version | grep -oE '[0-9]+' | head -1)
encrypted=$([ -n "$BACKUP_PASSPHRASE_FILE" ] && echo yes || echo no)
wal_from=$wal_from
ABOUT
(cd "$partial" && sha256sum -- * >../"${partial##*/}.sums" && mv ../"${partial##*/}.sums" SHA256SUMS)
sync "$partial"/* "$partial"
mv -T "$partial" "$folder"
sync "$(dirname "$folder")"
