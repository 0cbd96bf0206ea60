# shellcheck shell=bash
# The steps of which an installation is made, for bash: install.sh, upgrade.sh, rollback.sh, the command `digger` and the
# Containerfile call these and nothing else, and trials/install runs all of them.

PREFIX=${DIGGER_PREFIX:-/opt/digger}
ENV_FILE=${DIGGER_ENV_FILE:-/etc/digger/digger.env}
STATE=${DIGGER_STATE:-/var/lib/digger}
BACKUPS=${DIGGER_BACKUPS:-/var/backups/digger}
SERVICE_USER=${DIGGER_USER:-digger}
# Debian's npm runs on Debian's Node alone, and refuses to install one that wants a newer Node than that: it is unpacked.
NPM_VERSION=11.19.1

say() { printf 'digger: %s\n' "$*"; }
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
  (cd "$PREFIX/node" && npm pack --silent "npm@$NPM_VERSION" && tar -xzf "npm-$NPM_VERSION.tgz" --strip-components=1 -C lib/node_modules/npm)
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
  [ -d /etc/systemd/system ] || return 0
  install -m 644 "$PREFIX/install/digger.service" /etc/systemd/system/digger.service
  if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
}

# A command of package.json of the release in use, as the server's user, with the server's variables and no others.
run_command() {
  local name=$1
  shift
  (
    cd "$PREFIX/${DIGGER_RELEASE:-current}" || exit 1
    umask 077
    export HOME="$STATE" USER="$SERVICE_USER" LANG=C.UTF-8
    while IFS= read -r line; do
      case $line in [A-Z]*=*) export "${line?}" ;; esac
    done < <(cat "$ENV_FILE" 2>/dev/null)
    as=()
    [ "$(id -un)" = "$SERVICE_USER" ] || as=(setpriv --reuid="$SERVICE_USER" --regid="$SERVICE_USER" --init-groups --no-new-privs)
    exec "${as[@]}" node_modules/.bin/node --run "$name" -- "$@"
  )
}

has_command() { grep -q "\"$2\":" "$PREFIX/releases/$1/package.json"; }

variable() { sed -n "s/^$1=//p" "$ENV_FILE" | tail -n 1; }

stop_service() { ${DIGGER_STOP:-systemctl stop digger}; }
start_service() { ${DIGGER_START:-systemctl start digger}; }

# `200`, `503`, or nothing where nobody answers.
health() {
  "$PREFIX/node/bin/node" -e "
    fetch('http://127.0.0.1:' + process.argv[1] + '/health', { signal: AbortSignal.timeout(5000) })
      .then((reply) => console.log(reply.status), () => undefined)" "$(variable PORT | grep . || echo 8081)"
}

# Whether the server answers within two minutes: well, or at all where it was not well before (the broker may be away at night).
comes_up() {
  local before=$1 answer end=$((SECONDS + 120))
  while [ "$SECONDS" -lt "$end" ]; do
    answer=$(health)
    if [ "$answer" = 200 ] || { [ -n "$answer" ] && [ "$before" = 503 ]; }; then return 0; fi
    sleep 2
  done
  return 1
}

# A backup beside those that the server itself takes, by the tool of RELEASE; prints its folder.
take_backup() {
  DIGGER_RELEASE=releases/$1 run_command backup "$BACKUPS/upgrades" >&2 || return 1
  ls -d "$BACKUPS"/upgrades/digger-* | sort | tail -n 1
}

as_service() { setpriv --reuid="$SERVICE_USER" --regid="$SERVICE_USER" --init-groups "$@"; }
