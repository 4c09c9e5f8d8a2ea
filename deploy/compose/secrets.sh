#!/usr/bin/env bash
# Makes the secrets of the compose installation, once: random passwords, the addresses that contain
# them, and the keys that sign tokens and pushes. They lie under .run/compose/secrets, which git ignores.
# Settings that are secrets are kept too: SMTP_URL, by which mails leave (without it they stay in the
# mail sink), and ALERT_WEBHOOK_URL, which alerts are sent to. Said anew they replace what was kept.
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/.run/compose/secrets
mkdir -p "$folder"
# Only the folder keeps others out: the containers' users must be able to read the files.
chmod 700 "$folder"
cd "$folder"

keep() { # keep NAME: writes standard input to the file, unless it is there
  if [ ! -s "$1" ]; then cat >"$1.new" && chmod 444 "$1.new" && mv "$1.new" "$1"; else cat >/dev/null; fi
}
setting() { # setting NAME VALUE DEFAULT: keeps the value, or the default where there was none yet
  if [ -n "$2" ] || [ ! -e "$1" ]; then
    printf '%s' "${2:-$3}" >"$1.new" && chmod 444 "$1.new" && mv -f "$1.new" "$1"
  fi
}
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

for name in postgres-password postgres-monitor redis-password rabbitmq-password; do random | keep $name; done
od -An -N32 -tx1 /dev/urandom | tr -d ' \n' | keep market-seed
for name in auth trading market education community; do
  for role in owner app; do
    random | keep "postgres-$name-$role"
    printf 'postgres://seedup_%s_%s:%s@postgres:5432/seedup_%s' $name $role "$(cat "postgres-$name-$role")" $name | keep "url-$name-$role"
  done
done
printf 'redis://:%s@redis:6379/0' "$(cat redis-password)" | keep url-redis
printf 'requirepass %s\n' "$(cat redis-password)" | keep redis.conf
printf 'amqp://seedup:%s@rabbitmq:5672/%%2f' "$(cat rabbitmq-password)" | keep url-amqp
printf 'default_user = seedup\ndefault_pass = %s\n' "$(cat rabbitmq-password)" | keep rabbitmq-user.conf
setting url-smtp "${SMTP_URL:-}" smtp://mail-sink:2525
setting alert-webhook-url "${ALERT_WEBHOOK_URL:-}" ""
for name in auth market-data; do openssl genpkey -algorithm ed25519 2>/dev/null | keep "$name-signing.pem"; done
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 2>/dev/null | keep push.pem
echo "the secrets are in ${folder}"
