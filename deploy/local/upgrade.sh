#!/usr/bin/env bash
# Proves an upgrade and a rollback: the last release and this tree alternate on one separate
# installation, and a short proof of orders must pass on each.
#   1. the release begins, from nothing          4. the release comes back (rollback)
#   2. it goes on while the schema is migrated   5. this tree again
#   3. this tree goes on with what it left
# Environment: BASE (a revision; without it the newest tag v*, or else the commit that noted the
# released migrations), SEED, OPERATIONS (of each proof).
set -euo pipefail
export INSTANCE=proof DURABLE=no PROFILE=${PROFILE:-dev}
source "$(dirname "$0")/load.sh"
SEED=${SEED:-$(($(date +%s) % 100000))}
OPERATIONS=${OPERATIONS:-1500}
own_servers "both releases run on servers of their own"
ASKED=${BASE:-}
BASE=${BASE:-$(git -C "$ROOT" describe --tags --abbrev=0 --match 'v*' 2>/dev/null || git -C "$ROOT" log -1 --format=%H -- deploy/released.sha256)}
revision=$(git -C "$ROOT" rev-parse --verify --quiet "$BASE^{commit}") || fail "there is no revision '$BASE' here"
BASE_TREE=$ROOT/.run/upgrade/${revision:0:12}
PROGRAMS="$PROCESSES mail-sink proof"

# The release's own sources, scripts and programs on the data of this installation. Dependencies
# that both have in common are compiled once.
build_base() {
  mkdir -p "$BASE_TREE/.run"
  ln -sfn "$RUN" "$BASE_TREE/.run/$INSTANCE"
  [ ! -e "$BASE_TREE/built" ] || return 0
  say "building the release ${revision:0:12}"
  git -C "$ROOT" archive "$revision" | tar -x -C "$BASE_TREE"
  # Cargo names what it builds by package and version, not by folder: with one version the release
  # would be linked with this tree's crates.
  sed -i -E "/^\[workspace.package\]/,/^\[/ s/^version = \"([^\"+]*).*\"/version = \"\1+${revision:0:12}\"/" "$BASE_TREE/services/Cargo.toml"
  # A process that the release has not yet is left out.
  local name programs=()
  for name in $PROGRAMS; do
    if compgen -G "$BASE_TREE/services/*/$name" >/dev/null; then programs+=(-p "$name"); fi
  done
  (cd "$BASE_TREE/services" && CARGO_TARGET_DIR=$(dirname "$(binaries)") cargo build "${programs[@]}" --bins --profile "$PROFILE")
  local folder=$BASE_TREE/target/$(basename "$(binaries)")
  mkdir -p "$folder"
  for name in $PROGRAMS; do [ ! -x "$(binaries)/$name" ] || cp "$(binaries)/$name" "$folder/"; done
  touch "$BASE_TREE/built"
}
build_this() {
  local name programs=()
  for name in $PROGRAMS; do programs+=(-p "$name"); done
  say "building this tree"
  (cd "$ROOT/services" && cargo build "${programs[@]}" --bins --profile "$PROFILE")
}

# in_base COMMAND...: one of the release's scripts or programs, which finds the others of its kind.
in_base() { CARGO_TARGET_DIR=$BASE_TREE/target "$@"; }
base_runs() { in_base "$BASE_TREE/deploy/local/stack.sh" start; }
# Each stops what it has started: how they note their processes may differ.
base_ends() { in_base "$BASE_TREE/deploy/local/stack.sh" down; }
this_runs() { "$HERE/stack.sh" start; }
this_ends() { "$HERE/stack.sh" down; }
before_stop() { base_ends >/dev/null 2>&1 || true; }

# Whose data it is may have changed; the programs must be those of the release that runs.
# proof_of PROGRAMS OFFSET-OF-THE-SEED
proof_of() {
  local log=$RUN/log/upgrade-$2.log
  TRADING_URL=http://127.0.0.1:$TRADING_PORT DATABASE_URL=$(database_url trading owner) AMQP_URL=$AMQP_URL PUBLIC_ORIGIN=$PUBLIC_ORIGIN \
    SISE_ORIGIN=$SISE_ORIGIN PROOF_SEED=$((SEED + $2)) PROOF_OPERATIONS=$OPERATIONS PROOF_SECONDS_MAX=120 PROOF_CLIENTS=12 \
    PROOF_PHONES=4 RUST_LOG=warn "$1/proof" orders >"$log" 2>&1 || { tail -n 30 "$log" >&2; fail "the proof failed; see ${log#"$ROOT"/}"; }
  grep '^proof: .* operations in' "$log"
  DATABASE_URL=$(database_url trading owner) RUST_LOG=warn "$1/proof" books >>"$log" 2>&1 ||
    { tail -n 30 "$log" >&2; fail "the books do not add up; see ${log#"$ROOT"/}"; }
}
base_proof() { proof_of "$(in_base binaries)" "$1"; }
this_proof() { proof_of "$(binaries)" "$1"; }

migrate() {
  local name
  for name in $PROCESSES; do
    [ -n "${DATABASE_OF[$name]:-}" ] || continue
    "$HERE/process.sh" "$name" migrate >"$RUN/log/$name-migrate.log" 2>&1 ||
      { tail -n 15 "$RUN/log/$name-migrate.log" >&2; fail "the database of $name could not be migrated"; }
  done
}
versions() { (cd "$1" && ls services/*/*/migrations/*.sql) | sort; }

export INITIAL_DEPOSIT_WON=50000000
"$HERE/install.sh"
load_urls
build_base
build_this
newer=$(comm -13 <(versions "$BASE_TREE") <(versions "$ROOT") | wc -l)
[ "$newer" -gt 0 ] || [ -n "$ASKED" ] ||
  fail "this tree has no migration that the release ${revision:0:12} has not: name an older one as BASE"
say "release ${revision:0:12}, $newer migrations since, seed $SEED"
trap stop EXIT
trap 'exit 130' INT TERM
"$HERE/stack.sh" reset >/dev/null
load_urls

say "1: the release begins"
base_runs
base_proof 1
say "2: the release goes on while the schema becomes this tree's"
migrate
base_proof 2
base_ends
say "3: this tree goes on"
this_runs
this_proof 3
this_ends
say "4: rollback"
base_runs
base_proof 4
base_ends
say "5: this tree again"
this_runs
this_proof 5
say "both releases work on each other's schema and data"
