import { execFile } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Lab } from './install-lab.ts'

// Each move is some hundred small processes.
vi.setConfig({ testTimeout: 90_000 })

let lab: Lab
beforeEach(async () => void (lab = await Lab.open()))
afterEach(() => lab[Symbol.asyncDispose]())

const POSTGRES = 'DATABASE_URL=postgres:///digger?host=/run/postgresql\n'
const without = (script: string, number: number): void =>
  writeFileSync(
    lab.path(`opt/releases/${lab.name(number)}/package.json`),
    JSON.stringify({ scripts: { backup: '-', verify: '-', [script]: undefined } }),
  )

describe('an upgrade', () => {
  test('goes to the next version and knows the one before', async () => {
    const { code, output } = await lab.upgrade(2)
    expect([code, output]).toEqual([0, expect.stringContaining('올렸습니다')])
    expect(lab.state()).toEqual({ current: 2, previous: 1, running: true })
    expect(readdirSync(lab.path('opt/releases'))).toHaveLength(2)
  })

  test.each([
    ['PostgreSQL: the server is not even stopped', POSTGRES, [/^verify/]],
    ['the embedded database: it is started again', '', [/^stop/, /^verify/, /^start/]],
  ])('books that differ before are said, and nothing changes; with %s', async (_name, variables, log) => {
    lab.variables(variables)
    for (const name of lab.names) lab.mark(`verify-bad-${name}`)
    const { code, output } = await lab.upgrade(2)
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/지금 장부가 이미 맞지 않습니다.*아무것도 바꾸지 않았습니다/),
    ])
    expect(lab.state()).toEqual({ current: 1, previous: 0, running: true })
    expect(lab.log()).toEqual(log.map((line) => expect.stringMatching(line)))
  })

  test('the copy of before cannot be kept: the old version goes on', async () => {
    without('restore', 1)
    rmSync(lab.path('data/database'), { recursive: true })
    expect((await lab.upgrade(2)).code).toBe(1)
    expect(lab.state()).toEqual({ current: 1, previous: 0, running: true })
  })

  test.each(['SIGHUP', 'SIGINT'] as const)('%s between stop and start leaves no server off', async (signal) => {
    lab.mark('slow-backup')
    let pid = 0
    const ended = lab.upgrade(2, (id) => (pid = id))
    await vi.waitFor(() => expect(lab.log().join()).toContain('backup'), { timeout: 10_000 })
    expect(lab.isRunning()).toBe(false)
    process.kill(pid, signal)
    await ended
    expect(lab.state()).toEqual({ current: 1, previous: 0, running: true })
  })

  test('a version that fails is removed, and what one could go back to before is as it was', async () => {
    await lab.upgrade(2)
    const before = lab.remembered()
    writeFileSync(lab.path('log'), '')
    lab.mark(`verify-bad-${lab.name(3)}`)
    rmSync(lab.path(`opt/releases/${lab.name(3)}`), { recursive: true, force: true })
    lab.place(3)
    expect((await lab.upgrade(3)).output).toContain(`${lab.name(2)}로 되돌렸습니다`)
    expect(lab.state()).toEqual({ current: 2, previous: 1, running: true })
    expect(lab.remembered()).toBe(before)
    expect(readdirSync(lab.path('opt/releases'))).not.toContain(lab.name(3))
    await lab.rollback()
    expect(lab.state()).toEqual({ current: 1, previous: 2, running: true })
  })

  test('one that answers badly may have traded: it is left running, and no row is given up', async () => {
    lab.migrates(2)
    lab.answers.set(lab.name(2), 503)
    const { code, output } = await lab.upgrade(2)
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/\/health가 나쁩니다.*그대로 두었습니다.*digger rollback/),
    ])
    expect(lab.state()).toEqual({ current: 2, previous: 1, running: true })
    expect(lab.database().migrations).toEqual(['a', 'b'])
  })

  test('a disk that is full meanwhile keeps no failed version in use where the tables are the same', async () => {
    lab.answers.delete(lab.name(2))
    const ended = lab.upgrade(2)
    await vi.waitFor(() => expect(lab.log().join()).toContain('start'), { timeout: 10_000 })
    for (const name of lab.names) lab.mark(`backup-bad-${name}`)
    await ended
    expect(lab.state()).toEqual({ current: 1, previous: 0, running: true })
  })

  test('and where they moved, the server is left off and that is said', async () => {
    lab.migrates(2)
    lab.answers.delete(lab.name(2))
    const ended = lab.upgrade(2)
    await vi.waitFor(() => expect(lab.log().join()).toContain('start'), { timeout: 10_000 })
    for (const name of lab.names) lab.mark(`backup-bad-${name}`)
    expect((await ended).output).toContain('끈 채로 두었습니다')
    expect(lab.state()).toEqual({ current: 2, previous: 1, running: false })
  })

  test('a server that was off stays off', async () => {
    lab.unmark('running')
    expect((await lab.upgrade(2)).output).toContain('꺼져 있던 그대로')
    expect(lab.state()).toEqual({ current: 2, previous: 1, running: false })
    await lab.rollback()
    expect(lab.state()).toEqual({ current: 1, previous: 2, running: false })
  })

  test('two at once: the second one is refused', async () => {
    lab.mark('slow-backup')
    const first = lab.upgrade(2)
    await vi.waitFor(() => expect(lab.log().join()).toContain('backup'), { timeout: 10_000 })
    const second = await Promise.all([lab.upgrade(3), lab.rollback()])
    for (const { code, output } of second) expect([code, output]).toEqual([1, expect.stringContaining('하고 있습니다')])
    expect((await first).code).toBe(0)
  })

  test('the name of a branch is that of its origin, not what the clone once had', async () => {
    lab.git('clone', '--quiet', '--bare', '.', lab.path('origin.git'))
    lab.git('remote', 'set-url', 'origin', lab.path('origin.git'))
    lab.git('--git-dir', lab.path('origin.git'), 'branch', 'next', lab.commit(3))
    lab.git('branch', 'next', lab.commit(2))
    expect((await lab.digger(['upgrade', 'next'])).code).toBe(0)
    expect(lab.state().current).toBe(3)
  })
})

describe('a roll-back', () => {
  test('on the same tables moves the link, also over books that differ', async () => {
    await lab.upgrade(2)
    for (const name of lab.names) lab.mark(`verify-bad-${name}`)
    expect((await lab.rollback()).code).toBe(0)
    expect(lab.state()).toEqual({ current: 1, previous: 2, running: true })
  })

  test('says what would be lost, and changes nothing', async () => {
    lab.migrates(2)
    await lab.upgrade(2)
    lab.rows(['a', 'b'], 10)
    const { code, output } = await lab.rollback()
    expect([code, output]).toEqual([1, expect.stringMatching(/fact: 3건 → 10건[^]*--lose-since/)])
    expect(lab.state()).toEqual({ current: 2, previous: 1, running: true })
    expect(lab.database().tables[0]?.rows).toBe(10)
  })

  test('there and back again puts back what was last, not what was first', async () => {
    lab.migrates(2)
    await lab.upgrade(2)
    await lab.rollback('--lose-since')
    lab.rows(['a'], 500)
    await lab.rollback()
    expect(lab.state()).toEqual({ current: 2, previous: 1, running: true })
    await lab.rollback('--lose-since')
    expect(lab.state()).toEqual({ current: 1, previous: 2, running: true })
    expect(lab.database()).toMatchObject({ migrations: ['a'], tables: [{ rows: 500 }] })
  })

  test.each([
    ['between the links', 1, 'previous', 2],
    ['after both links', 1, 'current', 1],
  ])('cut off %s is finished by the next one', async (_name, previous, link, at) => {
    lab.migrates(2)
    await lab.upgrade(2)
    lab.mark(`restore-bad-${lab.name(1)}`)
    await lab.rollback('--lose-since')
    lab.unmark(`restore-bad-${lab.name(1)}`)
    lab.point('previous', lab.name(previous + 1))
    lab.point(link, lab.name(at))
    expect((await lab.rollback()).code).toBe(0)
    expect(lab.state()).toEqual({ current: 1, previous: 2, running: true })
    expect(lab.database().migrations).toEqual(['a'])
  })

  test.each(['postgres://digger:geheim@db.example.com/digger', 'postgres:///dig"ger'])(
    'on %s is refused with its order by hand, before anything is stopped',
    async (address) => {
      lab.migrates(2)
      await lab.upgrade(2)
      lab.variables(`DATABASE_URL=${address}\n`)
      writeFileSync(lab.path('log'), '')
      const { code, output } = await lab.rollback('--lose-since')
      expect([code, output]).toEqual([1, expect.stringMatching(/손으로 하는 순서/)])
      expect([lab.log(), lab.state().running]).toEqual([[''], true])
    },
  )
})

describe('a command', () => {
  test('gets the last line of the file without its end, and nothing of the caller', async () => {
    lab.variables('DATABASE_URL=postgres:///digger')
    expect((await lab.digger(['show'])).output).toContain(`DATABASE_URL=postgres:///digger STRAY= HOME=${lab.home}`)
  })

  test('upgrade goes on when its terminal goes away', async () => {
    lab.mark('slow-backup')
    const digger = lab.path('opt/install/digger')
    const terminal = execFile('script', ['-qec', `bash ${digger} upgrade ${lab.commit(2)}`, '/dev/null'], {
      env: lab.env(),
    })
    await vi.waitFor(() => expect(lab.log().join()).toContain('backup'), { timeout: 10_000 })
    terminal.kill('SIGKILL')
    await vi.waitFor(() => expect(lab.state()).toEqual({ current: 2, previous: 1, running: true }), { timeout: 20_000 })
    await vi.waitFor(() => expect(readdirSync(lab.path('opt/releases'))).toHaveLength(2), { timeout: 10_000 })
  })
})
