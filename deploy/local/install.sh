#!/usr/bin/env bash
# Installs missing dependencies, or names them. Packages come from Debian; Rust and Node must be
# installed.
set -euo pipefail
source "$(dirname "$0")/settings.sh"

need=()
package() { # package COMMAND-OR-FILE NAME
  if [[ $1 == /* ]]; then compgen -G "$1" >/dev/null || need+=("$2")
  else command -v "$1" >/dev/null || need+=("$2"); fi
}
if [ -z "$EXTERNAL_DATABASE_URL" ]; then package '/usr/lib/postgresql/*/bin/postgres' postgresql; fi
package psql postgresql-client
[ -n "$EXTERNAL_REDIS_URL" ] || package redis-server redis-server
[ -n "$EXTERNAL_AMQP_URL" ] || package "$RABBITBIN/rabbitmq-server" rabbitmq-server
package curl curl
package cc gcc
package openssl openssl
package setpriv util-linux
if [ "${1:-}" = tests ]; then
  package chromium chromium
  package chromium-headless-shell chromium-headless-shell
  package '/usr/share/fonts/truetype/nanum/*' fonts-nanum
  package '/usr/share/fonts/truetype/noto/NotoColorEmoji*' fonts-noto-color-emoji
fi

if [ "${1:-}" = fuzz ]; then
  package '/usr/lib/python3*/ensurepip/__init__.py' python3-venv
fi

if [ "${1:-}" = proof ]; then
  package '/usr/lib/*/faketime/libfaketimeMT.so.1' libfaketime
fi

if [ "${1:-}" = bench ]; then
  package /usr/sbin/nginx nginx-light
  package '/usr/lib/nginx/modules/ngx_nchan_module.so' libnginx-mod-nchan
fi

command -v cargo >/dev/null || fail "cargo is missing: install Rust 1.95 or newer with rustup"
command -v node >/dev/null || fail "node is missing: install Node 20 or newer"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || fail "Node 20 or newer is needed, found $(node --version)"

if [ ${#need[@]} -gt 0 ]; then
  # Nice to have: the address as a QR code. It alone is no reason to install anything.
  package qrencode qrencode
  as_root=()
  if [ "$(id -u)" != 0 ]; then
    if sudo -n true 2>/dev/null; then as_root=(sudo)
    elif [ -t 0 ] && command -v sudo >/dev/null; then as_root=(sudo); say "installing needs your password"
    else
      fail "missing packages: ${need[*]}
    As root: apt-get update && apt-get install --no-install-recommends ${need[*]}"
    fi
  fi
  say "installing ${need[*]}"
  # The packages' own services stay off: this installation starts private ones.
  policy=/usr/sbin/policy-rc.d
  made_policy=no
  if [ ! -e $policy ]; then
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee $policy >/dev/null
    "${as_root[@]}" chmod +x $policy
    made_policy=yes
  fi
  mkdir -p "$RUN/log"
  if ! { "${as_root[@]}" apt-get update -qq && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends "${need[@]}"; } >"$RUN/log/install.log" 2>&1; then
    tail -5 "$RUN/log/install.log" >&2
    fail "installing failed; the whole log is ${RUN#"$ROOT"/}/log/install.log"
  fi
  [ $made_policy = no ] || "${as_root[@]}" rm -f $policy
fi
