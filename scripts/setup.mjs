// Brings a checkout to where it can run: packages installed, web client built. Safe to run again at any time.
// With --hooks it installs the check of commit messages instead.
// Plain JavaScript for Node 20, because it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { delimiter, join, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compareNode } from './pinned-node.mjs'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
const HOOKS = 'scripts/hooks'
const BIN = join(ROOT, 'node_modules', '.bin')
/** The Node this project is pinned to, whatever the machine has. */
export const NODE = join(BIN, 'node')

/** What the web client is made of. */
const WEB_SOURCES = [
  'packages/web/src',
  'packages/web/public',
  'packages/web/index.html',
  'packages/web/vite.config.ts',
  'packages/web/build',
  'packages/web/worker',
  'packages/web/package.json',
  'packages/contract/src',
  'packages/core/src',
  'package-lock.json',
]
const WEB_BUILT = 'packages/web/dist/index.html'

/** A cause a person can act on; shown without a stack. */
export class SetupError extends Error {}

export function setup() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 20) throw new SetupError(`Node ${process.versions.node} is too old: install Node 20 or newer.`)
  install()
  buildWeb()
}

export function install() {
  const why = staleInstall()
  if (!why) {
    say('packages: current')
    return checkNode()
  }
  say(`packages: npm ci, because ${why}`)
  // Whatever npm is set to: no package runs a program of its own here.
  npm(['ci', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'])
  // But this one, which fetches the pinned Node.
  npm(['rebuild', 'node', '--loglevel=error', '--ignore-scripts=false'])
  if (checkNode() === 'unknown')
    say(`Node ${pinnedVersion()}: its hash for this machine is not known, so it was not compared`)
}

function npm(args) {
  const [command = ''] = args
  // Not on the pinned Node: npm ci is about to delete it.
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== BIN.replace(/\/$/, ''))
  const done = spawnSync('npm', args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: path.join(delimiter) },
  })
  if (done.error)
    throw new SetupError(`npm could not be started (${done.error.message}): is npm installed and on the PATH?`)
  if (done.status !== 0) {
    const needs = 'the package registry, and a package-lock.json that fits package.json'
    throw new SetupError(`npm ${command} failed (exit ${done.status}), see its message above; it needs ${needs}.`)
  }
}

/**
 * Its install script asks the registry, and package-lock.json holds no hash of what comes. Compared before every use (a
 * tenth of a second): an install that was refused or cut short must not be run by the next start.
 */
function checkNode() {
  if (!existsSync(NODE))
    throw new SetupError(
      'there is no node_modules/.bin/node: the install script of the package "node" did not make it.',
    )
  const version = pinnedVersion()
  const result = compareNode(NODE, version)
  if (result !== 'different') return result
  removeNode()
  throw new SetupError(
    `node_modules/.bin/node was not the Node ${version} whose hash is in scripts/pinned-node.mjs: it was removed. ` +
      'Ask where it came from before you install again.',
  )
}

const pinnedVersion = () => JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).dependencies?.node

/** npm puts node_modules/.bin first: a Node that stayed there would run the next script. */
function removeNode() {
  const program = realpathSync(NODE)
  rmSync(NODE)
  // What a link outside points at belongs to somebody else.
  if (program.startsWith(realpathSync(join(ROOT, 'node_modules')) + sep)) rmSync(program, { force: true })
}

/** Only where asked for, and never over hooks that somebody chose. */
function installHooks() {
  const git = (...args) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  const { status, stdout } = git('rev-parse', '--git-path', 'hooks')
  if (status !== 0) throw new SetupError('hooks need a git checkout.')
  const chosen = git('config', 'core.hooksPath').stdout.trim()
  if (chosen === HOOKS) return say('hooks: current')
  const folder = resolve(ROOT, stdout.trim())
  const own = existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith('.sample')) : []
  if (chosen !== '' || own.length > 0)
    throw new SetupError(
      `hooks of your own are in ${chosen || folder}: call scripts/hooks/commit-msg from there, nothing was changed.`,
    )
  git('config', 'core.hooksPath', HOOKS)
  say(`hooks: git now runs those of ${HOOKS} (git config --unset core.hooksPath ends it)`)
}

function staleInstall() {
  const installed = join(ROOT, 'node_modules', '.package-lock.json')
  if (!existsSync(installed)) return 'node_modules is missing'
  if (!existsSync(NODE)) return 'the pinned Node is missing'
  return changedAt(join(ROOT, 'package-lock.json')) > changedAt(installed)
    ? 'package-lock.json is newer than node_modules'
    : ''
}

export function buildWeb() {
  const why = staleWeb()
  if (!why) return say('web client: current')
  say(`web client: building, because ${why}`)
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const done = spawnSync(NODE, [vite, 'build', 'packages/web', '--logLevel', 'warn'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (done.error) throw new SetupError(`the pinned Node could not be started: ${done.error.message}`)
  if (done.status !== 0)
    throw new SetupError(`the web client could not be built (exit ${done.status}): see the message above.`)
}

function staleWeb() {
  const built = changedAt(join(ROOT, WEB_BUILT))
  if (!built) return 'it was never built'
  const newer = WEB_SOURCES.find((source) => changedAt(join(ROOT, source)) > built)
  return newer ? `${newer} changed since` : ''
}

/** Last change of a file, or the latest of all files under a folder; 0 when there is none. */
function changedAt(path) {
  if (!existsSync(path)) return 0
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  // A folder's own time counts too: a deleted file changes nothing else.
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))))
}

export function say(text) {
  console.log(`setup: ${text}`)
}

/** Runs a script's body; a known cause is shown as one line, anything else with its stack. */
export async function main(body) {
  try {
    await body()
  } catch (error) {
    console.error(error instanceof SetupError ? `error: ${error.message}` : error)
    process.exitCode = 1
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await main(process.argv.includes('--hooks') ? installHooks : setup)
