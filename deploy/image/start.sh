#!/bin/sh
# Becomes the command. Secrets that are mounted as files named like settings (/run/secrets/AMQP_URL)
# become those settings, so that none of them stands in a compose file or in the image.
set -eu
for file in /run/secrets/*; do
  name=${file##*/}
  case $name in
  *[!A-Z_]*) ;;
  *) if [ -r "$file" ]; then export "$name=$(cat "$file")"; fi ;;
  esac
done
exec "$@"
