#!/bin/bash
# `digger rollback [--lose-since]`: the version before the last upgrade. Where the upgrade changed the tables, the older one cannot open
# them: then only the backup of before it can be put back, and what was written since is said and must be agreed to.
# What is to be done is first written down in $PREFIX/moving; cut off, it is carried out by the next `digger rollback`.
set -euo pipefail
umask 022
. "${DIGGER_PREFIX:-/opt/digger}/install/steps.sh"

LOSE=no FAILED=no
for word in "$@"; do
  case $word in --lose-since) LOSE=yes ;; --failed) FAILED=yes ;; *) fail '쓰는 법: digger rollback [--lose-since]' ;; esac
done

main() {
  need_root
  # An upgrade that goes back by itself holds the lock.
  [ "$FAILED" = yes ] || take_lock
  read_database
  if [ -e "$PREFIX/moving" ]; then say '도중에 끊긴 되돌리기를 이어서 합니다.'; else decide; fi
  carry_out
}

# Ends here, with the server as it was, where it is not to be done.
decide() {
  local old new backup now='' moved=0 same=no
  new=$(release_of current)
  old=$(release_of previous)
  [ -n "$old" ] && [ "$old" != "$new" ] || fail '되돌릴 버전이 없습니다.'
  backup=$(remembered backup)
  if same_tables "$old" "$new"; then same=yes; fi
  if [ "$same$FAILED$LOSE" = nonoyes ]; then assert_can_empty "$old" "$backup"; fi
  stop_service
  if [ "$FAILED" = no ] || [ "$same" = no ]; then
    now=$(back_up_now "$new" "$old") || cannot '지금 것을 백업하지 못해 아무것도 바꾸지 않았습니다.'
  fi
  if [ "$same" = no ]; then
    # What is lost is said in lines; 3: the tables are not those that the older version knows.
    "$PREFIX/node/bin/node" "$PREFIX/install/since-backup.mjs" "$backup" "$now" || moved=$?
    [ "$moved" = 0 ] || [ "$moved" = 3 ] || cannot '백업 두 개를 견주지 못해 아무것도 바꾸지 않았습니다.'
  fi
  if [ "$moved" = 3 ]; then
    [ "$LOSE" = yes ] || fail "되돌리지 않았습니다. 위의 것을 버리고 되돌리려면: digger rollback --lose-since (지금 것의 백업은 $now)"
    [ "$FAILED" = no ] || leave_off
    assert_can_empty "$old" "$backup"
  fi
  intend "old=$old" "new=$new" "moved=$moved" "backup=$backup" "now=$now" "on=$WAS_ON" "failed=$FAILED" \
    "previous=${PREVIOUS_BEFORE:-}" "before=${BACKUP_BEFORE:-}" "stamp=$(date +%Y%m%d%H%M%S)"
}

# The two know the same migrations.
same_tables() {
  local folder=packages/database/src/migrations
  [ -d "$PREFIX/releases/$1/$folder" ] && [ "$(ls "$PREFIX/releases/$1/$folder")" = "$(ls "$PREFIX/releases/$2/$folder" 2>/dev/null)" ]
}

back_up_now() {
  local new=$1 old=$2 tool=$1 folder
  has_command "$new" backup || tool=$old
  folder=$(take_backup "$tool") && keep_copy "$folder" "$new" && printf '%s\n' "$folder"
}

# A version that did not come up, on tables that are no longer the older one's, is left off; any other goes on.
cannot() {
  if [ "$FAILED" = yes ]; then
    leave_off
    fail "$1 올린 버전이 표를 바꿨을 수 있어 서버를 끈 채로 두었습니다. 까닭을 없앤 뒤: digger rollback --lose-since"
  fi
  fail "$1"
}

assert_can_empty() {
  case $PLACE in embedded | here) return ;; esac
  fail "이 컴퓨터의 PostgreSQL이 아니거나 이름이 영문자, 숫자, _만이 아니라서 여기서 비울 수 없습니다. 손으로 하는 순서:
  1. systemctl stop digger  2. 그곳에서 데이터베이스의 이름을 바꾸고, 같은 이름으로 빈 것을 만든다
  3. DIGGER_RELEASE=releases/$1 digger restore $2  4. ln -sfn releases/$1 $PREFIX/current  5. systemctl start digger"
}

intend() {
  local pair
  rm -f "$PREFIX/.moving"
  for pair in "$@"; do git config --file "$PREFIX/.moving" "move.${pair%%=*}" "${pair#*=}"; done
  sync "$PREFIX/.moving"
  mv "$PREFIX/.moving" "$PREFIX/moving"
  sync -f "$PREFIX"
}
intended() { git config --file "$PREFIX/moving" "move.$1"; }

# Each line is right when it is done a second time. Rows first: until `current` moves, nothing says that it is done.
carry_out() {
  local old new moved now failed previous
  old=$(intended old) new=$(intended new) moved=$(intended moved) now=$(intended now) failed=$(intended failed)
  WAS_ON=$(intended on)
  stop_service
  if [ "$moved" = 3 ]; then
    say "백업을 되살립니다. 도중에 끊기면 켜지지 않으니 digger rollback을 다시 해 주세요(지금 것의 백업은 $now)."
    put_back "$old" "$(intended backup)" "$(intended stamp)"
  fi
  if [ "$failed" = yes ]; then
    previous=$(intended previous)
    remember backup "$(intended before)"
  else
    previous=$new
    remember backup "$now"
  fi
  if [ -n "$previous" ]; then point previous "$previous"; else rm -f "$PREFIX/previous"; fi
  point current "$old"
  sync -f "$PREFIX"
  rm "$PREFIX/moving"
  [ "$new" = "$previous" ] || rm -rf "$PREFIX/releases/$new"
  come_back "$old" "$moved" "$now"
}

come_back() {
  local old=$1 moved=$2 now=$3
  if ! run_command verify; then
    [ "$moved" = 0 ] || { leave_off; fail "되살린 것의 장부가 맞지 않아 켜지 않았습니다. 지금 것의 백업은 $now"; }
    say "장부가 맞지 않습니다(위의 줄). 되돌리기 전에도 같은 장부였으므로 $old을 켭니다."
  fi
  if [ "$WAS_ON" = no ]; then
    leave_off
    say "$old로 되돌렸습니다. 서버는 꺼져 있던 그대로 두었습니다. 켜려면: systemctl start digger"
    return
  fi
  start_service
  comes_up 503 || fail "$old이 켜지지 않습니다: journalctl -u digger. 되돌리기 전의 백업은 ${now:-없습니다}"
  say "$old로 되돌렸습니다.${now:+ 되돌리기 전의 것은 백업 $now에 있습니다.}"
}

put_back() {
  local old=$1 backup=$2 stamp=$3 data
  data=$(variable DATA_DIR)
  if [ "$PLACE" = embedded ]; then make_room_in "$data" "$stamp"; else make_room "$stamp"; fi
  if has_command "$old" restore; then
    DIGGER_RELEASE=releases/$old run_command restore "$backup"
    return
  fi
  if [ "$PLACE" = embedded ]; then
    rm -rf "$data/database.making"
    cp -a "$backup/exact" "$data/database.making"
    mv "$data/database.making" "$data/database"
  else
    PGPASSWORD=$PASSWORD as_service pg_restore --no-owner --single-transaction --dbname="$ADDRESS" "$backup/exact.dump"
  fi
  say '이 버전은 되살린 것을 멈춘 채로 켤 줄 모릅니다. 증권사의 잔고와 주문이 장부와 같은지 보세요.'
}

# What is there is moved aside, never deleted. Where that was done before, what is there is half of a backup.
make_room_in() {
  local data=$1 stamp=$2
  if [ -e "$data/database.newer-$stamp" ]; then rm -rf "$data/database"; else mv "$data/database" "$data/database.newer-$stamp"; fi
}

make_room() {
  local aside=${DATABASE}_newer_$1 owner
  if [ -z "$(as_postgres -c "select 1 from pg_database where datname = '$aside'")" ]; then
    as_postgres -c "alter database \"$DATABASE\" rename to \"$aside\""
  fi
  owner=$(as_postgres -c "select pg_get_userbyid(datdba) from pg_database where datname = '$aside'")
  as_postgres -c "drop database if exists \"$DATABASE\""
  as_postgres -c "create database \"$DATABASE\" owner \"$owner\""
}
as_postgres() { runuser -u postgres -- psql --no-psqlrc -v ON_ERROR_STOP=1 -qAt --port="$DATABASE_PORT" -d postgres "$@"; }

main
