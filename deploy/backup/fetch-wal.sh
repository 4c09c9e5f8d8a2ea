#!/usr/bin/env bash
# Copies the changes that schedule.sh kept to where a server can read them: fetch-wal.sh FROM TO
set -euo pipefail
shopt -s inherit_errexit
source "$(dirname "${BASH_SOURCE[0]}")/seal.sh"

from=${1:?usage: fetch-wal.sh FROM TO} to=${2:?usage: fetch-wal.sh FROM TO}
for file in "$from"/*; do
  name=$(basename "$file" .gpg)
  [[ $name =~ ^[0-9A-F]{8}([0-9A-F]{16}|\.history) ]] || continue
  case $name in
  # The newest is written on until the server is gone.
  *.partial) [ -e "$to/${name%.partial}" ] || cp "$file" "$to/${name%.partial}" ;;
  *) reveal "$from/$name" >"$to/$name" ;;
  esac
done
