#!/bin/bash
# As root, in a clone of this repository: puts this very commit (or REF) on a Debian 12 machine. Safe to run again.
set -euo pipefail
umask 022
SOURCE=$(cd "$(dirname "$0")/.." && pwd)
. "$SOURCE/install/steps.sh"

main() {
  local ref=${1:-HEAD} name
  need_root
  [ "$(stat -c %u "$SOURCE")" = 0 ] || fail "$SOURCE의 주인이 root가 아니어서 그 코드를 root로 쓰지 않습니다. root로 다시 받거나: chown -R root:root $SOURCE"
  take_lock
  install_packages
  make_user
  make_folders
  install_node "$SOURCE"
  name=$(release_name "$SOURCE" "$ref") || fail "$ref이라는 버전이 $SOURCE에 없습니다."
  [ -z "$(release_of current)" ] || [ "$(release_of current)" = "$name" ] ||
    fail "다른 버전($(release_of current))이 이미 있습니다. digger upgrade를 쓰세요."
  place_release "$SOURCE" "$ref" "$name"
  point current "$name"
  place_tools "$SOURCE"
  remember source "$SOURCE"
  say "설치했습니다: $name. 다음: digger setup"
}

main "$@"
