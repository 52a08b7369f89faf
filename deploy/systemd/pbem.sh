#!/bin/sh
# As /usr/local/bin/pbem: the command as the service's user with the service's settings, so that no file in its folder becomes somebody else's.
[ "$(id -u)" = 0 ] || exec sudo -- "$0" "$@"
# From a folder that the service's user may not enter, such as /root, it cannot start processes.
runuser -u pbem -- test -x . || cd /
exec runuser -u pbem -- env PBEM_CONFIG="${PBEM_CONFIG:-/etc/pbem/pbem.toml}" \
  PBEM_SERVICE__DATA_DIR="${PBEM_SERVICE__DATA_DIR:-/var/lib/pbem}" /opt/pbem/.venv/bin/pbem "$@"
