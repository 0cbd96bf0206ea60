import { kstInstant } from '@digger/core'
import { afterEach, expect, test } from 'vitest'
import { CODE, Exchange, ladder } from './exchange.ts'

const FRIDAY = '20261120'
const STOPPED = '20261123'
const TUESDAY = '20261124'
const DAY = '20261125'
const INTO = '000660'

let exchange: Exchange
afterEach(() => exchange.close())

const goTo = async (day: string, time: number): Promise<void> => {
  await exchange.advance(kstInstant(day, time) - exchange.sim.clock.now())
  await exchange.wait(60_000)
}

/** Two shares on the Friday before. */
async function bought(): Promise<void> {
  exchange = await Exchange.open({}, { start: kstInstant(FRIDAY, 150_000) })
  await exchange.watch()
  await exchange.price(150_000)
  await exchange.wait(10_000)
  expect(exchange.stock?.lots).toMatchObject([{ count: 2, buyAmount: 300_000 }])
}

const reasons = (): string[] =>
  exchange.engine.outlook(exchange.userId, CODE).reasons.map(({ side, code }) => `${side} ${code}`)

test('a share that goes into another one stands still with its reason, and nothing is sent that cannot be taken', async () => {
  await bought()
  exchange.sim.happen({ kind: 'merged', code: CODE, into: INTO, stopsOn: STOPPED, day: DAY, ratio: 0.5 })
  for (const day of [STOPPED, TUESDAY]) {
    for (const time of [75_800, 85_800, 100_000]) await goTo(day, time)
    expect(reasons()).toContain('sell halted')
  }
  for (const time of [75_800, 85_800, 100_000]) await goTo(DAY, time)
  expect(exchange.stock?.blocked).toMatchObject({ code: 'mismatch', short: true })
  expect(exchange.orders.filter(({ day }) => day > FRIDAY)).toEqual([])
})

test('its owner takes the old one out of the book and the new one in, at what the old one had cost', async () => {
  await bought()
  exchange.sim.happen({ kind: 'merged', code: CODE, into: INTO, stopsOn: STOPPED, day: DAY, ratio: 0.5 })
  await goTo(DAY, 100_000)
  await exchange.ask({ kind: 'fixBalance', code: CODE })
  expect(exchange.stock).toMatchObject({ lots: [], blocked: null })
  const listing = { issue: { code: INTO, kind: 'stock', market: 'KOSPI', nxt: true }, name: 'SK하이닉스' } as const
  await exchange.ask({ kind: 'updateStock', code: INTO, version: null, settings: ladder, listing })
  // What has only just differed is looked at once more.
  await exchange.wait(30_000)
  await exchange.ask({ kind: 'fixBalance', code: INTO })
  const [lot] = exchange.engine.book(exchange.userId).stocks.get(INTO)?.lots ?? []
  expect(lot).toMatchObject({ count: 1, buyAmount: 300_000, takenOver: true })
})
