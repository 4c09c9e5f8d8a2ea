#!/usr/bin/env bash
# Restores the compose installation from a backup: restore-compose.sh FOLDER
# UNTIL=time (or `end`) repeats the changes that were kept (WAL=folder where they lie elsewhere);
# BACKUP_PASSPHRASE_FILE decrypts. On a new machine the folder and this repository are enough.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=$(cd "$HERE/../.." && pwd)
folder=$(realpath "${1:?usage: restore-compose.sh FOLDER}")
compose=(docker compose -f "$ROOT/deploy/compose.yaml" -f "$HERE/compose.yaml")
[ -z "$("${compose[@]}" ps --quiet)" ] || { echo "the installation runs: '${compose[*]} down' first" >&2; exit 1; }
kept=$ROOT/.run/backups/compose/wal
mounts=(-v "$HERE:/opt/backup:ro" -v "$folder:/backup:ro" -v seedup_postgres:/data -v "$ROOT/.run/compose/secrets:/secrets" -v seedup_files:/files)
wal=${WAL:-$kept}
if [ -d "$wal" ]; then mounts+=(-v "$(realpath "$wal"):/wal:ro"); fi
if [ -n "${BACKUP_PASSPHRASE_FILE:-}" ]; then
  mounts+=(-v "$(realpath "$BACKUP_PASSPHRASE_FILE"):/run/passphrase:ro" --env BACKUP_PASSPHRASE_FILE=/run/passphrase)
fi
mkdir -p "$ROOT/.run/compose/secrets"
chmod 700 "$ROOT/.run/compose/secrets"
docker run --rm --network none --env UNTIL --env WAL=/wal "${mounts[@]}" \
  postgres:15-bookworm /opt/backup/restore-data.sh /backup /data /secrets /files
# Queued messages are those of the time that was lost, and so are the changes that were kept.
docker volume rm --force seedup_rabbitmq >/dev/null
if [ -d "$kept" ]; then mv -T "$kept" "$kept.until-$(date -u +%Y%m%d-%H%M%S)"; fi
"$ROOT/deploy/compose/secrets.sh"
echo "restored from $folder"
