#!/bin/sh
# Executes the command. Secrets mounted as files named like settings (/run/secrets/AMQP_URL) are
# exported as those settings, so that neither the compose file nor the image contains them.
set -eu
for file in /run/secrets/*; do
  name=${file##*/}
  case $name in
  *[!A-Z_]*) ;;
  *) if [ -r "$file" ]; then export "$name=$(cat "$file")"; fi ;;
  esac
done
exec "$@"
