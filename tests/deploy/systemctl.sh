#!/bin/sh
# As /usr/local/bin/systemctl of a machine where no systemd runs: starts what docs/operators.md asks for, by the units' own lines.
set -eu
value() { sed -n "s/^$1=//p" /etc/systemd/system/pbem.service; }
start() {
  case "$1" in
    postfix) postfix start ;;
    dovecot) dovecot ;;
    redis-server) redis-server --daemonize yes --dir /tmp >/dev/null ;;
    rspamd) install -d -o _rspamd -g _rspamd /run/rspamd && rspamd -u _rspamd -g _rspamd ;;
    pbem.service)
      setsid runuser -u "$(value User)" -- env "$(value Environment)" $(value ExecStart) >>/var/log/pbem.log 2>&1 </dev/null &
      echo $! >/run/pbem.pid ;;
    *.timer) ;;
    *) echo "systemctl: no way to start $1" >&2; exit 5 ;;
  esac
}
stop() {
  case "$1" in
    postfix) postfix stop ;;
    dovecot) doveadm stop ;;
    pbem.service) kill "$(cat /run/pbem.pid)"; tail --pid="$(cat /run/pbem.pid)" -f /dev/null ;;
  esac
}
verb=$1; shift
case "$verb" in
  daemon-reload) exit ;;
  enable | start | restart | stop) ;;
  *) echo "systemctl: no way to $verb" >&2; exit 5 ;;
esac
for unit; do
  case "$unit" in --*) continue ;; esac
  case "$verb" in stop) stop "$unit" ;; *) { test "$verb" != restart || stop "$unit"; } 2>/dev/null || true; start "$unit" ;; esac
done
