import { kstDay, kstInstant, kstTime } from '@digger/core'
import { afterEach, expect, test } from 'vitest'
import { Exchange } from './exchange.ts'

const MINUTE_MS = 60_000
/** A few seconds on a free machine: hundreds of minutes, each with the server's timers. */
const TIMEOUT_MS = 120_000

let exchange: Exchange
afterEach(() => exchange.close())

/** Minute by minute, with the server's timers, until an instant. */
async function pass(until: number): Promise<void> {
  while (exchange.sim.clock.now() < until) {
    await exchange.advance(Math.min(MINUTE_MS, until - exchange.sim.clock.now()) - 1_000)
    await exchange.wait(1_000)
  }
}

/** Orders of a day that the broker took, each with its time and venue. */
const takenOn = (day: string): string[] =>
  exchange.sim
    .orders(exchange.account)
    .filter((order) => order.day === day && order.change === null)
    .map(({ at, side, venue }) => `${kstTime(at).slice(0, 4)} ${side} ${venue}`)

const refused = (): string[] =>
  exchange.orders.flatMap(({ status, day, side }) => (status === 'rejected' ? [`${day} ${side}`] : []))

test.each([
  ['the first day of the year, after closed days', '20261230', ['20261231', '20270101'], '20270104', '0931 sell KRX'],
  ['the exam day', '20261118', [], '20261119', '0931 sell KRX'],
  ['a normal day', '20261119', [], '20261120', '0831 sell KRX'],
])(
  'client and broker: no automatic order leaves before it can be taken on %s',
  async (_name, before, closed, day, first) => {
    exchange = await Exchange.open({}, { start: kstInstant(before, 150_000) })
    await exchange.watch()
    await exchange.price(150_000)
    await exchange.wait(5_000)
    expect(exchange.stock?.lots).toHaveLength(1)
    for (const one of closed) {
      await exchange.advance(kstInstant(one, 75_900) - exchange.sim.clock.now())
      await pass(kstInstant(one, 100_500))
      expect(takenOn(one)).toEqual([])
    }
    await exchange.advance(kstInstant(day, 75_500) - exchange.sim.clock.now())
    await pass(kstInstant(day, 100_500))
    expect(kstDay(exchange.sim.clock.now())).toBe(day)
    expect(takenOn(day)[0]).toBe(first)
    expect([refused(), exchange.stock?.blocked ?? null]).toEqual([[], null])
  },
  TIMEOUT_MS,
)

/** What rests at every half hour: venue of the sale, or nothing. */
const EVERY_HALF_HOUR = Array.from({ length: 28 }, (_, n) => 7 * 60 + 30 * (n + 1))

test.each([
  ['the first day of the year', '20261230', '20270104', '0930', '1530'],
  ['the exam day', '20261118', '20261119', '0930', '1630'],
])(
  '%s hour by hour, with every session chosen: each order goes where it can be taken, and nothing is refused',
  async (_name, before, day, collects, closes) => {
    const assumptions = { expiredShownFrom: 'end', expiredShownAs: 'rejected' } as const
    exchange = await Exchange.open({}, { start: kstInstant(before, 150_000), assumptions })
    await exchange.watch()
    await exchange.price(150_000)
    await exchange.wait(5_000)
    expect(exchange.stock?.lots).toHaveLength(1)
    await exchange.ask({ kind: 'setVenues', venues: { sor: true, preMarket: true, afterMarket: true } })
    await exchange.advance(kstInstant(day, 72_500) - exchange.sim.clock.now())
    const seen: string[] = []
    for (const minutes of EVERY_HALF_HOUR) {
      const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}${minutes % 60 === 0 ? '00' : '30'}`
      await pass(kstInstant(day, Number(time) * 100) + 4 * MINUTE_MS)
      const venues = exchange.sim.liveOrders(exchange.account).map(({ venue }) => venue)
      seen.push(`${time} ${venues.join()}`)
    }
    const expected = seen.map((line) => {
      const time = line.slice(0, 4)
      if (time < collects || time >= '2000') return `${time} `
      return `${time} ${time < closes ? 'SOR' : line.endsWith('SOR') ? 'SOR' : 'NXT'}`
    })
    expect(seen.filter((line) => !line.startsWith(closes))).toEqual(expected.filter((line) => !line.startsWith(closes)))
    expect([refused(), exchange.stock?.blocked ?? null]).toEqual([[], null])
  },
  TIMEOUT_MS,
)
