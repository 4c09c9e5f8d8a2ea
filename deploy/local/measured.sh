# What is measured: the running product that ORIGIN names, or else an optimised one of its own, which stops with the script that
# sources this. Builds the client in any case, because its packages bring the tools.
export INSTANCE=bench PROFILE=${PROFILE:-release}
source "$(dirname "${BASH_SOURCE[0]}")/settings.sh"
HERE=$ROOT/deploy/local

"$HERE/client.sh"
if [ -z "${ORIGIN:-}" ]; then
  "$HERE/install.sh" bench
  build_programs
  trap '"$HERE/stack.sh" down >/dev/null 2>&1 || true' EXIT
  trap 'exit 130' INT TERM
  "$HERE/stack.sh" reset >/dev/null
  "$HERE/stack.sh" start
  ORIGIN=$PUBLIC_ORIGIN
fi
PATH=$ROOT/frontend/node_modules/.bin:$PATH
