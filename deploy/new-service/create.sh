#!/usr/bin/env bash
# Makes the smallest service, with one call, one table and one event: create.sh NAME NUMBER [FOLDER]
# NUMBER chooses its ports (of 5: 9105 and 9205, on one machine 27505 and 27605). FOLDER is the top
# of the repository. ARCHITECTURE.md says what comes next.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
name=${1:-} number=${2:-} root=${3:-$here/../..}
fail() { echo "create.sh: $*" >&2; exit 2; }
[[ $name =~ ^[a-z]+$ && $number =~ ^[0-9]+$ ]] || fail "a NAME of small letters and a NUMBER are needed"
service=$root/services/main/$name
[ ! -e "$service" ] || fail "$service exists"
listen_port=$((9100 + number)) admin_port=$((9200 + number))

mkdir -p "$root/services/main" "$root/proto/seedup/$name/v1"
cp -r "$here/template/service" "$service"
cp "$here/template/service.proto" "$root/proto/seedup/$name/v1/service.proto"
# What all services have alike is said once, and copied because a released migration never changes.
mkdir -p "$service/migrations"
cat "$root/services/crates/bootstrap/schema/outbox.sql" "$here/template/note.sql" \
  >"$service/migrations/$(date -u +%Y%m%d%H%M%S)_create_notes.sql"
find "$service" "$root/proto/seedup/$name" -type f -exec \
  sed -i "s/sample/$name/g; s/Sample/${name^}/g; s/LISTEN_PORT/$listen_port/; s/ADMIN_PORT/$admin_port/" {} +

# Adds a line to a list, before or after the line that matches: listed FILE before|after PATTERN LINE
listed() {
  local file=$root/$1
  grep -q -- "$3" "$file" || fail "$1 has no line $3"
  case $2 in
  before) sed -i "0,/$3/s/$3/$4\n&/" "$file" ;;
  after) sed -i "0,/$3/s/$3/&\n$4/" "$file" ;;
  esac
}
listed services/Cargo.toml before '    "sise\/market-data",' "    \"main\/$name\","
listed services/crates/proto/src/lib.rs after 'packages! {' "    $name"
listed services/crates/proto/tests/newer.rs after '^messages! {' "    $name: AddNoteRequest Note NoteAdded;"
listed deploy/local/settings.sh after '^runs trading .*' \
  "runs $name \"\$(port $((27500 + number)))\" \"\$(port $((27600 + number)))\" $name"
