#!/bin/sh
# Becomes Alertmanager with the receiver and the mail relay that the settings name.
set -eu
WEBHOOK=${WEBHOOK_FILE:-/run/secrets/alert-webhook-url}
CONFIG=${CONFIG:-${TMPDIR:-/tmp}/alertmanager.yaml}
case ${ALERT_RECEIVER:=mail} in
mail | webhook | slack) ;;
*) echo "ALERT_RECEIVER is mail, webhook or slack, not '$ALERT_RECEIVER'" >&2; exit 2 ;;
esac
if [ "$ALERT_RECEIVER" != mail ] && [ ! -s "$WEBHOOK" ]; then
  echo "ALERT_RECEIVER=$ALERT_RECEIVER needs an ALERT_WEBHOOK_URL" >&2
  exit 2
fi
sed -e "s|^  receiver: mail\$|  receiver: $ALERT_RECEIVER|" \
  -e "s|smarthost: .*|smarthost: ${ALERT_SMTP_HOST:-mail-sink:2525}|" \
  -e "s|from: .*|from: ${ALERT_FROM:-alerts@seedup.invalid}|" \
  -e "s|to: operators.*|to: ${ALERT_TO:-operators@seedup.invalid}|" \
  "$(dirname "$0")/alertmanager.yaml" >"$CONFIG"
exec "${ALERTMANAGER:-/bin/alertmanager}" --config.file="$CONFIG" "$@"
