import { mkdirSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS, kstInstant } from '@digger/core'
import { TestClock } from '@digger/database/testing'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { isDue } from '../src/daily.ts'
import { listBackups, removeOld, startDaily, takeBackup } from '../src/index.ts'
import { KIND, Places, temporaryFolder, type Trading } from './fixture.ts'

const places = new Places()
const at = temporaryFolder()
const time = (day: string, clock: string): number => kstInstant(day, clock)
let trading: Trading
let count = 0

beforeAll(async () => {
  trading = await places.trading(KIND)
  await trading.addUser('first')
  return () => trading.close()
})

const take = (into: string, takenAt: number) => takeBackup({ pool: trading.database.pool, kind: KIND, takenAt }, into)

describe('a backup is due', () => {
  test.each<[string, number | null, number, boolean]>([
    ['where there is none', null, time('20261120', '120000'), true],
    ['before half past five of the first day', null, time('20261120', '052959'), true],
    ['at half past five', time('20261119', '053001'), time('20261120', '053000'), true],
    ['not a second before', time('20261119', '053001'), time('20261120', '052959'), false],
    ['not where today’s is there', time('20261120', '053000'), time('20261120', '235959'), false],
    ['after the night', time('20261120', '053000'), time('20261121', '052959'), false],
    ['where yesterday’s was missed', time('20261119', '052959'), time('20261120', '052959'), true],
  ])('%s', (_, newest, now, due) => {
    expect(isDue(newest, now)).toBe(due)
  })

  test('once in 24 hours, whenever one looks', () => {
    const instant = fc.integer({ min: time('20260101', '000000'), max: time('20271231', '235959') })
    fc.assert(
      fc.property(instant, (now) => {
        expect(isDue(now, now)).toBe(false)
        expect(isDue(now - DAY_MS, now)).toBe(true)
      }),
    )
  })
})

const always = (): boolean => true
const never = (): boolean => false

function started({ isMine = always, fails = never }: { isMine?: () => boolean; fails?: () => boolean } = {}) {
  const into = at(`daily-${++count}`)
  const clock = new TestClock(time('20261120', '100000'))
  let aheadMs = 0
  const now = () => clock.now() + aheadMs
  const runs: number[] = []
  const failures: unknown[] = []
  const daily = startDaily({
    clock: { now, after: (ms, run) => clock.after(ms, run) },
    into,
    isMine,
    async run() {
      runs.push(now())
      if (fails()) throw new Error('the disk is full')
      await take(into, now())
    },
    failed: (error) => failures.push(error),
  })
  const advance = async (ms: number) => {
    for (let rest = ms; rest > 0; rest -= 600_000) {
      clock.advance(Math.min(rest, 600_000))
      await daily.idle()
    }
  }
  return { into, clock, runs, failures, daily, advance, setAhead: (ms: number) => (aheadMs = ms) }
}

describe('each day', { timeout: 60_000 }, () => {
  test('one is taken, the first at once, and its age is known', async () => {
    const { runs, daily, advance, clock } = started()
    await advance(600_000)
    expect(runs).toHaveLength(1)
    await advance(3 * DAY_MS)
    daily.stop()
    expect(runs.slice(1).map((run) => kstOf(run))).toEqual(['0530', '0530', '0530'])
    expect(daily.failure).toBe(null)
    expect(clock.now() - (daily.newestAt ?? 0)).toBeLessThan(DAY_MS)
  })

  test('a failure is told until one goes well, and is tried again after an hour', async () => {
    let isFull = true
    const { runs, failures, daily, advance } = started({ fails: () => isFull })
    await advance(600_000)
    expect([daily.failure, failures.length, runs.length, daily.newestAt]).toEqual(['the disk is full', 1, 1, null])
    await advance(3_000_000)
    expect(runs).toHaveLength(1)
    await advance(600_000)
    expect(runs).toHaveLength(2)
    isFull = false
    await advance(3_660_000)
    daily.stop()
    expect([daily.failure, runs.length]).toEqual([null, 3])
  })

  test('a clock that was years ahead does not end them', async () => {
    const { into, runs, daily, advance, clock } = started()
    await advance(600_000)
    // As while the machine believed in another year.
    await take(into, time('20990101', '120000'))
    await advance(2 * DAY_MS)
    daily.stop()
    expect(runs.slice(1).map((run) => kstOf(run))).toEqual(['0530', '0530'])
    expect(clock.now() - (daily.newestAt ?? 0)).toBeLessThan(DAY_MS)
  })

  test('a failure under a clock that was ahead is tried again by the clock that is right', async () => {
    let isFull = true
    const { runs, daily, advance, setAhead } = started({ fails: () => isFull })
    await advance(600_000)
    setAhead(365 * DAY_MS)
    await advance(3_600_000)
    setAhead(0)
    isFull = false
    await advance(600_000)
    daily.stop()
    expect([runs.length, daily.failure]).toEqual([3, null])
  })

  test('of several processes one takes it, and whoever takes over goes on', async () => {
    let mine = false
    const { runs, daily, advance } = started({ isMine: () => mine })
    await advance(DAY_MS)
    expect([runs.length, daily.failure, daily.newestAt]).toEqual([0, null, null])
    mine = true
    await advance(600_000)
    daily.stop()
    expect(runs).toHaveLength(1)
  })
})

const kstOf = (at: number): string => new Date(at + 9 * 3_600_000).toISOString().slice(11, 16).replace(':', '')

describe('old backups', { timeout: 60_000 }, () => {
  const NOW = time('20261120', '060000')

  test('go after the days they are kept for; what cannot be read and what is somebody else’s stays', async () => {
    const into = at(`old-${++count}`)
    const ages = [0, 1, 13, 15, 40]
    const backups = await Promise.all(ages.map((days) => take(into, NOW - days * DAY_MS)))
    mkdirSync(join(into, 'holiday photos'))
    mkdirSync(join(into, 'digger-20200101-000000-abcdef'))
    const removed = await removeOld(into, 14, NOW)
    expect(removed).toEqual([3, 4].map((n) => backups[n]?.name))
    expect((await listBackups(into)).map(({ name }) => name)).toEqual([0, 1, 2].map((n) => backups[n]?.name))
    expect(readdirSync(into)).toEqual(expect.arrayContaining(['digger-20200101-000000-abcdef', 'holiday photos']))
  })

  test('the newest one of a clock that was ahead does not stand for the newest good one', async () => {
    const into = at(`old-${++count}`)
    const { name } = await take(into, NOW - 400 * DAY_MS)
    await take(into, NOW + 400 * DAY_MS)
    expect(await removeOld(into, 14, NOW)).toEqual([])
    expect((await listBackups(into)).map((backup) => backup.name)).toContain(name)
  })

  test('what is not ours stays, also where its name begins as that of one under way', async () => {
    const into = at(`old-${++count}`)
    const longAgo = NOW / 1_000 - 90_000
    for (const name of ['.making-of the wedding film', '.making-digger'])
      mkdirSync(join(into, name), { recursive: true })
    for (const name of readdirSync(into)) utimesSync(join(into, name), longAgo, longAgo)
    await removeOld(into, 14, NOW)
    expect(readdirSync(into)).toHaveLength(2)
  })

  test('the newest never goes, however old it is', async () => {
    const into = at(`old-${++count}`)
    const { name } = await take(into, NOW - 400 * DAY_MS)
    expect(await removeOld(into, 14, NOW)).toEqual([])
    expect((await listBackups(into)).map((backup) => backup.name)).toEqual([name])
  })

  test('what was never finished goes after a day, and not while it may be under way', async () => {
    const into = at(`old-${++count}`)
    for (const name of ['.making-digger-20261119-050000-0a1b2c', '.making-digger-20261119-053000-0a1b2c'])
      mkdirSync(join(into, name), { recursive: true })
    utimesSync(join(into, '.making-digger-20261119-050000-0a1b2c'), NOW / 1_000 - 90_000, NOW / 1_000 - 90_000)
    utimesSync(join(into, '.making-digger-20261119-053000-0a1b2c'), NOW / 1_000 - 80_000, NOW / 1_000 - 80_000)
    await removeOld(into, 14, NOW)
    expect(readdirSync(into)).toEqual(['.making-digger-20261119-053000-0a1b2c'])
    expect(await listBackups(at('nowhere'))).toEqual([])
  })
})
