#!/bin/bash
# Whether the container's process is ready, according to its admin port.
exec 3<>"/dev/tcp/127.0.0.1/${ADMIN_ADDR##*:}" || exit 1
printf 'GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3
read -r _ status _ <&3
[ "$status" = 200 ]
