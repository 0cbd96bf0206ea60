import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const SCRIPTS = import.meta.dirname
const NODE = join(SCRIPTS, '../node_modules/.bin/node')
const HOUR_AGO = Date.now() / 1000 - 3600

/** A checkout in small: our scripts around a pretend Vite and a pretend server. */
let root = ''
const at = (path: string) => join(root, path)
function put(path: string, text: string, changed?: number): void {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text, { mode: 0o755 })
  if (changed !== undefined) utimesSync(at(path), changed, changed)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'digger-scripts-'))
  for (const script of ['setup.mjs', 'pinned-node.mjs', 'start.mjs'])
    cpSync(join(SCRIPTS, script), at(`scripts/${script}`), { recursive: true })
  put('package.json', '{ "type": "module" }')
  put('package-lock.json', '{}', HOUR_AGO)
  put('node_modules/.package-lock.json', '{}', HOUR_AGO)
  put(
    'node_modules/vite/bin/vite.js',
    `import { mkdirSync, writeFileSync } from 'node:fs'
    mkdirSync('packages/web/dist', { recursive: true }); writeFileSync('packages/web/dist/index.html', '')`,
  )
  put('packages/web/src/main.tsx', '')
  mkdirSync(at('node_modules/.bin'))
  symlinkSync(realpathSync(NODE), at('node_modules/.bin/node'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function setup(path = process.env['PATH'] ?? ''): { code: number | null; out: string } {
  const done = spawnSync(NODE, [at('scripts/setup.mjs')], { encoding: 'utf8', env: { PATH: path } })
  return { code: done.status, out: done.stdout + done.stderr }
}

/** As if the hash written down were that of another program. */
function expectOther(version: string): void {
  const pinned = readFileSync(join(SCRIPTS, 'pinned-node.mjs'), 'utf8')
  put('scripts/pinned-node.mjs', pinned.replaceAll('24.21.0', version).replaceAll(/'[0-9a-f]{64}'/g, "'00'"))
}

describe('setup', () => {
  test('builds what was never built, then leaves it alone until a source changes', () => {
    expect(setup()).toEqual({
      code: 0,
      out: 'setup: packages: current\nsetup: web client: building, because it was never built\n',
    })
    expect(setup().out).toContain('web client: current')
    const later = Date.now() / 1000 + 60
    put('packages/web/src/main.tsx', 'changed', later)
    expect(setup().out).toContain('web client: building, because packages/web/src changed since')
  })

  test('installs when the lock file is newer, and names npm’s failure', () => {
    put('package-lock.json', '{ }', HOUR_AGO + 60)
    put('bin/npm', '#!/bin/sh\nexit 3\n')
    expect(setup(`${at('bin')}:/bin:/usr/bin`)).toEqual({
      code: 1,
      out:
        'setup: packages: npm ci, because package-lock.json is newer than node_modules\n' +
        'error: npm ci failed (exit 3), see its message above; it needs the package registry, and a package-lock.json that fits package.json.\n',
    })
  })

  test('lets no package run a program on installation but node', () => {
    rmSync(at('node_modules/.package-lock.json'))
    put('bin/npm', `#!/bin/sh\necho "$@" >> '${at('calls')}'\n`)
    expect(setup(`${at('bin')}:/bin:/usr/bin`).code).toBe(0)
    const [ci, rebuild, ...others] = readFileSync(at('calls'), 'utf8').trim().split('\n')
    expect(ci).toMatch(/^ci .*--ignore-scripts$/)
    expect(rebuild).toMatch(/^rebuild node .*--ignore-scripts=false$/)
    expect(others).toEqual([])
  })

  test('does not go on with a Node that is not the one whose hash is known', () => {
    rmSync(at('node_modules/.package-lock.json'))
    put('package.json', '{ "type": "module", "dependencies": { "node": "1.0.0" } }')
    put('bin/npm', '#!/bin/sh\nexit 0\n')
    const path = `${at('bin')}:/bin:/usr/bin`
    expect(setup(path).out).toContain('Node 1.0.0: its hash for this machine is not known, so it was not compared')
    expectOther('1.0.0')
    expect(setup(path)).toMatchObject({ code: 1, out: expect.stringContaining('was not the Node 1.0.0 whose hash') })
    // A link to a program outside of the checkout goes, the program stays.
    expect([existsSync(NODE), existsSync(at('node_modules/.bin/node'))]).toEqual([true, false])
  })

  test('runs a Node that was refused at no later start either, although the packages are current', () => {
    put('package.json', '{ "type": "module", "dependencies": { "node": "1.0.0" } }')
    rmSync(at('node_modules/.bin/node'))
    put('node_modules/node/bin/node', `#!/bin/sh\necho ran > '${at('ran')}'\n`)
    symlinkSync('../node/bin/node', at('node_modules/.bin/node'))
    expectOther('1.0.0')
    expect(setup()).toMatchObject({ code: 1, out: expect.stringContaining('was not the Node 1.0.0 whose hash') })
    expect(
      ['ran', 'node_modules/.bin/node', 'node_modules/node/bin/node'].filter((path) => existsSync(at(path))),
    ).toEqual([])
    put('bin/npm', '#!/bin/sh\nexit 3\n')
    const again = setup(`${at('bin')}:/bin:/usr/bin`).out
    expect(again).toContain('npm ci, because the pinned Node is missing')
  })

  test('says that npm itself is missing', () => {
    rmSync(at('node_modules'), { recursive: true })
    const { code, out } = setup(at('bin'))
    expect(code).toBe(1)
    expect(out).toMatch(/because node_modules is missing\nerror: npm could not be started .*is npm installed/)
  })

  test('says that the pinned Node was not installed', () => {
    rmSync(at('node_modules/.bin/node'))
    put('bin/npm', '#!/bin/sh\nexit 0\n')
    expect(setup(`${at('bin')}:/bin:/usr/bin`).out).toContain(
      'the install script of the package "node" did not make it',
    )
  })

  test('says that the web client does not build', () => {
    put('node_modules/vite/bin/vite.js', 'process.exit(2)')
    expect(setup()).toMatchObject({ code: 1, out: expect.stringContaining('could not be built (exit 2)') })
  })
})

const hooks = () => spawnSync(NODE, [at('scripts/setup.mjs'), '--hooks'], { encoding: 'utf8', cwd: root })
const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim()

describe('the check of commit messages', () => {
  beforeEach(() => void git('init', '-q', '--template='))

  test('is installed where it is asked for, and only there', () => {
    setup()
    expect(git('config', '--local', 'core.hooksPath')).toBe('')
    expect(hooks()).toMatchObject({ status: 0, stdout: expect.stringContaining('git now runs those of scripts/hooks') })
    expect(git('config', '--local', 'core.hooksPath')).toBe('scripts/hooks')
    expect(hooks().stdout).toContain('hooks: current')
  })

  test('never takes the place of hooks that somebody has', () => {
    put('.git/hooks/commit-msg', '#!/bin/sh\n')
    expect(hooks()).toMatchObject({ status: 1, stderr: expect.stringContaining('hooks of your own are in') })
    expect(git('config', '--local', 'core.hooksPath')).toBe('')
    git('config', 'core.hooksPath', '/somewhere')
    expect(hooks()).toMatchObject({ status: 1, stderr: expect.stringContaining('hooks of your own are in /somewhere') })
    expect(git('config', 'core.hooksPath')).toBe('/somewhere')
  })
})

describe('start', () => {
  test('passes the exit code of the server on', () => {
    put('apps/digger/src/main.ts', 'process.exit(7)')
    expect(spawnSync(NODE, [at('scripts/start.mjs')]).status).toBe(7)
  })

  test('lets no signal open the inspector', () => {
    put('apps/digger/src/main.ts', `process.exit(process.execArgv.includes('--disable-sigusr1') ? 8 : 9)`)
    expect(spawnSync(NODE, [at('scripts/start.mjs')]).status).toBe(8)
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'passes %s on and waits for the server to finish',
    async (signal) => {
      put(
        'apps/digger/src/main.ts',
        `const alive = setInterval(() => {}, 1000)
      process.on('${signal}', () => { console.log('down'); clearInterval(alive); process.exitCode = 5 })
      console.log('up')`,
      )
      const started = spawn(NODE, [at('scripts/start.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
      let out = ''
      started.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text
        if (text.includes('up\n')) started.kill(signal)
      })
      expect(await once(started, 'close')).toEqual([5, null])
      expect(out).toMatch(/up\ndown\n$/)
    },
  )
})
