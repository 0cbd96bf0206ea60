import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { commandsOf, filledIn } from '../trials/install/page.ts'
import { openAt } from '../trials/install/exchange-day.ts'
import { since } from '../install/since-backup.mjs'
import { ROOT } from './sources.ts'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const steps = read('install/steps.sh')
const functions = [...steps.matchAll(/^(\w+)\(\) \{/gm)].map(([, name = '']) => name)
const home = mkdtempSync(join(tmpdir(), 'digger-steps-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** A line of bash with the steps at hand, on a folder of its own. */
const bash = (line: string): string =>
  execFileSync('bash', ['--norc', '-euc', `. ${ROOT}/install/steps.sh\n${line}`], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], DIGGER_PREFIX: join(home, 'opt'), DIGGER_ENV_FILE: join(home, 'digger.env') },
  }).trim()

describe('one file of steps is what all ways of installing are made of', () => {
  test('each RUN of the Containerfile is one of them, and the same ones as on a machine', () => {
    const runs = [...read('install/Containerfile').matchAll(/^RUN (.*)$/gm)].map(([, run = '']) => run)
    const called = runs.map((run) => /^bash -euc '\. \/\S+\/install\/steps\.sh; (\w+)(?: \/src)?'$/.exec(run)?.[1])
    expect(called).toEqual(['install_packages', 'install_node', 'install_dependencies', 'make_user', 'make_folders'])
    expect(functions).toEqual(expect.arrayContaining(called))
    const machine = read('install/install.sh')
    for (const step of called.filter((name) => name !== 'install_dependencies')) expect(machine).toContain(`  ${step}`)
    expect(steps).toMatch(/place_release\(\) \{[^}]*install_dependencies/)
  })

  test('no layer of the image has a secret, and nobody in it is root', () => {
    const [, last = ''] = read('install/Containerfile').split(/^FROM .*(?<! AS build)$/m)
    expect(last).toMatch(/^USER digger$/m)
    expect(last).toMatch(/^VOLUME \["\/data"/m)
    // `docker compose run --rm digger backup` is a command of Digger, not a program of the image.
    expect(last).toMatch(/^ENTRYPOINT \["bash", "install\/container\.sh"\]\nCMD \["start"\]$/m)
    expect(last).toMatch(/^HEALTHCHECK .*\/health/m)
    expect(read('install/Containerfile')).not.toMatch(/^(ARG|ENV) .*(PASSWORD|SECRET|TOKEN|KEY|DATABASE_URL)/m)
    expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['secrets', '.env', 'digger.env', 'data']))
    expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['secrets/', '.env', 'digger.env', 'data/']))
  })

  test('neither a release nor the image has the repository in it', () => {
    expect(read('.dockerignore').split('\n')).toContain('.git')
    expect(steps).toMatch(/place_release\(\) \{[^}]*git -C "\$source" archive /)
  })

  test.each(['install', 'upgrade', 'rollback', 'container'])('%s.sh is bash, and stops at what fails', (name) => {
    const text = read(`install/${name}.sh`)
    expect(text).toMatch(/^#!\/bin\/bash\n[^]*\nset -euo pipefail\n/)
    execFileSync('bash', ['-n', join(ROOT, `install/${name}.sh`)])
  })
})

test('the unit keeps what a person could lose by a hand’s slip', () => {
  const unit = read('install/digger.service').split('\n')
  const kept = [
    'User=digger',
    'ProtectSystem=strict',
    'NoNewPrivileges=yes',
    'PrivateTmp=yes',
    'CapabilityBoundingSet=',
  ]
  expect(unit).toEqual(
    expect.arrayContaining([...kept, 'LimitCORE=0', 'Restart=always', 'SystemCallFilter=@system-service']),
  )
  // V8 could not run.
  expect(unit.some((line) => line.startsWith('MemoryDenyWriteExecute='))).toBe(false)
  const stop = Number(unit.find((line) => line.startsWith('TimeoutStopSec='))?.split('=')[1])
  const ends = [...read('apps/digger/src/role.ts').matchAll(/: ([\d_]+)[,} ]/g)].map(([, ms = '']) =>
    Number(ms.replace('_', '')),
  )
  expect(ends.length).toBeGreaterThanOrEqual(3)
  expect(stop * 1_000).toBeGreaterThan(Math.max(...ends))
})

describe('the page', () => {
  const page = read('docs/install.md')
  test('has the commands that the trial types, and no line of them is left over', () => {
    const blocks = ['install', 'setup', 'start', 'look', 'upgrade', 'rollback']
    expect([...page.matchAll(/^```sh (\w+)$/gm)].map(([, name]) => name)).toEqual(blocks)
    for (const block of blocks) expect(commandsOf(page, block)).not.toEqual([])
  })
  test('names files that are there', () => {
    for (const [, path = ''] of page.matchAll(/`(install\/[\w.]+)`/g)) expect(read(path)).not.toBe('')
    expect(page.split('\n').length).toBeLessThanOrEqual(120)
  })
  test('what stands in angle brackets has to be given', () => {
    expect(filledIn('git clone <a b> /x', { 'a b': '/y' })).toBe('git clone /y /x')
    expect(() => filledIn('git clone <a> /x', {})).toThrow('<a>')
    expect(() => commandsOf(page, 'nothing')).toThrow('no block')
  })
})

describe('releases', () => {
  test('`current` is another release in one step, and the one before has a name', () => {
    for (const name of ['1', '2']) mkdirSync(join(home, 'opt/releases', name), { recursive: true })
    expect(
      bash(
        'release_of current; point current 1; release_of current; point previous "$(release_of current)"; point current 2; release_of current; release_of previous',
      ),
    ).toBe('1\n2\n1')
  })
  test('a release is named by version and commit; a word that names none is refused', () => {
    expect(bash(`release_name ${ROOT} HEAD`)).toMatch(/^\d+\.\d+\.\d+-[0-9a-f]{8}$/)
    expect(bash(`release_name ${ROOT} no-such-version || echo none`)).toBe('none')
  })
  test('a variable is read as it stands', () => {
    writeFileSync(join(home, 'digger.env'), '# x\nPORT=9\nDATABASE_URL=postgres:///digger?host=/run&x=1\n')
    expect(bash('variable DATABASE_URL; variable PORT; variable NONE')).toBe('postgres:///digger?host=/run&x=1\n9')
  })
})

test.each([
  ['', ['embedded']],
  ['postgres:///digger?host=/run', ['here', '5432', 'digger', 'postgres:///digger?host=/run', '']],
  ['postgres://a:p%40q@127.0.0.1:5433/d', ['here', '5433', 'd', 'postgres://a@127.0.0.1:5433/d', 'p@q']],
  ['postgres://a@[::1]/d?password=x', ['here', '5432', 'd', 'postgres://a@[::1]/d', 'x']],
  ['postgres://a:geheim@db.example.com/d', ['elsewhere', '5432', 'd', 'postgres://a@db.example.com/d', 'geheim']],
  ['postgres:///d%22;drop', ['elsewhere', '5432', 'd";drop', 'postgres:///d%22;drop', '']],
  ['digger', ['unreadable']],
])('where the database is, and its address without the password: %s', (address, lines) => {
  const env = { DATABASE_URL: address }
  const output = execFileSync(process.execPath, [join(ROOT, 'install/database-url.mjs')], { encoding: 'utf8', env })
  expect(output.slice(0, -1).split('\n').map(decodeURIComponent)).toEqual(lines.map(decodeURIComponent))
})

const backup = (migrations: string[], rows: Record<string, number>) => ({
  takenAt: 0,
  migrations,
  tables: Object.entries(rows).map(([name, count]) => ({ name, rows: count, sha256: `${name}${count}` })),
})

describe('what a roll-back would lose', () => {
  test.each([
    ['nothing happened', backup(['a'], { fact: 3 }), backup(['a'], { fact: 3 }), [], []],
    ['rows were written', backup(['a'], { fact: 3 }), backup(['a'], { fact: 5 }), [], ['fact: 3건 → 5건']],
    ['a table came', backup(['a'], {}), backup(['a', 'b'], { token: 1, empty: 0 }), ['b'], ['token: 0건 → 1건']],
    ['processes came and went', backup(['a'], { worker: 1 }), backup(['a'], { worker: 2 }), [], []],
  ])('%s', (_name, before, now, moved, changes) => expect(since(before, now)).toEqual({ moved, changes }))
})

test.each([
  ['2026-11-28T04:00:00Z', '2026-11-30T01:00:00Z'],
  ['2026-12-01T23:00:00Z', '2026-12-03T01:00:00Z'],
])('the exchange of the trial is open on the next weekday: at %s it is %s there', (now, there) => {
  expect(new Date(Date.parse(now) + openAt(Date.parse(now))).toISOString()).toBe(there.replace('Z', '.000Z'))
})
