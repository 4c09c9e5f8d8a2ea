#!/usr/bin/env bash
# Verifies and unpacks a backup: open.sh FOLDER TO
# TO gets `about`, `secrets/`, `files/` (of pictures) and either `data/` (a server's folder) or a dump of each database.
set -euo pipefail
shopt -s inherit_errexit
source "$(dirname "${BASH_SOURCE[0]}")/seal.sh"

folder=${1:?usage: open.sh FOLDER TO} to=${2:?usage: open.sh FOLDER TO}
[ -s "$folder/SHA256SUMS" ] && [ -s "$folder/about" ] || wrong "$folder is no backup, or none that was completed"
(cd "$folder" && sha256sum --check --strict --quiet SHA256SUMS) || wrong "$folder is damaged"
about() { sed -n "s/^$1=//p" "$folder/about"; }
[ "$(about format)" = 1 ] || wrong "$folder has a format of another release"
has() { [ -e "$folder/$1" ] || [ -e "$folder/$1.gpg" ]; }

mkdir -p "$to"
cp "$folder/about" "$to/about"
case $(about form) in
base)
  [ "$(postgres --version 2>/dev/null | grep -oE '[0-9]+' | head -1)" = "$(about postgres)" ] ||
    wrong "it is a copy of a server of PostgreSQL $(about postgres), which is not installed"
  mkdir "$to/data"
  reveal "$folder/base.tar.gz" | tar -C "$to/data" -xzf - || wrong "the server's copy in $folder cannot be unpacked"
  pg_verifybackup --quiet "$to/data" || wrong "the server's copy in $folder is damaged"
  ;;
dumps)
  for name in $SAVED_DATABASES; do
    # Backups of before learning, and of before the community.
    [[ $name != education && $name != community ]] || has $name.dump || continue
    reveal "$folder/$name.dump" >"$to/$name.dump"
    pg_restore --list "$to/$name.dump" >/dev/null || wrong "the dump of $name in $folder is damaged"
  done
  ;;
*) wrong "$folder has a form of another release" ;;
esac
if has secrets.tar; then
  mkdir "$to/secrets"
  reveal "$folder/secrets.tar" | tar -C "$to/secrets" -xf - || wrong "the secrets in $folder cannot be unpacked"
fi
if has files.tar; then
  mkdir "$to/files"
  reveal "$folder/files.tar" | tar -C "$to/files" -xf - || wrong "the pictures in $folder cannot be unpacked"
fi
