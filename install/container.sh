#!/bin/bash
# In a container: `start`, or a command of package.json (`backup /backups`, `verify`, `admin list`), with the password of the database from its file.
set -euo pipefail
umask 077
if [ -n "${DATABASE_PASSWORD_FILE:-}" ]; then
  DATABASE_URL="postgres://digger:$(cat "$DATABASE_PASSWORD_FILE")@${DATABASE_HOST:-database}/digger"
  export DATABASE_URL
fi
command=${1:-start}
shift || true
if [ "$command" = start ]; then exec node_modules/.bin/node --disable-sigusr1 scripts/start.mjs; fi
exec node_modules/.bin/node --run "$command" -- "$@"
