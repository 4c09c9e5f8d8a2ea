#!/usr/bin/env bash
# Makes the smallest service in a copy of what it needs and compiles it with its tests: test.sh [COMMAND]
# COMMAND is what cargo does with it (`check`); `test` needs the servers of the tests.
set -euo pipefail
source "$(dirname "$0")/../local/settings.sh"
here=$ROOT/deploy/new-service
folder=$(mktemp -d "${TMPDIR:-/tmp}/new-service-XXXXXX")
trap 'rm -rf "$folder"' EXIT

mkdir -p "$folder/services" "$folder/deploy/local"
cp -r "$ROOT/proto" "$folder/"
cp -r "$ROOT"/services/{crates,tools,Cargo.toml,Cargo.lock,clippy.toml} "$folder/services/"
cp "$ROOT/deploy/local/settings.sh" "$folder/deploy/local/"
"$here/create.sh" sketch 9 "$folder"

files=$(cd "$folder" && find services/main/sketch proto/seedup/sketch -type f | wc -l)
[ "$files" -lt 12 ] || fail "the smallest service has $files files"
for list in services/Cargo.toml services/crates/proto/src/lib.rs services/crates/proto/tests/newer.rs deploy/local/settings.sh; do
  added=$(diff "$ROOT/$list" "$folder/$list" | grep -c '^>') || true
  [ "$added" = 1 ] || fail "the smallest service adds $added lines to $list"
done
[[ $(INSTANCE=local bash -c 'source "$0"; echo "$PROCESSES ${PORT[sketch]} ${DATABASE_OF[sketch]}"' "$folder/deploy/local/settings.sh") == *" sketch "*"27509 sketch" ]] ||
  fail "the smallest service does not run with the others"

# The crates and the service alone. Cargo names what it builds by package and version, not by folder:
# with the version of the repository its crates would take the place of those.
cd "$folder/services"
sed -i -E '/^    "(main|sise)\//{/"main\/sketch"/!d}; /^    "tools\/(proof|mail-sink)"/d; /^version = / s/"$/+sketch"/
  /^\[profile.dev.package.market-data\]/,/^$/d' Cargo.toml
CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$ROOT/services/target} cargo "${1:-check}" --quiet --offline -p sketch --all-targets
