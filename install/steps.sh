# shellcheck shell=bash
# The steps of which an installation is made, for bash: install.sh, upgrade.sh, rollback.sh, the command `digger` and the
# Containerfile call these and nothing else, and trials/install runs all of them.

PREFIX=${DIGGER_PREFIX:-/opt/digger}
ENV_FILE=${DIGGER_ENV_FILE:-/etc/digger/digger.env}
STATE=${DIGGER_STATE:-/var/lib/digger}
BACKUPS=${DIGGER_BACKUPS:-/var/backups/digger}
SERVICE_USER=${DIGGER_USER:-digger}
UNITS=${DIGGER_UNITS:-/etc/systemd/system}
# Debian's npm runs on Debian's Node alone, and refuses to install one that wants a newer Node than that: it is unpacked.
NPM_VERSION=11.19.1
NPM_SHA256=9f58bff01604cb1b14008fef14dceb14d836a49225e45c6c2e37de3be3e707f0

say() { printf 'digger: %s\n' "$*" || true; }
fail() { printf 'digger: %s\n' "$*" >&2; exit 1; }
need_root() { [ "$(id -u)" = 0 ] || fail '관리자(root)로 실행해 주세요.'; }

# Debian's packages: git brings the code, npm the packages. Debian 12's own Node is too old to run Digger.
install_packages() {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ca-certificates git nodejs npm
}

# The Node that package.json of FOLDER pins, as an npm package without an install script, compared by its hash, and an npm for it.
install_node() {
  local folder=$1 machine version
  machine=linux-$(/usr/bin/node -p process.arch)
  version=$(/usr/bin/node -p "require('$folder/package.json').dependencies.node")
  npm install --global --prefix "$PREFIX/node" --ignore-scripts --no-audit --no-fund --loglevel=error "node-$machine@$version"
  rm -rf "$PREFIX/node/lib/node_modules/npm" && mkdir -p "$PREFIX/node/lib/node_modules/npm"
  (cd "$PREFIX/node" && npm pack --silent "npm@$NPM_VERSION" && sha256sum --check --quiet <<<"$NPM_SHA256  npm-$NPM_VERSION.tgz" && tar -xzf "npm-$NPM_VERSION.tgz" --strip-components=1 -C lib/node_modules/npm)
  ln -sfn ../lib/node_modules/npm/bin/npm-cli.js "$PREFIX/node/bin/npm"
  (cd "$folder" && /usr/bin/node --input-type=module -e "
    import { compareNode } from './scripts/pinned-node.mjs'
    const found = compareNode('$PREFIX/node/bin/node', '$version')
    if (found === 'different') throw new Error('this is not the Node $version whose hash is in scripts/pinned-node.mjs')
    if (found === 'unknown') console.log('digger: the hash of Node $version for this machine is not known, so it was not compared')
  ")
}

# Who the server runs as: nobody can log in as that. DIGGER_UID: where files of outside are to be its own.
make_user() {
  id "$SERVICE_USER" >/dev/null 2>&1 ||
    useradd ${DIGGER_UID:+--uid "$DIGGER_UID"} --system --user-group --home-dir "$STATE" --no-create-home --shell /usr/sbin/nologin "$SERVICE_USER"
}

# Data, backups, and the variables with the master key: for the server's user alone.
make_folders() {
  install -d -o "$SERVICE_USER" -g "$SERVICE_USER" -m 700 "$STATE" "$BACKUPS" "$(dirname "$ENV_FILE")"
}

# npm packages and the web client of the code in FOLDER, compressed now: the server may not write there. Earlier versions lack that file.
install_dependencies() {
  (
    cd "$1" || exit 1
    PATH="$PREFIX/node/bin:$PATH" npm_config_cache="$PREFIX/npm-cache" node scripts/setup.mjs
    [ -f packages/http/src/precompress.ts ] || exit 0
    node_modules/.bin/node -e "import('./packages/http/src/precompress.ts').then((file) => file.precompress('packages/web/dist'))"
  )
}

# `0.1.0-1a2b3c4d`: the version and commit that REF names in SOURCE.
release_name() {
  local source=$1 ref=$2 commit version
  commit=$(git -C "$source" rev-parse --verify --quiet "$ref^{commit}") || return 1
  version=$(git -C "$source" show "$commit:package.json" | sed -n 's/^ *"version": "\([^"]*\)".*/\1/p' | head -n 1)
  printf '%s-%s\n' "$version" "${commit:0:8}"
}

# Code and packages of a release beside the others; one that was cut off has no name yet.
place_release() {
  local source=$1 ref=$2 name=$3
  local folder=$PREFIX/releases/$name making=$PREFIX/releases/.making
  [ -d "$folder" ] && return 0
  rm -rf "$making" && mkdir -p "$making"
  git -C "$source" archive "$ref" | tar -x -C "$making"
  install_dependencies "$making"
  chmod -R go-w,a+rX "$making"
  sync -f "$making"
  mv "$making" "$folder"
}

# In one step: whoever starts meanwhile has the one or the other.
point() {
  ln -sfn "releases/$2" "$PREFIX/.$1" && mv -T "$PREFIX/.$1" "$PREFIX/$1"
}

release_of() { basename "$(readlink "$PREFIX/$1" 2>/dev/null)" 2>/dev/null || true; }

# The unit, the command and these steps, of the newest release that was ever here: an older one may lack them.
place_tools() {
  local from=$1/install
  [ -d "$from" ] || return 0
  rm -rf "$PREFIX/.install" && mkdir -p "$PREFIX/.install"
  cp "$from"/*.sh "$from"/*.mjs "$from/digger" "$from/digger.service" "$from/Caddyfile" "$PREFIX/.install/"
  rm -rf "$PREFIX/install" && mv "$PREFIX/.install" "$PREFIX/install"
  install -m 755 "$PREFIX/install/digger" "${DIGGER_BIN:-/usr/local/bin}/digger"
  [ -d "$UNITS" ] || return 0
  install -m 644 "$PREFIX/install/digger.service" "$UNITS/digger.service"
  if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
}

# As the server's user, with nothing of the caller's environment: what its file says is read by that user, never by root's shell.
AS_SERVICE='
  set -eu
  cd "$1"
  file=$2 home=$3 name=$4
  shift 4
  umask 077
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in [A-Z]*=*) export "$line" ;; esac
  done < <(cat "$file" 2>/dev/null)
  export HOME="$home" LANG=C.UTF-8
  exec node_modules/.bin/node --run "$name" -- "$@"'

# A command of package.json of the release in use, as the server's user, with the server's variables and no others.
run_command() {
  local as=(/usr/bin/env -i "TERM=${TERM:-dumb}" "PATH=/usr/local/bin:/usr/bin:/bin")
  [ "$(id -un)" = "$SERVICE_USER" ] ||
    as=(/usr/bin/setpriv --reuid="$SERVICE_USER" --regid="$SERVICE_USER" --init-groups --no-new-privs --reset-env)
  if [ -e "$ENV_FILE" ] && ! "${as[@]}" /usr/bin/test -r "$ENV_FILE"; then
    say "$ENV_FILE: $SERVICE_USER가 읽지 못합니다. chown $SERVICE_USER $ENV_FILE" >&2
    return 1
  fi
  "${as[@]}" /bin/bash -c "$AS_SERVICE" digger "$PREFIX/${DIGGER_RELEASE:-current}" "$ENV_FILE" "$STATE" "$@"
}

has_command() { grep -q "\"$2\":" "$PREFIX/releases/$1/package.json"; }

variable() { sed -n "s/^$1=//p" "$ENV_FILE" | tail -n 1; }

# Sets PLACE (embedded, here, elsewhere, unreadable), DATABASE_PORT, DATABASE, ADDRESS (without its password) and PASSWORD.
read_database() {
  local lines
  mapfile -t lines < <(DATABASE_URL=$(variable DATABASE_URL) "$PREFIX/node/bin/node" "$PREFIX/install/database-url.mjs")
  PLACE=${lines[0]} DATABASE_PORT=${lines[1]:-} DATABASE=${lines[2]:-} ADDRESS=${lines[3]:-} PASSWORD=${lines[4]:-}
}

# One move at a time.
take_lock() {
  mkdir -p "$PREFIX"
  exec 9>"$PREFIX/.lock"
  flock -n 9 || fail '다른 설치, 올리기, 되돌리기를 하고 있습니다. 끝난 뒤에 다시 해 주세요.'
}

# Also while it dies and is started again. A server that somebody stopped is not started by a move.
is_on() {
  case $(${DIGGER_ACTIVE:-systemctl is-active digger} || true) in active | activating | reloading) ;; *) return 1 ;; esac
}

# Whatever ends this shell from here on starts whatever `current` is, unless it was off before or its rows are half put back.
stop_service() {
  if [ -z "${WAS_ON:-}" ]; then
    if is_on; then WAS_ON=yes; else WAS_ON=no; fi
  fi
  trap start_service EXIT
  ${DIGGER_STOP:-systemctl stop digger}
}
start_service() {
  trap - EXIT
  [ "$WAS_ON" = no ] || [ -e "$PREFIX/moving" ] || ${DIGGER_START:-systemctl start digger}
}
leave_off() { trap - EXIT; }

# `200`, `503`, or nothing where nobody answers.
health() {
  "$PREFIX/node/bin/node" -e "
    const [port, host] = process.argv.slice(1)
    const own = ['', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? '[' + host + ']' : host
    fetch('http://' + own + ':' + port + '/health', { signal: AbortSignal.timeout(5000) })
      .then((reply) => console.log(reply.status), () => undefined)" "$(variable PORT | grep . || echo 8081)" "$(variable HOST)"
}

# Waits two minutes. 0: well, or any answer where it was not well before (the broker may be away at night); 2: it answers, and is not
# well; 1: nobody ever answered.
comes_up() {
  local before=$1 answer seen=1 end=$((SECONDS + ${DIGGER_TIMEOUT_S:-120}))
  while [ "$SECONDS" -lt "$end" ]; do
    answer=$(health)
    [ -z "$answer" ] || seen=2
    if [ "$answer" = 200 ] || { [ -n "$answer" ] && [ "$before" = 503 ]; }; then return 0; fi
    sleep 1
  done
  return "$seen"
}

# A backup beside those that the server itself takes, by the tool of RELEASE; prints its folder.
take_backup() {
  local before
  before=$(ls "$BACKUPS/upgrades" 2>/dev/null | sort)
  DIGGER_RELEASE=releases/$1 run_command backup "$BACKUPS/upgrades" >&2 || return 1
  comm -13 <(printf '%s\n' "$before") <(ls "$BACKUPS/upgrades" | sort) | sed -n "s|^digger-|$BACKUPS/upgrades/&|p" | grep .
}

as_service() { setpriv --reuid="$SERVICE_USER" --regid="$SERVICE_USER" --init-groups "$@"; }

# For a RELEASE that cannot restore backups itself: the database as it was, byte for byte, beside the backup in FOLDER. The server is off.
keep_copy() {
  local folder=$1 release=$2
  if has_command "$release" restore; then return; fi
  read_database
  if [ "$PLACE" = embedded ]; then
    cp -a "$(variable DATA_DIR)/database" "$folder/exact"
  else
    PGPASSWORD=$PASSWORD as_service pg_dump --format=custom --file="$folder/exact.dump" --dbname="$ADDRESS"
  fi
}

remembered() { git config --file "$PREFIX/source.config" "digger.$1" || true; }
remember() {
  if [ -n "$2" ]; then
    git config --file "$PREFIX/source.config" "digger.$1" "$2"
  else
    git config --file "$PREFIX/source.config" --unset "digger.$1" || true
  fi
}
