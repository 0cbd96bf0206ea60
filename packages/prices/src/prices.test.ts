import { TestClock } from '@digger/database/testing'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { opened } from '../test/opened.ts'
import { Prices, type PriceWaiter } from './prices.ts'

const CODE = '005930'
const BAND = { lower: 49_000, upper: 91_000 }

let clock: TestClock
let prices: Prices
let seen: string[]
let woken: string[]
/** A trade, each a second after the one before. */
function trade(price: number): void {
  clock.advance(1_000)
  prices.tickReceived({ code: CODE, price, halted: false, base: 0, trade: true })
}
const waiter = (name: string): PriceWaiter => ({ wake: (code) => void woken.push(`${name} ${code}`) })

beforeEach(() => {
  clock = new TestClock()
  seen = []
  woken = []
  prices = new Prices({ priceChanged: (code) => void seen.push(code) }, clock)
})

test('a stock nobody has seen has no price, and concerns nobody', () => {
  expect([prices.quote(CODE), prices.last(CODE), prices.concerns(CODE, 1)]).toEqual([undefined, null, false])
  expect([prices.changes, prices.changesOf([CODE])]).toEqual([0, 0])
  expect(prices.quote(CODE)).toBe(undefined)
})

test('the first trade only re-bases, the second wakes; after a gap it is so again', () => {
  prices.setTrigger(waiter('a'), CODE, 70_000)
  trade(69_000)
  expect([woken, prices.quote(CODE)?.live]).toEqual([[], false])
  trade(69_000)
  expect([woken, prices.quote(CODE)?.live]).toEqual([['a 005930'], true])
  prices.gap([CODE, '000660'])
  // Until the next trade the last one stands as it was.
  expect(prices.quote(CODE)?.live).toBe(true)
  trade(60_000)
  expect([woken.length, prices.quote(CODE)?.live]).toEqual([1, false])
  trade(60_000)
  expect(woken).toHaveLength(2)
})

test('the reading of the limits sets them, gives a first price and wakes nobody', () => {
  prices.setTrigger(waiter('a'), CODE, 70_000)
  opened(prices, CODE, { band: BAND, price: 69_000, halted: true })
  expect(prices.quote(CODE)).toMatchObject({ price: 69_000, at: 0, live: false, halted: true, band: BAND })
  expect(prices.last(CODE)).toEqual({ price: 69_000, at: clock.now() })
  trade(69_100)
  trade(69_200)
  expect(woken).toEqual(['a 005930'])
  const at = clock.now()
  clock.advance(1_000)
  // A trade that was seen is truer than a reading, which may be older on its way.
  opened(prices, CODE, { band: { lower: 1, upper: 2 }, price: 1, halted: false })
  expect(prices.quote(CODE)).toMatchObject({
    price: 69_200,
    at,
    live: true,
    halted: false,
    band: { upper: 2 },
  })
  expect(woken).toHaveLength(1)
})

test('people see a trade with its own time, however often the limits are read in the minute after it', () => {
  trade(69_000)
  const at = clock.now()
  clock.advance(60_000)
  opened(prices, CODE, { band: BAND, price: 69_500, halted: false })
  expect(prices.last(CODE)).toEqual({ price: 69_000, at })
  // Of a market that was not asked for a while.
  clock.advance(1)
  opened(prices, CODE, { band: BAND, price: 69_500, halted: false })
  expect([prices.last(CODE), prices.quote(CODE)?.at]).toEqual([{ price: 69_500, at: clock.now() }, at])
})

test('without a trade the last reading counts, with its own time', () => {
  opened(prices, CODE, { band: BAND, price: 69_000, halted: false })
  clock.advance(60_000)
  opened(prices, CODE, { band: BAND, price: 69_500, halted: false })
  expect(prices.last(CODE)).toEqual({ price: 69_500, at: clock.now() })
})

test('an expected price of an auction is no trade: it changes nothing and wakes nobody', () => {
  prices.setTrigger(waiter('a'), CODE, 70_000)
  for (const price of [71_000, 71_000]) trade(price)
  const before = { ...prices.quote(CODE) }
  prices.tickReceived({ code: CODE, price: 60_000, halted: true, base: 0, trade: false })
  expect([prices.quote(CODE), prices.changes, seen.length, woken]).toEqual([before, 2, 2, []])
})

test('a waiter that sets its price anew waits at the new one only, and one that takes it away at none', () => {
  const a = waiter('a')
  prices.setTrigger(a, CODE, 70_000)
  prices.setTrigger(a, CODE, 60_000)
  expect([prices.concerns(CODE, 60_001), prices.concerns(CODE, 60_000)]).toEqual([false, true])
  prices.setTrigger(a, CODE, 65_000)
  prices.setTrigger(a, CODE, 65_000)
  for (const price of [65_001, 65_001, 65_000]) trade(price)
  expect(woken).toEqual(['a 005930'])
  prices.setTrigger(a, CODE, null)
  prices.setTrigger(a, CODE, null)
  prices.setTrigger(waiter('b'), '000660', null)
  trade(1)
  expect([woken.length, prices.concerns(CODE, 1)]).toEqual([1, false])
})

type Act =
  | { readonly kind: 'set'; readonly who: number; readonly code: string; readonly wakePrice: number | null }
  | { readonly kind: 'trade' | 'opened'; readonly code: string; readonly price: number }
  | { readonly kind: 'gap'; readonly codes: readonly string[] }

const code = fc.constantFrom('000660', '005930', '035720')
// Few prices, so that many are equal.
const price = fc.integer({ min: 1, max: 6 })
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant('set' as const),
    who: fc.integer({ min: 0, max: 4 }),
    code,
    wakePrice: fc.option(price),
  }),
  fc.record({ kind: fc.constantFrom('trade' as const, 'opened' as const), code, price }),
  fc.record({ kind: fc.constant('gap' as const), codes: fc.uniqueArray(code, { maxLength: 3 }) }),
)

/** What `Prices` promises, with neither order nor thrift. */
class Model {
  readonly waits = new Map<string, Map<number, number>>()
  readonly based = new Set<string>()
  readonly changes = new Map<string, number>()
  published = 0

  run(one: Act): void {
    if (one.kind === 'set') {
      const waits = this.waits.get(one.code) ?? new Map<number, number>()
      if (one.wakePrice === null) waits.delete(one.who)
      else waits.set(one.who, one.wakePrice)
      this.waits.set(one.code, waits)
    } else if (one.kind === 'gap') for (const each of one.codes) this.based.delete(each)
    else {
      // Limits and a price, or a price alone.
      this.changes.set(one.code, (this.changes.get(one.code) ?? 0) + (one.kind === 'trade' ? 1 : 2))
      this.published += 1
      if (one.kind === 'trade') this.based.add(one.code)
    }
  }

  /** Who waits at this price or above, with where. */
  concerned(of: string, at: number): [who: number, wakePrice: number][] {
    return [...(this.waits.get(of) ?? [])].filter(([, wakePrice]) => wakePrice >= at)
  }
}

test('whatever was set, traded and interrupted: exactly those are woken who wait there, once, the highest first', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60, size: 'max' }), (acts) => {
      const model = new Model()
      let calls: number[] = []
      const published: string[] = []
      const subject = new Prices({ priceChanged: (of) => void published.push(of) }, clock)
      const waiters = [0, 1, 2, 3, 4].map((who) => ({ wake: () => void calls.push(who) }))
      for (const one of acts) {
        calls = []
        const live = one.kind === 'trade' && model.based.has(one.code)
        model.run(one)
        if (one.kind === 'set') subject.setTrigger(waiters[one.who] ?? waiter('?'), one.code, one.wakePrice)
        if (one.kind === 'gap') subject.gap(one.codes)
        if (one.kind === 'opened') opened(subject, one.code, { band: BAND, price: one.price, halted: false })
        if (one.kind === 'trade')
          subject.tickReceived({ code: one.code, price: one.price, halted: false, base: 0, trade: true })
        const expected = live ? model.concerned(one.code, one.price) : []
        expect(new Set(calls)).toEqual(new Set(expected.map(([who]) => who)))
        expect(calls).toHaveLength(expected.length)
        const order = calls.map((who) => new Map(expected).get(who) ?? 0)
        expect(order).toEqual([...order].sort((a, b) => b - a))
        for (const at of [1, 3, 6])
          for (const of of ['000660', '005930', '035720'])
            expect(subject.concerns(of, at)).toBe(model.concerned(of, at).length > 0)
      }
      const sum = [...model.changes.values()].reduce((total, changes) => total + changes, 0)
      expect([subject.changes, published.length]).toEqual([sum, model.published])
      for (const [of, changes] of model.changes) expect(subject.changesOf([of])).toBe(changes)
      expect(subject.changesOf(model.changes.keys())).toBe(sum)
    }),
  )
})

describe('the day’s base', () => {
  const MOVE = { day: '20261123', close: 140_000, base: 70_000 }
  /** Judges by a close of 140,000. */
  const judge = (_code: string, base: number) => (base === 140_000 ? null : { ...MOVE, base })

  test('is judged when it is read, and by each trade that has another', () => {
    prices = new Prices({ priceChanged: () => undefined }, clock, judge)
    opened(prices, CODE, { base: 140_000, price: 140_000 })
    expect(prices.quote(CODE)?.moved).toBe(null)
    prices.tickReceived({ code: CODE, price: 71_000, halted: false, base: 70_000, trade: true })
    expect(prices.quote(CODE)).toMatchObject({ moved: MOVE, band: null })
    expect([prices.takeRebased(CODE), prices.takeRebased(CODE)]).toEqual([true, false])
  })

  test('the trade that shows it is judged before anybody is woken by it', () => {
    prices = new Prices({ priceChanged: () => undefined }, clock, judge)
    const found: unknown[] = []
    prices.setTrigger({ wake: () => void found.push(prices.quote(CODE)?.moved) }, CODE, 90_000)
    for (const base of [140_000, 70_000])
      prices.tickReceived({ code: CODE, price: 71_000, halted: false, base, trade: true })
    expect(found).toEqual([MOVE])
  })

  test('a chart tells where no close was seen, and only of what no evening moves', () => {
    opened(prices, CODE, { base: 70_000, chart: { close: 140_000 } })
    expect(prices.quote(CODE)?.moved).toEqual(MOVE)
    opened(prices, CODE, { base: 70_000, chart: { close: 73_000 } })
    expect(prices.quote(CODE)?.moved).toBe(undefined)
    opened(prices, CODE, { base: 70_000, chart: { close: 70_100 } })
    expect(prices.quote(CODE)?.moved).toBe(null)
  })

  test('is not taken from a reading that the day’s trades belie, until they agree', () => {
    prices = new Prices({ priceChanged: () => undefined }, clock, judge)
    prices.beginDay('20261123')
    prices.tickReceived({ code: CODE, price: 71_000, halted: false, base: 70_000, trade: true })
    opened(prices, CODE, { base: 140_000 })
    expect(prices.quote(CODE)).toMatchObject({ moved: MOVE, band: null })
    opened(prices, CODE, { base: 70_000 })
    expect(prices.quote(CODE)).toMatchObject({ moved: MOVE, band: { lower: 49_000 } })
    prices.takeRebased(CODE)
    // Nobody promises that both are rounded alike: a tick beside it is the same.
    prices.tickReceived({ code: CODE, price: 71_000, halted: false, base: 70_100, trade: true })
    expect([prices.takeRebased(CODE), prices.quote(CODE)?.band]).toEqual([false, { lower: 49_000, upper: 91_000 }])
    // The next day has another one.
    prices.beginDay('20261124')
    opened(prices, CODE, { base: 140_000, day: '20261124' })
    expect(prices.quote(CODE)?.moved).toBe(null)
  })

  test('holds for its day', () => {
    prices.beginDay('20261120')
    opened(prices, CODE, { chart: { close: 70_000 } })
    prices.beginDay('20261120')
    expect(prices.quote(CODE)).toMatchObject({ band: { lower: 49_000 }, moved: null })
    prices.beginDay('20261123')
    expect(prices.quote(CODE)).toMatchObject({ band: null, moved: undefined, price: 70_000 })
  })
})

describe('a base that is contradicted', () => {
  const limits = { day: '20260105', band: BAND, base: 70_000, chart: null }

  test('is in doubt until limits are read that are not, and the next day begins without doubt', () => {
    prices.limitsRead(CODE, limits)
    expect(prices.quote(CODE)?.isDoubted ?? false).toBe(false)
    trade(70_000)
    prices.doubt(CODE)
    expect(prices.quote(CODE)?.isDoubted).toBe(true)
    prices.limitsRead(CODE, limits)
    expect(prices.quote(CODE)?.isDoubted).toBe(false)
    prices.doubt(CODE)
    prices.beginDay('20260106')
    expect(prices.quote(CODE)?.isDoubted).toBe(false)
  })

  test('of a stock that nobody knows is nothing', () => {
    prices.doubt('000660')
    expect(prices.quote('000660')).toBeUndefined()
  })
})
