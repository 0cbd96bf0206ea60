#!/bin/bash
# `digger rollback [--lose-since]`: the version before the last upgrade. Where the upgrade changed the tables, the older one cannot open
# them: then only the backup of before it can be put back, and what was written since is said and must be agreed to.
set -euo pipefail
umask 022
. "${DIGGER_PREFIX:-/opt/digger}/install/steps.sh"

main() {
  local old new backup now moved=0
  need_root
  new=$(release_of current)
  old=$(release_of previous)
  [ -n "$old" ] && [ "$old" != "$new" ] || fail '되돌릴 버전이 없습니다.'
  backup=$(git config --file "$PREFIX/source.config" digger.backup)
  stop_service
  now=$(take_backup "$new") || { start_service; fail '지금 것을 백업하지 못해 아무것도 바꾸지 않았습니다.'; }
  # What is lost is said in lines; 3: the tables are not those that the older version knows.
  "$PREFIX/node/bin/node" "$PREFIX/install/since-backup.mjs" "$backup" "$now" || moved=$?
  case $moved in
    0) ;;
    3)
      if [[ " $* " != *' --lose-since '* ]]; then
        start_service
        fail "되돌리지 않았습니다. 위의 것을 버리고 되돌리려면: digger rollback --lose-since (지금 것의 백업은 $now)"
      fi
      ;;
    *) start_service; fail '백업 두 개를 견주지 못해 아무것도 바꾸지 않았습니다.' ;;
  esac
  point current "$old"
  point previous "$new"
  if [ "$moved" = 3 ]; then put_back "$old" "$backup"; fi
  run_command verify || fail "$old의 장부 확인이 되지 않아 켜지 않았습니다. 지금 것의 백업은 $now"
  start_service
  comes_up 503 || fail "$old이 켜지지 않습니다: journalctl -u digger. 지금 것의 백업은 $now"
  say "$old로 되돌렸습니다. 되돌리기 전의 것은 백업 $now에 있습니다."
}

put_back() {
  local old=$1 backup=$2 url
  url=$(variable DATABASE_URL)
  make_room "$url"
  if has_command "$old" restore; then
    run_command restore "$backup"
  elif [ -n "$url" ]; then
    as_service pg_restore --no-owner --exit-on-error --dbname="$url" "$backup/exact.dump"
    say '이 버전은 되살린 것을 멈춘 채로 켤 줄 모릅니다. 증권사의 잔고와 주문이 장부와 같은지 보세요.'
  else
    cp -a "$backup/exact" "$(variable DATA_DIR)/database"
    say '이 버전은 되살린 것을 멈춘 채로 켤 줄 모릅니다. 증권사의 잔고와 주문이 장부와 같은지 보세요.'
  fi
}

# What is there is moved aside, never deleted.
make_room() {
  local name stamp
  stamp=$(date +%Y%m%d%H%M%S)
  if [ -z "$1" ]; then
    mv "$(variable DATA_DIR)/database" "$(variable DATA_DIR)/database.newer-$stamp"
    return
  fi
  name=$("$PREFIX/node/bin/node" -p "decodeURIComponent(new URL(process.argv[1].replace('///', '//x/')).pathname.slice(1))" "$1")
  runuser -u postgres -- psql -v ON_ERROR_STOP=1 -q <<SQL || fail "이 컴퓨터의 PostgreSQL이 아니어서 비울 수 없습니다. $name을 다른 이름으로 바꾸고 빈 $name을 만든 뒤 다시 해 주세요."
alter database "$name" rename to "${name}_newer_$stamp";
create database "$name" owner "$SERVICE_USER";
SQL
}

main "$@"
