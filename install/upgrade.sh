#!/bin/bash
# `digger upgrade [REF]`: another version, after a backup, and back by itself when it does not come up.
# REF: a branch, tag or commit of the clone that was installed from, as its origin has it; without it what its origin has now.
set -euo pipefail
umask 022
. "${DIGGER_PREFIX:-/opt/digger}/install/steps.sh"

main() {
  local source ref name old before backup answered=0
  need_root
  take_lock
  [ ! -e "$PREFIX/moving" ] || fail '되돌리기가 도중에 끊겼습니다. 먼저 digger rollback으로 끝내 주세요.'
  source=$(remembered source)
  git -C "$source" fetch --quiet --tags origin '+refs/heads/*:refs/remotes/origin/*' || say '새 것을 받아 오지 못해 있는 것으로 합니다.'
  ref=origin/${1:-HEAD}
  git -C "$source" rev-parse --verify --quiet "$ref^{commit}" >/dev/null || ref=${1:-HEAD}
  name=$(release_name "$source" "$ref") || fail "$ref이라는 버전이 $source에 없습니다."
  old=$(release_of current)
  if [ "$name" = "$old" ]; then is_here "$name"; return; fi
  before=$(health)
  say "1/4 설치: $name (지금 $old은 그동안 켜져 있습니다)"
  place_release "$source" "$ref" "$name"
  read_database
  [ "$PLACE" = embedded ] || verify_old "$old"
  say '2/4 끄고 백업'
  stop_service
  [ "$PLACE" != embedded ] || verify_old "$old"
  backup=$(take_backup "$name") && keep_copy "$backup" "$old" || fail '백업하지 못해 아무것도 바꾸지 않았습니다.'
  PREVIOUS_BEFORE=$(release_of previous) BACKUP_BEFORE=$(remembered backup)
  remember backup "$backup"
  say "3/4 바꿔 장부 확인: $name (백업 $backup)"
  point previous "$old"
  point current "$name"
  run_command verify || go_back "$name" "$old"
  if [ "$WAS_ON" = no ]; then
    finish "$name"
    say '서버는 꺼져 있던 그대로 두었습니다. 켜려면: systemctl start digger'
    return
  fi
  say '4/4 켜지는지 확인'
  start_service && comes_up "$before" || answered=$?
  case $answered in
    0) finish "$name" ;;
    2)
      place_tools "$PREFIX/releases/$name"
      fail "$name이 켜졌지만 /health가 나쁩니다. 이미 매매했을 수 있어 그대로 두었습니다. 보고 나서: digger rollback"
      ;;
    *) go_back "$name" "$old" ;;
  esac
}

# The books of before, by the release that wrote them: an old difference is not the new one's fault, and going back would not mend it.
verify_old() {
  has_command "$1" verify || return 0
  run_command verify || fail '지금 장부가 이미 맞지 않습니다(위의 줄). 올리지 않았고, 아무것도 바꾸지 않았습니다.'
}

# Also what a power cut left undone: whoever says `digger upgrade` again comes here.
is_here() {
  place_tools "$PREFIX/releases/$1"
  read_database
  if [ "$PLACE" != embedded ] || ! is_on; then run_command verify || fail "이미 $1이지만 장부가 맞지 않습니다(위의 줄)."; fi
  say "이미 $1입니다."
}

finish() {
  place_tools "$PREFIX/releases/$1"
  prune_releases
  say "$1로 올렸습니다. 되돌리려면: digger rollback"
}

go_back() {
  say "$1이 켜지지 않아 $2로 되돌립니다."
  # From here on it is the roll-back that starts the server, or leaves it off.
  leave_off
  export WAS_ON PREVIOUS_BEFORE BACKUP_BEFORE
  bash "$PREFIX/install/rollback.sh" --lose-since --failed || fail "저절로 되돌리지 못했습니다. 위를 보세요."
  fail "$2로 되돌렸습니다. 까닭은 위와 journalctl -u digger에 있습니다."
}

# The one in use and the one before it stay.
prune_releases() {
  local folder
  for folder in "$PREFIX"/releases/*; do
    case $(basename "$folder") in "$(release_of current)" | "$(release_of previous)") ;; *) rm -rf "$folder" ;; esac
  done
}

main "$@"
