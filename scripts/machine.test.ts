import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mayInstall, prepareMachine, type Program, verdict } from './machine.mjs'

const program = (name: string, isHere: () => boolean): Program => ({
  name,
  debian: name.toLowerCase(),
  byHand: `get ${name}`,
  unrun: `tests with ${name}`,
  isHere,
})
const CHROMIUM = program('Chromium', () => false)
const POSTGRES = program('PostgreSQL', () => false)

const unreachable = async () => expect.unreachable()

describe('what may be installed outside the project', () => {
  const lines: string[] = []
  const questions: string[] = []
  beforeEach(() => {
    lines.length = 0
    questions.length = 0
  })
  const asked = (answer: boolean) => ({
    args: [],
    env: {},
    isTerminal: false,
    say: (line: string) => void lines.push(line),
    ask: async (question: string) => {
      questions.push(question)
      return answer
    },
  })

  test.each([
    ['a build machine', { env: { CI: '1' } }],
    ['whoever says --install', { args: ['--install'] }],
  ])('%s agrees, without a question', async (_name, consent) => {
    expect(await mayInstall([CHROMIUM], { ...asked(false), ...consent })).toBe(true)
    expect(questions).toEqual([])
  })

  test('--no-install refuses, even on a build machine and on a terminal', async () => {
    const consent = { ...asked(true), args: ['--no-install'], env: { CI: '1' }, isTerminal: true }
    expect(await mayInstall([CHROMIUM], consent)).toBe(false)
    expect(questions).toEqual([])
  })

  test.each([true, false])('a person at a terminal decides: %s', async (answer) => {
    expect(await mayInstall([CHROMIUM, POSTGRES], { ...asked(answer), isTerminal: true })).toBe(answer)
    expect(questions).toHaveLength(1)
    expect(questions[0]).toContain('as root: apt-get install chromium postgresql?')
    expect(questions[0]).toContain('--no-install')
  })

  test('where nobody can be asked nothing is installed, and the line says how to', async () => {
    expect(await mayInstall([CHROMIUM], asked(true))).toBe(false)
    expect(lines[0]).toContain('npm test -- --install')
  })

  test('only what is missing is installed, and what could not be is named', async () => {
    const here = new Set(['Git'])
    const programs = ['Git', 'Chromium', 'PostgreSQL'].map((name) => program(name, () => here.has(name)))
    const installed: string[] = []
    const still = await prepareMachine({
      ...asked(true),
      programs,
      possible: true,
      isTerminal: true,
      install: async (debian) => {
        installed.push(debian)
        if (debian === 'postgresql') throw new Error('no network')
        here.add('Chromium')
      },
    })
    expect(installed).toEqual(['chromium', 'postgresql'])
    expect(still.map(({ name }) => name)).toEqual(['PostgreSQL'])
    expect(lines.join('\n')).toMatch(/PostgreSQL: cannot be installed here \(no network\)\nPostgreSQL: none here; get/)
  })

  test('nobody is asked where nothing can be installed', async () => {
    const still = await prepareMachine({
      ...asked(true),
      programs: [CHROMIUM],
      possible: false,
      isTerminal: true,
      install: unreachable,
    })
    expect(still).toEqual([CHROMIUM])
    expect(questions).toEqual([])
  })
})

test('browser tests that were not run are no pass, unless a flag leaves them out', () => {
  const notRun = 'NOT RUN: tests with Chromium, because Chromium is missing (get Chromium)'
  expect(verdict([CHROMIUM], { args: [] })).toEqual({
    lines: [notRun, 'This is no pass: say npm test -- --without-browser to go without.'],
    code: 2,
  })
  expect(verdict([CHROMIUM], { args: ['--without-browser'] })).toEqual({ lines: [notRun], code: 0 })
  expect(verdict([POSTGRES], { args: [] })).toMatchObject({ lines: [expect.stringContaining('NOT RUN')], code: 0 })
  expect(verdict([], { args: [] })).toEqual({ lines: [], code: 0 })
})

describe('npm test, around a pretended project', () => {
  const SCRIPTS = import.meta.dirname
  const NODE = join(SCRIPTS, '../node_modules/.bin/node')
  let root = ''
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { mode: 0o755 })
  }
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'digger-npm-test-'))
    for (const script of ['setup', 'pinned-node', 'test', 'machine', 'commits'])
      cpSync(join(SCRIPTS, `${script}.mjs`), join(root, `scripts/${script}.mjs`), { recursive: true })
    const postgres = 'packages/database/test/find-postgres.mjs'
    put(postgres, "export const findPostgres = () => '/usr/bin'")
    put('packages/cluster/test/find-nats.mjs', "export const findNats = () => '/usr/bin/nats-server'")
    put('simulation/model/find-spin.mjs', "export const findSpin = () => '/usr/bin/spin'")
    put('package.json', '{ "type": "module" }')
    put('package-lock.json', '{}')
    put('packages/web/src/main.tsx', '')
    put('packages/web/dist/index.html', '')
    put('node_modules/.package-lock.json', '{}')
    for (const part of ['vitest/vitest.mjs', '@playwright/test/cli.js'])
      put(`node_modules/${part}`, `console.log('ran ${part}')`)
    put('bin/npm', '#!/bin/sh\n')
    put('bin/apt-get', '#!/bin/sh\necho "apt-get $@"\n')
    mkdirSync(join(root, 'node_modules/.bin'))
    symlinkSync(realpathSync(NODE), join(root, 'node_modules/.bin/node'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))
  const npmTest = (env: Record<string, string>, ...args: string[]) => {
    const PATH = `${join(root, 'bin')}:/bin:/usr/bin`
    const options = { encoding: 'utf8', env: { PATH, CHROMIUM_PATH: join(root, 'bin/chromium'), ...env } } as const
    return spawnSync(NODE, [join(root, 'scripts/test.mjs'), ...args], { ...options, stdio: 'pipe', cwd: root })
  }

  test('without Chromium and without consent the rest runs, nothing is installed, and it is no pass', () => {
    const { status, stdout } = npmTest({})
    expect(stdout).toContain('ran vitest')
    expect(stdout).not.toContain('ran @playwright')
    expect(stdout).not.toMatch(/^apt-get /m)
    expect(stdout).toMatch(/NOT RUN: browser tests, because Chromium is missing .*\nThis is no pass.*\n$/)
    expect(status).toBe(2)
    expect(npmTest({}, '--without-browser').status).toBe(0)
  })

  test('a build machine installs by itself, and fails where it could not', () => {
    const { status, stdout, stderr } = npmTest({ CI: '1' })
    const asRoot = process.getuid?.() === 0
    expect(stdout.includes('apt-get -q install -y --no-install-recommends chromium')).toBe(asRoot)
    expect([status, stderr]).toEqual([1, 'error: Chromium is missing, see above.\n'])
  })

  test('with Chromium all of it runs', () => {
    put('bin/chromium', '#!/bin/sh\n')
    const { status, stdout } = npmTest({})
    expect(stdout).toMatch(/ran vitest[^]*ran @playwright/)
    expect(stdout).not.toContain('NOT RUN')
    expect(status).toBe(0)
  })
})
