import { addDays } from '@digger/core'
import { testDatabase, type TestDatabase } from '@digger/database/testing'
import type { Sim, SimOptions } from '@digger/kis-sim'
import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Histories } from '../src/history.ts'
import { at, chartCalls, clientOf, keeperOf, keysOf, startBroker } from './broker-fixture.ts'
import { addAccount, ME, OTHER } from './fixture.ts'

const CODE = '005930'
/** Listed in January 2022. */
const YOUNG = '373220'

let database: TestDatabase
let sim: Sim
afterEach(async () => {
  await sim.close()
  await database[Symbol.asyncDispose]()
})

async function open(codes: readonly string[], options: SimOptions = {}, env: 'real' | 'paper' = 'real'): Promise<void> {
  database = await testDatabase()
  sim = await startBroker(options, env)
  await addAccount(database.db, codes)
}
const histories = () => new Histories(database.db, { now: () => sim.clock.now(), after: () => () => undefined })
const days = (code = CODE) => histories().stock(ME, code, { unit: 'day' })
const minutes = (code = CODE) => histories().stock(ME, code, { unit: 'minute', fromDate: '20260101' })
const kis = () => clientOf(sim, () => sim.clock.now())
const overview = async (code = CODE) => (await histories().overview(ME)).stocks.find((stock) => stock.code === code)
/** Each day of minutes is four calls: where they are not what is looked at, the broker has few. */
const FEW_MINUTES = { pastMinutesBack: 14 }
/** Goes to a moment, as the market does. */
const goTo = async (time: string, day: string): Promise<void> => {
  await sim.clock.advance(at(time, day) - sim.clock.now())
}

describe('what the broker has', () => {
  test('is kept: ten years of days and the minutes of the last months, equal on both sides', async () => {
    await open([CODE])
    const { keeper, problems } = keeperOf(database.db, sim)
    await keeper.wake()
    expect(problems).toEqual([])

    const kept = await days()
    const asked = await kis().dayCandles(CODE, '20161120', '20261120')
    expect(kept.days).toEqual(asked.map(({ day }) => day))
    for (const column of ['open', 'high', 'low', 'close', 'volume'] as const)
      expect(kept[column]).toEqual(asked.map((candle) => candle[column]))
    expect(kept).toMatchObject({ source: 'broker', isAdjusted: true, adjustedAt: '2026-11-20T20:30:00.000+09:00' })
    expect(kept.corrections).toEqual([{ day: '20180504', ratio: expect.closeTo(0.02, 3) }])
    expect(kept.progress).toEqual({
      from: kept.days[0],
      to: '20261119',
      wantedFrom: '20161120',
      isComplete: true,
      note: null,
    })

    const ofMinutes = await minutes()
    const byDay = Map.groupBy(ofMinutes.days.keys(), (n) => ofMinutes.days[n])
    const wanted = kept.days.filter((day) => day >= addDays('20261120', -90))
    expect([...byDay.keys()]).toEqual(wanted)
    expect(wanted.length).toBeGreaterThanOrEqual(60)
    for (const [day = '', places] of byDay) {
      const n = kept.days.indexOf(day)
      const of = (column: 'high' | 'low') => [...places].map((place) => ofMinutes[column][place] ?? 0)
      expect([Math.max(...of('high')), Math.min(...of('low'))]).toEqual([kept.high[n], kept.low[n]])
    }
    expect(ofMinutes).toMatchObject({ isAdjusted: true, progress: { isComplete: true, note: null } })

    const { rows } = await sql<{ unit: string; size: number }>`
      select unit, sum(octet_length(bars))::float8 as size from candle_part where code = ${CODE} group by unit`.execute(
      database.db,
    )
    const sizes = Object.fromEntries(rows.map(({ unit, size }) => [unit, size]))
    expect(sizes['day']).toBeLessThan(40_000)
    expect((sizes['minute'] ?? 0) / wanted.length).toBeLessThan(4_500)
  }, 120_000)

  test('is asked for once: afterwards only what a new day brings', async () => {
    await open([YOUNG], { assumptions: FEW_MINUTES })
    const { keeper } = keeperOf(database.db, sim)
    await keeper.wake()
    expect((await days(YOUNG)).days[0]).toBe('20220127')
    expect((await overview(YOUNG))?.day).toMatchObject({ from: '20220127', isComplete: true, note: null })
    const first = chartCalls(sim)
    await keeper.wake()
    expect(chartCalls(sim)).toEqual(first)
    // The market opens again on Monday; its day is over, and its charts settled, at ten past eight in the evening.
    await goTo('10:00:00', '2026-11-23')
    sim.setPrice(YOUNG, sim.price(YOUNG), { count: 100 })
    await goTo('20:05:00', '2026-11-23')
    await keeper.wake()
    expect(chartCalls(sim)).toEqual(first)
    await goTo('20:15:00', '2026-11-23')
    await keeper.wake()
    const after = chartCalls(sim)
    expect(after.days - first.days).toBeLessThanOrEqual(2)
    expect((await days(YOUNG)).days.slice(-2)).toEqual(['20261119', '20261123'])
    expect((await overview(YOUNG))?.minute).toMatchObject({
      to: '20261123',
      isComplete: true,
    })
  }, 60_000)

  test('is read by two at the same time without anything twice', async () => {
    const codes = [CODE, YOUNG, '000660', '377300']
    await open(codes, { assumptions: FEW_MINUTES })
    await addAccount(database.db, [], OTHER)
    await keeperOf(database.db, sim).keeper.wake()
    const alone = chartCalls(sim)
    await database.db.deleteFrom('candle_part').execute()
    await database.db.deleteFrom('candle_series').execute()

    const user = (userId: string, n: number) => keysOf({ [userId]: clientOf(sim, () => sim.clock.now(), n) })
    const both = [
      keeperOf(database.db, sim, { isAlone: false, accounts: user(ME, 0) }),
      keeperOf(database.db, sim, { isAlone: false, accounts: user(OTHER, 1) }),
    ]
    // What one of them has claimed the other leaves; minutes wait for their days.
    for (let n = 0; n < 3; n += 1) await Promise.all(both.map(({ keeper }) => keeper.wake()))
    expect(both.flatMap(({ problems }) => problems)).toEqual([])
    const together = chartCalls(sim)
    expect([together.days - alone.days, together.minutes - alone.minutes]).toEqual([alone.days, alone.minutes])
    for (const code of codes) expect((await overview(code))?.minute.isComplete).toBe(true)
  }, 120_000)
})

describe('a split', () => {
  const split = { kind: 'corporateAction', as: 'split', code: CODE, exDay: '20261124', creditDay: '20261124' } as const

  test.each(['exDay', 'dayAfter'] as const)(
    'mends all that is kept, where charts know it from the %s on',
    async (from) => {
      const happenings = [{ ...split, ratio: 5, paid: 0 }]
      await open([CODE], {
        happenings,
        assumptions: { chartAdjustedFrom: from, pastMinutePrices: 'traded', ...FEW_MINUTES },
      })
      const { keeper, problems } = keeperOf(database.db, sim)
      await keeper.wake()
      const before = await days()
      for (const day of ['2026-11-23', '2026-11-24', '2026-11-25']) {
        await goTo('10:00:00', day)
        sim.setPrice(CODE, sim.price(CODE), { count: 100 })
        await goTo('20:15:00', day)
        await keeper.wake()
      }
      expect(problems).toEqual([])
      const after = await days()
      const asked = await kis().dayCandles(CODE, '20161125', '20261125')
      expect(after.close.slice(-asked.length)).toEqual(asked.map(({ close }) => close))
      expect(after.corrections).toEqual([
        { day: '20180504', ratio: expect.closeTo(0.02, 3) },
        { day: '20261124', ratio: expect.closeTo(0.2, 3) },
      ])
      const day = before.days.indexOf('20261119')
      expect(after.close[after.days.indexOf('20261119')]).toBeCloseTo((before.close[day] ?? 0) / 5, -1)
      expect(after.progress).toMatchObject({ to: '20261125', isComplete: true, note: null })
      // Minutes from before the split were kept at prices of the old share.
      const { days: at, close, isAdjusted } = await minutes()
      const old = close[at.lastIndexOf('20261119')] ?? 0
      expect(old).toBeCloseTo(after.close[after.days.indexOf('20261119')] ?? 0, -1)
      expect(isAdjusted).toBe(true)
      const rows = await database.db
        .selectFrom('candle_part')
        .select('generation')
        .where('unit', '=', 'day')
        .distinct()
        .execute()
      expect(rows).toHaveLength(1)
    },
    120_000,
  )
})

describe('what the broker does not give', () => {
  test('on paper: days, but no minutes, and it is said so', async () => {
    await open([YOUNG], {}, 'paper')
    const accounts = keysOf({ [ME]: clientOf(sim, () => sim.clock.now(), 0, 'paper') })
    const { keeper, problems } = keeperOf(database.db, sim, { accounts })
    await keeper.wake()
    expect(problems).toEqual([])
    expect(chartCalls(sim).minutes).toBe(0)
    const found = await overview(YOUNG)
    expect(found?.day.isComplete).toBe(true)
    expect(found?.minute).toMatchObject({
      isComplete: false,
      note: expect.stringContaining('모의투자 서버는 지난 분봉을'),
    })
    expect((await histories().state()).notes).toEqual([{ text: found?.minute.note, stocks: 1 }])
  }, 60_000)

  test('is asked for again ten minutes later, and goes on where it was', async () => {
    await open([YOUNG], { assumptions: FEW_MINUTES })
    sim.faults.add({
      kind: 'refuse',
      code: 'EGW00999',
      text: '점검 중입니다',
      endpoint: 'dayChart',
      times: 1,
    })
    const { keeper, problems } = keeperOf(database.db, sim)
    await keeper.wake()
    expect(problems).toHaveLength(1)
    expect((await overview(YOUNG))?.day).toMatchObject({ from: null, note: expect.stringContaining('10분 뒤') })
    const calls = chartCalls(sim)
    await keeper.wake()
    expect(chartCalls(sim)).toEqual(calls)
    await sim.clock.advance(600_000)
    await keeper.wake()
    expect((await overview(YOUNG))?.day).toMatchObject({ from: '20220127', isComplete: true, note: null })
  }, 60_000)

  test('minutes that go back less far than wanted end there', async () => {
    await open([YOUNG], { assumptions: { pastMinutesBack: 20 } })
    await keeperOf(database.db, sim).keeper.wake()
    const { minute } = (await overview(YOUNG)) ?? {}
    expect(minute).toMatchObject({ isComplete: true, note: expect.stringContaining('앞선 분봉이 없습니다') })
    expect(minute?.from).toBe('20261102')
  }, 60_000)
})

describe('a chart that never answers', () => {
  const codes = [CODE, YOUNG, '000660', '377300']
  let answerMs = 0
  const hangs = async () => {
    answerMs = 100
    await open(codes)
    sim.faults.add({ kind: 'loseRequest', how: 'hang', endpoint: 'dayChart' })
    const client = kis()
    const inBackground = client.inBackground.bind(client)
    vi.spyOn(client, 'inBackground').mockImplementation((how) => inBackground({ ...how, answerMs }))
    return keeperOf(database.db, sim, { accounts: keysOf({ [ME]: client }) })
  }
  const left = async () =>
    (await Promise.all(codes.map((code) => overview(code)))).filter((stock) => stock?.day.note?.includes('10분 뒤'))
      .length

  test('is asked once, not for one stock after the other, and then after ever longer rests', async () => {
    const { keeper, problems } = await hangs()
    await keeper.wake()
    expect([problems.length, await left()]).toEqual([1, 1])
    for (const [n, restMs] of [60_000, 120_000, 240_000].entries()) {
      await sim.clock.advance(restMs - 1)
      await keeper.wake()
      expect(problems).toHaveLength(n + 1)
      await sim.clock.advance(1)
      await keeper.wake()
      expect(problems).toHaveLength(n + 2)
    }
    sim.faults.clear()
    answerMs = 20_000
    await sim.clock.advance(300_000)
    void keeper.wake()
    await vi.waitFor(async () => expect((await overview('000660'))?.day.from).not.toBeNull(), 30_000)
    await keeper.stop()
    expect(problems).toHaveLength(4)
  }, 60_000)

  test('is given up where the process ends', async () => {
    await open(codes)
    sim.faults.add({ kind: 'loseRequest', how: 'hang', endpoint: 'dayChart' })
    const { keeper, problems } = keeperOf(database.db, sim, { answerMs: 60_000 })
    const looking = keeper.wake()
    await vi.waitFor(() => expect(sim.faults.counts()).toEqual({ loseRequest: 1 }))
    keeper.abandon()
    await looking
    expect([problems, await left()]).toEqual([[], 0])
    await keeper.stop()
  })
})

test('nothing is asked without an open key, nor after the end', async () => {
  await open([YOUNG])
  const closed = keeperOf(database.db, sim, { accounts: keysOf({}) })
  await closed.keeper.wake()
  const { keeper } = keeperOf(database.db, sim)
  await keeper.stop()
  await keeper.wake()
  expect(chartCalls(sim)).toEqual({ days: 0, minutes: 0 })
})
