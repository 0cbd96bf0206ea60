import { testDatabase, type TestDatabase } from '@digger/database/testing'
import type { BrokerQueries } from '@digger/engine'
import type { Sim } from '@digger/kis-sim'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Histories } from '../src/history.ts'
import { at, chartCalls, clientOf, keeperOf, keysOf, startBroker } from './broker-fixture.ts'
import { addAccount, ME } from './fixture.ts'

/** Listed in January 2022, split on the 24th of November. */
const CODE = '373220'
const RATIO = 5

let database: TestDatabase
let sim: Sim
beforeEach(async () => {
  database = await testDatabase()
  const split = { kind: 'corporateAction', as: 'split', exDay: '20261124', creditDay: '20261124' } as const
  sim = await startBroker({ happenings: [{ ...split, code: CODE, ratio: RATIO, paid: 0 }] })
  await addAccount(database.db, [CODE])
})
afterEach(async () => {
  await sim.close()
  await database[Symbol.asyncDispose]()
})

/** The broker's client, for which a bar of a day closed lower by so much of the share of that day, won. */
function correcting(day: string, by: () => number): BrokerQueries {
  const kis = clientOf(sim, () => sim.clock.now())
  const inBackground: typeof kis.inBackground = (how) => {
    const calls = kis.inBackground(how)
    return {
      ...calls,
      async dayCandles(code, from, to, prices) {
        const off = prices === 'original' ? by() : by() / RATIO
        const bars = await calls.dayCandles(code, from, to, prices)
        return bars.map((bar) => (bar.day === day ? { ...bar, close: bar.close - off, low: bar.low - off } : bar))
      },
    }
  }
  return { ...kis, inBackground }
}

test.each(['20261119', '20261123'])(
  'a day of before a split that is corrected later keeps the close as it was traded: %s',
  async (day) => {
    let off = 0
    const { keeper, problems } = keeperOf(database.db, sim, { accounts: keysOf({ [ME]: correcting(day, () => off) }) })
    const trade = async (today: string): Promise<void> => {
      await sim.clock.advance(at('10:00:00', today) - sim.clock.now())
      sim.setPrice(CODE, sim.price(CODE), { count: 100 })
      await sim.clock.advance(at('20:15:00', today) - sim.clock.now())
      await keeper.wake()
    }
    for (const today of ['2026-11-23', '2026-11-24', '2026-11-25']) await trade(today)
    const read = () =>
      new Histories(database.db, { now: () => sim.clock.now(), after: () => () => undefined }).stock(ME, CODE, {
        unit: 'day',
      })
    const before = await read()
    const split = [{ day: '20261124', ratio: expect.closeTo(1 / RATIO, 3) }]
    expect(before.corrections).toEqual(split)

    off = 5_000
    const calls = chartCalls(sim).days
    await trade('2026-11-26')
    expect(chartCalls(sim).days - calls).toBeLessThanOrEqual(4)
    expect(problems).toEqual([])
    const after = await read()
    const place = after.days.indexOf(day)
    expect((before.close[place] ?? 0) - (after.close[place] ?? 0)).toBe(off / RATIO)
    expect(after.corrections).toEqual(split)
  },
  60_000,
)
