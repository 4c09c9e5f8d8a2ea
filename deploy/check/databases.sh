#!/usr/bin/env bash
# Whether every process and database of deploy/local/settings.sh is in the lists that cannot be made of
# it, because containers and a cluster read them where that file is not.
set -euo pipefail
source "$(dirname "$0")/../local/settings.sh"
cd "$ROOT"
missing=0
# named NAME PATTERN FILE...: each file has a line that matches
named() {
  local name=$1 pattern=$2 file
  shift 2
  for file in "$@"; do
    grep -qE -- "$pattern" "$file" || { echo "$file: $name is missing" >&2; missing=1; }
  done
}
for name in $DATABASES; do
  named "$name" "for name in( [a-z]+)* $name( [a-z]+)*;" deploy/compose/databases.sh deploy/compose/secrets.sh k8s/secrets.sh
  named "$name" "^SAVED_DATABASES=\"([a-z]+ )*$name( [a-z]+)*\"" deploy/backup/seal.sh
  named "$name" "BACKUP_${name^^}_URL" deploy/backup/go-on.sh deploy/backup/kubernetes.yaml
  named "$name" "rights_of $name\)" deploy/backup/check.sh
  named "$name" "for \(const name of .*'$name'" deploy/check/cluster.mjs
done
for name in $PROCESSES; do
  named "$name" "absent\(up\{job=\"seedup\",process=\"$name\"\}\)" deploy/observability/alerts.yaml
done
exit "$missing"
