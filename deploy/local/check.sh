#!/usr/bin/env bash
# Formatting, lints and types of everything, and whether generated files are up to date.
set -euo pipefail
source "$(dirname "$0")/settings.sh"
HERE=$ROOT/deploy/local
export PROFILE=dev

"$HERE/install.sh"
cd "$ROOT/services"
say "rustfmt"
cargo fmt --all --check
say "clippy"
if [ "${RUSTC_WORKSPACE_WRAPPER:-}" = clippy-driver ]; then cargo build --workspace --all-targets --profile "$PROFILE"
else cargo clippy --workspace --all-targets --quiet -- -D warnings; fi
say "shell scripts"
for script in "$HERE"/*.sh "$ROOT"/deploy/{backup,check,new-service}/*.sh "$ROOT/.ci/run"; do bash -n "$script"; done
for script in "$ROOT"/deploy/bench/*.mjs; do node --check "$script"; done

say "every database is in every list"
"$ROOT/deploy/check/databases.sh"

say "migrations expand before they contract"
for script in "$ROOT"/deploy/check/*.mjs; do node --check "$script"; done
node --test "$ROOT/deploy/check/expand-only.test.mjs" >/dev/null || fail "deploy/check/expand-only.mjs fails its test: node --test deploy/check"
node "$ROOT/deploy/check/migrations.mjs"

say "containers, Kubernetes, alerts and dashboards"
"$ROOT/deploy/check-manifests.sh"

"$HERE/client.sh" install
cd "$ROOT/frontend"
say "types and lints of the client"
npm run --silent typecheck
npm run --silent lint
say "the client's API types against the gateway's document"
build_programs
"$(binaries)/gateway" openapi >"$ROOT/services/target/openapi.json"
npm run --silent check:api -- "$ROOT/services/target/openapi.json"
say "size of the first load"
"$HERE/client.sh"
npm run --silent check:size
