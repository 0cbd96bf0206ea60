#!/bin/bash
# `digger upgrade [REF]`: another version, after a backup, and back by itself when it does not come up.
# REF: a tag, branch or commit of the clone that was installed from; without it what its origin has now.
set -euo pipefail
umask 022
. "${DIGGER_PREFIX:-/opt/digger}/install/steps.sh"

main() {
  local source ref name old before backup
  need_root
  source=$(git config --file "$PREFIX/source.config" digger.source)
  git -C "$source" fetch --quiet --tags origin '+refs/heads/*:refs/remotes/origin/*' || say '새 것을 받아 오지 못해 있는 것으로 합니다.'
  ref=${1:-origin/HEAD}
  name=$(release_name "$source" "$ref") || fail "$ref이라는 버전이 $source에 없습니다."
  old=$(release_of current)
  [ "$name" != "$old" ] || { say "이미 $name입니다."; return; }
  before=$(health)
  say "1/4 설치: $name (지금 $old은 그동안 켜져 있습니다)"
  place_release "$source" "$ref" "$name"
  say '2/4 끄고 백업'
  stop_service
  backup=$(take_backup "$name") || { start_service; fail '백업하지 못해 아무것도 바꾸지 않았습니다.'; }
  keep_copy "$backup"
  git config --file "$PREFIX/source.config" digger.backup "$backup"
  say "3/4 바꿔 장부 확인: $name (백업 $backup)"
  point previous "$old"
  point current "$name"
  if run_command verify && start_service && say '4/4 켜지는지 확인' && comes_up "$before"; then
    place_tools "$PREFIX/releases/$name"
    prune_releases
    say "$name로 올렸습니다. 되돌리려면: digger rollback"
  else
    say "$name이 켜지지 않아 $old로 되돌립니다."
    bash "$PREFIX/install/rollback.sh" --lose-since --failed
    fail "$old로 되돌렸습니다. 까닭은 위와 journalctl -u digger에 있습니다."
  fi
}

# For a release that cannot restore backups itself: the database as it was, byte for byte.
keep_copy() {
  has_command "$(release_of current)" restore && return 0
  if [ -n "$(variable DATABASE_URL)" ]; then
    as_service pg_dump --format=custom --file="$1/exact.dump" "$(variable DATABASE_URL)"
  else
    cp -a "$(variable DATA_DIR)/database" "$1/exact"
  fi
}

# The one in use and the one before it stay.
prune_releases() {
  local folder
  for folder in "$PREFIX"/releases/*; do
    case $(basename "$folder") in "$(release_of current)" | "$(release_of previous)") ;; *) rm -rf "$folder" ;; esac
  done
}

main "$@"
