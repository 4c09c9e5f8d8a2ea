#!/usr/bin/env bash
# Makes the secrets of an installation in a cluster, once: random passwords, the addresses that contain
# them, and the keys that sign tokens. Those that are there already stay as they are.
#   SMTP_URL=smtps://… ALERT_WEBHOOK_URL=https://… k8s/secrets.sh            into the cluster of kubectl
#   k8s/secrets.sh --print                                                   to standard output
# Servers of somebody else: make seedup-*-database and seedup-servers by hand instead.
set -euo pipefail
SERVERS=seedup-servers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Nothing is made before all is known that is needed.
[ "${1:-}" != --print ] && kubectl -n seedup get secret seedup-servers >/dev/null 2>&1 ||
  : "${SMTP_URL:?by which mails leave, as smtps://user:password@host}"
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
key() { openssl genpkey -algorithm ed25519 2>/dev/null; }

print=${1:-}
put() { # put NAMESPACE NAME TYPE KEY=VALUE...: a value that begins with @ is a file
  local namespace=$1 name=$2 type=$3 pair value
  shift 3
  {
    printf -- '---\napiVersion: v1\nkind: Secret\nmetadata: {name: %s, namespace: %s}\ntype: %s\ndata:\n' "$name" "$namespace" "$type"
    for pair in "$@"; do
      value=${pair#*=}
      if [[ $value == @* ]]; then value=$(base64 -w0 "${value#@}"); else value=$(printf '%s' "$value" | base64 -w0); fi
      printf '  %s: %s\n' "${pair%%=*}" "$value"
    done
  } >"$work/secret.yaml"
  if [ "$print" = --print ]; then cat "$work/secret.yaml"
  elif kubectl -n "$namespace" get secret "$name" >/dev/null 2>&1; then echo "$namespace/$name stays"
  else kubectl create -f "$work/secret.yaml"; fi
}
is_there() { [ "$print" != --print ] && kubectl -n "$1" get secret "$2" >/dev/null 2>&1; }
# Secrets share passwords, and an earlier run may have been cut off between them: what is there counts.
password() { # password NAME KEY [PREFIX]: that of a server's secret, or a new one
  if ! is_there $SERVERS "$1"; then random; return; fi
  local value
  value=$(kubectl -n $SERVERS get secret "$1" -o "jsonpath={.data.${2//./\\.}}" | base64 -d)
  printf '%s' "${value#"${3:-}"}"
}

if [ "$print" != --print ]; then
  for namespace in seedup seedup-servers seedup-monitoring; do kubectl get namespace "$namespace" >/dev/null 2>&1 || kubectl create namespace "$namespace"; done
fi
for name in auth trading market education community; do
  if is_there seedup "seedup-$name-database"; then echo "the database of $name has its secrets"; continue; fi
  owner=$(password "seedup-$name-owner" password) app=$(password "seedup-$name-app" password)
  put $SERVERS "seedup-$name-owner" kubernetes.io/basic-auth username="seedup_${name}_owner" password="$owner"
  put $SERVERS "seedup-$name-app" kubernetes.io/basic-auth username="seedup_${name}_app" password="$app"
  host=$name-rw.$SERVERS.svc:5432/seedup_$name
  put seedup "seedup-$name-database" Opaque owner-url="postgres://seedup_${name}_owner:$owner@$host" app-url="postgres://seedup_${name}_app:$app@$host"
done
if is_there seedup seedup-servers; then echo "the servers have their secrets"; else
  rabbit=$(password seedup-rabbitmq-user password) redis=$(password seedup-redis redis.conf 'requirepass ')
  put $SERVERS seedup-rabbitmq-user Opaque "default_user.conf=$(printf 'default_user = seedup\ndefault_pass = %s\n' "$rabbit")" \
    username=seedup password="$rabbit" host=rabbitmq.$SERVERS.svc port=5672 provider=rabbitmq type=rabbitmq
  put $SERVERS seedup-redis Opaque redis.conf="requirepass $redis"
  put seedup seedup-servers Opaque redis-url="redis://:$redis@redis.$SERVERS.svc:6379/0" \
    amqp-url="amqp://seedup:$rabbit@rabbitmq.$SERVERS.svc:5672/%2f" smtp-url="$SMTP_URL"
fi
key >"$work/auth.pem"
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 >"$work/push.pem" 2>/dev/null
put seedup seedup-push Opaque vapid.pem=@"$work/push.pem"
put seedup seedup-auth-keys Opaque signing.pem=@"$work/auth.pem"
key >"$work/market-data.pem"
put seedup seedup-market-data-keys Opaque signing.pem=@"$work/market-data.pem" market-seed="$(random)$(random)"
# Without it a backup cannot be read: keep it where the cluster is not.
put seedup seedup-backup Opaque passphrase="${BACKUP_PASSPHRASE:-$(random)}"
put seedup-monitoring seedup-alerting Opaque alert-webhook-url="${ALERT_WEBHOOK_URL:-}"
