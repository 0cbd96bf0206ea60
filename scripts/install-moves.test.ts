import { existsSync, readdirSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Lab } from './install-lab.ts'

// Each move is some hundred small processes.
vi.setConfig({ testTimeout: 90_000 })

let lab: Lab
beforeEach(async () => void (lab = await Lab.open()))
afterEach(() => lab[Symbol.asyncDispose]())

const POSTGRES = 'DATABASE_URL=postgres:///digger?host=/run/postgresql\n'

/** One of each kind of mend; every moment at which a move can be cut off is in `install-moves.prove.ts`. */
describe('an upgrade', () => {
  test('SIGTERM between stop and start leaves no server off', async () => {
    lab.mark('slow-backup')
    let pid = 0
    const ended = lab.upgrade(2, (id) => (pid = id))
    await vi.waitFor(() => expect(lab.log().join()).toContain('backup'), { timeout: 10_000 })
    expect(lab.isRunning()).toBe(false)
    process.kill(pid, 'SIGTERM')
    await ended
    expect(lab.state()).toEqual({ current: 1, previous: 0, running: true })
  })

  test('where nobody ever answered, the rows of before are put back', async () => {
    lab.migrates(2)
    lab.answers.delete(lab.name(2))
    expect((await lab.upgrade(2)).code).toBe(1)
    expect(lab.state()).toEqual({ current: 1, previous: 0, running: true })
    expect(lab.database().migrations).toEqual(['a'])
  })

  test('cut off after the link, it is finished by saying it again: the books are looked at', async () => {
    lab.variables(POSTGRES)
    lab.point('current', lab.name(2))
    rmSync(lab.path('opt/install/since-backup.mjs'))
    lab.mark(`verify-bad-${lab.name(2)}`)
    const { code, output } = await lab.upgrade(2)
    expect([code, output]).toEqual([1, expect.stringContaining('장부가 맞지 않습니다')])
    expect(existsSync(lab.path('opt/install/since-backup.mjs'))).toBe(true)
  })
})

describe('a roll-back', () => {
  test('that is cut off while rows are put back starts nothing, and is finished by the next one', async () => {
    lab.migrates(2)
    await lab.upgrade(2)
    lab.mark(`restore-bad-${lab.name(1)}`)
    expect((await lab.rollback('--lose-since')).code).toBe(1)
    expect(lab.state()).toEqual({ current: 2, previous: 1, running: false })
    expect((await lab.upgrade(3)).output).toContain('먼저 digger rollback')
    lab.unmark(`restore-bad-${lab.name(1)}`)
    expect((await lab.rollback()).output).toContain('이어서')
    expect(lab.state()).toEqual({ current: 1, previous: 2, running: true })
    expect(lab.database().migrations).toEqual(['a'])
    expect(existsSync(lab.path('opt/moving'))).toBe(false)
    expect(readdirSync(lab.path('data')).filter((name) => name.startsWith('database.newer-'))).toHaveLength(1)
  })
})
