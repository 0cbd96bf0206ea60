import { emptyBook, evolve, knownTimetable, kstInstant, kstIso, type Book } from '@digger/core'
import { TestClock } from '@digger/database/testing'
import type { KisQuote, KisRest } from '@digger/kis'
import { beforeEach, describe, expect, test } from 'vitest'
import { fakeKis } from '../../test/fake-kis.ts'
import { FakeSocket } from '../../test/fake-socket.ts'
import { SETTINGS } from '../../test/settings.ts'
import { judgeBy } from './base-move.ts'
import type { ClosingPrice } from './closing-prices.ts'
import { PriceFeed } from './price-feed.ts'
import { Prices } from './prices.ts'

const codeOf = (n: number): string => String(n).padStart(6, '0')
const quote = (code: string, change: Partial<KisQuote> = {}): KisQuote => {
  const day = { base: 70_000, open: 70_000, high: 70_000, low: 70_000, upper: 91_000, lower: 49_000 }
  return { code, price: 70_000, ...day, volume: 0, halted: false, ...change }
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A feed whose broker answers when and what the test says. */
class FeedFixture {
  readonly clock = new TestClock()
  readonly socket = new FakeSocket()
  readonly problems: unknown[] = []
  /** Codes asked for, oldest first, and the most that were asked at once. */
  asked: string[] = []
  most = 0
  /** Per code: what the broker answers; an error is thrown, `null` is an unknown code. */
  readonly answers = new Map<string, KisQuote | Error | null>()
  /** Set: nothing is answered before it resolves. */
  hold: Promise<void> | null = null
  readonly charts: string[] = []
  readonly closes = new Map<string, ClosingPrice>()
  readonly closings = {
    of: (code: string) => this.closes.get(code),
    note: (code: string, closing: ClosingPrice) => void this.closes.set(code, closing),
  }
  readonly timetables = { current: knownTimetable('always') }
  readonly prices = new Prices(
    { priceChanged: () => undefined },
    this.clock,
    judgeBy(this.closings, this.timetables, this.clock),
  )
  readonly feed: PriceFeed
  #out = 0
  book: Book = emptyBook('20261120')

  constructor(stocks: number) {
    for (let n = 1; n <= stocks; n += 1) {
      const code = codeOf(n)
      const issue = { code, kind: 'stock', market: 'KOSPI', nxt: false } as const
      this.book = evolve(this.book, { kind: 'stockAdded', code, name: code, issue, settings: SETTINGS, at: 0 })
    }
    const dayCandles: KisRest['dayCandles'] = async (code, from, _to, which) => {
      this.charts.push(`${code} ${from} ${which}`)
      return []
    }
    const rest = fakeKis({ quote: (code) => this.#answer(code), dayCandles })
    const problem = (error: unknown): void => void this.problems.push(error)
    const { socket, clock, prices, closings, timetables } = this
    this.feed = new PriceFeed({ rest, socket, clock, prices, closings, timetables, problem })
  }

  async #answer(code: string): Promise<KisQuote | null> {
    this.asked.push(code)
    this.#out += 1
    this.most = Math.max(this.most, this.#out)
    await this.hold
    this.#out -= 1
    const answer = this.answers.get(code)
    if (answer instanceof Error) throw answer
    return answer === undefined ? quote(code) : answer
  }

  /** Codes asked for in these many seconds. */
  async seconds(count: number): Promise<string[]> {
    this.asked = []
    for (let n = 0; n < count; n += 1) {
      this.feed.tick(this.book)
      this.clock.advance(1_000)
      await turn()
    }
    return this.asked
  }
}

let fixture: FeedFixture
beforeEach(() => {
  fixture = new FeedFixture(4)
})

test('the day’s limits are read once a day for each stock, and again on the next', async () => {
  const codes = [1, 2, 3, 4].map(codeOf)
  expect(await fixture.seconds(60)).toEqual(codes)
  expect(fixture.prices.quote(codeOf(4))).toMatchObject({ band: { lower: 49_000, upper: 91_000 }, live: false })
  fixture.clock.advance(86_400_000)
  expect(await fixture.seconds(60)).toEqual(codes)
  expect(fixture.problems).toEqual([])
})

test('stocks that the socket carries are not polled; the others in turn, one a second, and only while it is connected', async () => {
  fixture.socket.watched.add(codeOf(1)).add(codeOf(3))
  await fixture.seconds(2)
  expect(await fixture.seconds(5)).toEqual([])
  fixture.socket.state = 'connected'
  const polled = await fixture.seconds(6)
  expect(polled).toHaveLength(6)
  expect(polled.filter((code) => code === codeOf(2))).toHaveLength(3)
  expect(polled.filter((code) => code === codeOf(4))).toHaveLength(3)
})

test('a grown volume is a trade; the same one, a shrunk one and the first one are none', async () => {
  fixture = new FeedFixture(1)
  const code = codeOf(1)
  let woken = 0
  fixture.prices.setTrigger({ wake: () => void (woken += 1) }, code, 80_000)
  await fixture.seconds(1)
  fixture.socket.state = 'connected'
  const polled = async (volume: number, price: number): Promise<unknown> => {
    fixture.answers.set(code, quote(code, { volume, price, halted: volume === 103 }))
    await fixture.seconds(1)
    const { price: last, live } = fixture.prices.quote(code) ?? {}
    return [last, live, woken]
  }
  expect(await polled(100, 60_000)).toEqual([70_000, false, 0])
  expect(await polled(100, 60_001)).toEqual([70_000, false, 0])
  // The first trade re-bases.
  expect(await polled(101, 60_002)).toEqual([60_002, false, 0])
  expect(await polled(102, 60_003)).toEqual([60_003, true, 1])
  expect(await polled(5, 60_004)).toEqual([60_003, true, 1])
  expect(await polled(6, 60_005)).toEqual([60_005, true, 2])
  expect(await polled(103, 60_006)).toEqual([60_006, true, 3])
  expect(fixture.prices.quote(code)?.halted).toBe(true)
})

test('a question that fails is reported and asked again', async () => {
  const code = codeOf(2)
  fixture.answers.set(code, new Error('no quote'))
  await fixture.seconds(3)
  expect(fixture.problems.length).toBeGreaterThan(0)
  expect(fixture.prices.quote(code)).toBe(undefined)
  fixture.answers.delete(code)
  await fixture.seconds(3)
  expect(fixture.prices.quote(code)?.band).not.toBe(null)
})

test('never more than three questions are out, however slow the answers, and none twice', async () => {
  fixture = new FeedFixture(50)
  await fixture.seconds(20)
  fixture.socket.state = 'connected'
  const held = Promise.withResolvers<void>()
  fixture.hold = held.promise
  expect(fixture.feed.busy).toBe(false)
  const asked = await fixture.seconds(30)
  expect([asked.length, new Set(asked).size, fixture.feed.busy]).toEqual([3, 3, true])
  held.resolve()
  await turn()
  expect([fixture.most, fixture.feed.busy]).toEqual([3, false])
})

test.each<[string, null | Error]>([
  ['the broker knows nothing of', null],
  ['the broker fails to answer for', new Error('no quote')],
])('stocks that %s keep neither the limits nor the prices of the others waiting', async (_name, answer) => {
  fixture = new FeedFixture(10)
  for (let n = 1; n <= 6; n += 1) fixture.answers.set(codeOf(n), answer)
  fixture.socket.state = 'connected'
  await fixture.seconds(30)
  for (let n = 7; n <= 10; n += 1)
    expect(fixture.prices.quote(codeOf(n))?.band).toEqual({ lower: 49_000, upper: 91_000 })
  // Two trades of an unwatched stock: the second one wakes whoever waits for it.
  let woken = 0
  fixture.prices.setTrigger({ wake: () => void (woken += 1) }, codeOf(9), 80_000)
  for (const volume of [1, 2, 3]) {
    fixture.answers.set(codeOf(9), quote(codeOf(9), { volume }))
    await fixture.seconds(30)
  }
  expect(woken).toBeGreaterThan(0)
  // And they are asked again, in turn, until they have an answer.
  fixture.answers.set(codeOf(6), quote(codeOf(6)))
  await fixture.seconds(30)
  expect(fixture.prices.quote(codeOf(6))?.price).toBe(70_000)
})

test.each<[string, null | Error]>([
  ['the broker knows no price of', null],
  ['the broker fails to answer for', new Error('no quote')],
])('a stock that %s is asked for ever less often, at least twice a minute', async (_name, answer) => {
  fixture = new FeedFixture(2)
  fixture.socket.state = 'connected'
  fixture.socket.watched.add(codeOf(2))
  fixture.answers.set(codeOf(1), answer)
  const perMinute: number[] = []
  for (let n = 0; n < 5; n += 1) perMinute.push((await fixture.seconds(60)).filter((code) => code === codeOf(1)).length)
  // After 1, 2, 4, 8, 16 and then 30 seconds: instead of 60 a minute.
  expect(perMinute).toEqual([6, 2, 2, 2, 2])
  fixture.answers.delete(codeOf(1))
  await fixture.seconds(31)
  expect(fixture.prices.quote(codeOf(1))?.price).toBe(70_000)
})

test('an answer ends the waits: the next failure begins anew', async () => {
  fixture = new FeedFixture(1)
  fixture.socket.state = 'connected'
  fixture.answers.set(codeOf(1), null)
  await fixture.seconds(60)
  fixture.answers.delete(codeOf(1))
  await fixture.seconds(40)
  fixture.answers.set(codeOf(1), null)
  expect(await fixture.seconds(6)).toHaveLength(3)
})

test('a clock that is set back keeps no stock waiting for the hours in between', async () => {
  fixture = new FeedFixture(1)
  fixture.answers.set(codeOf(1), null)
  await fixture.seconds(10)
  fixture.clock.advance(-3 * 3_600_000)
  expect((await fixture.seconds(1)).length).toBe(1)
})

test('the socket is asked for what has something at stake, what may be bought next first', () => {
  const stock = (n: number) => fixture.book.stocks.get(codeOf(n))
  const [a, b, c, d] = [stock(1), stock(2), stock(3), stock(4)]
  if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('four stocks')
  const lot = {
    id: 1,
    count: 1,
    buyPrice: 1,
    buyAmount: 1,
    boughtAt: 0,
    buyOrderId: null,
    heldBack: false,
    takenOver: false,
  }
  const stocks = [
    { ...a, nextBuyPrice: null, priceSubscribed: true },
    { ...b, nextBuyPrice: null, priceSubscribed: false },
    { ...c, nextBuyPrice: null, priceSubscribed: false, lots: [lot] },
    { ...d, nextBuyPrice: 1, priceSubscribed: false },
  ]
  fixture.feed.arrange({ ...fixture.book, stocks: new Map(stocks.map((one) => [one.issue.code, one])) })
  expect(fixture.socket.wanted).toEqual([[codeOf(4), codeOf(3), codeOf(1)]])
})

const FRIDAY = '20261120'
const MONDAY = '20261123'
const CODE = codeOf(1)

/** One stock whose market keeps KRX's hours. */
function opening(day: string, time: number): FeedFixture {
  const one = new FeedFixture(1)
  one.timetables.current = knownTimetable('krx')
  one.clock.advance(kstInstant(day, time) - one.clock.now())
  return one
}
/** When the stock was asked for until an instant, HH:MM. */
async function askedUntil(one: FeedFixture, day: string, time: number): Promise<string[]> {
  const times: string[] = []
  while (one.clock.now() < kstInstant(day, time)) {
    const at = kstIso(one.clock.now()).slice(11, 16)
    if ((await one.seconds(1)).length > 0) times.push(at)
    one.clock.advance(59_000)
  }
  return times
}

describe('a trading day', () => {
  test('limits are read a minute before the first session and before KRX opens, the close before the after-market', async () => {
    const one = opening(FRIDAY, 0)
    expect(await askedUntil(one, FRIDAY, 235_900)).toEqual(['00:00', '07:59', '08:59', '15:31'])
    expect(one.closes.get(CODE)).toEqual({ day: FRIDAY, close: 70_000, base: 70_000 })
  })

  test('at night nothing is believed of limits, in the morning they are there', async () => {
    const one = opening(FRIDAY, 30_000)
    await one.seconds(2)
    expect(one.prices.quote(CODE)).toMatchObject({ price: 70_000, band: null })
    one.clock.advance(kstInstant(FRIDAY, 75_901) - one.clock.now())
    await one.seconds(2)
    expect(one.prices.quote(CODE)?.band).toEqual({ lower: 49_000, upper: 91_000 })
  })

  test('a server that starts in the evening reads once, and no close: the after-market has moved it', async () => {
    const one = opening(FRIDAY, 170_000)
    expect(await askedUntil(one, FRIDAY, 235_900)).toEqual(['17:00'])
    expect(one.closes.size).toBe(0)
  })

  test('limits that are still those of the day before are asked for again until they change', async () => {
    const one = opening(MONDAY, 75_901)
    one.closes.set(CODE, { day: FRIDAY, close: 72_000, base: 90_000 })
    one.answers.set(CODE, quote(CODE, { base: 90_000, upper: 117_000, lower: 63_000 }))
    expect(await askedUntil(one, MONDAY, 80_300)).toEqual(['07:59', '08:00', '08:01', '08:02'])
    expect(one.prices.quote(CODE)).toMatchObject({ band: null, moved: undefined })
    one.answers.set(CODE, quote(CODE, { base: 72_000, upper: 93_600, lower: 50_400 }))
    await askedUntil(one, MONDAY, 80_500)
    expect(one.prices.quote(CODE)).toMatchObject({ band: { lower: 50_400, upper: 93_600 }, moved: null })
  })

  test('a base that is not the close is a move, one tick beside it is none', async () => {
    const one = opening(MONDAY, 85_901)
    one.closes.set(CODE, { day: FRIDAY, close: 140_000, base: 139_000 })
    await one.seconds(2)
    expect(one.prices.quote(CODE)?.moved).toEqual({ day: MONDAY, close: 140_000, base: 70_000 })
    one.closes.set(CODE, { day: FRIDAY, close: 70_100, base: 139_000 })
    one.feed.readAgain(CODE)
    await one.seconds(2)
    expect(one.prices.quote(CODE)?.moved).toBe(null)
    expect(one.charts).toEqual([])
  })

  test('without the close of the day before the chart is asked for the traded prices', async () => {
    const one = opening(MONDAY, 85_901)
    one.closes.set(CODE, { day: '20261119', close: 70_000, base: 70_000 })
    await one.seconds(2)
    expect(one.charts).toEqual([`${CODE} ${FRIDAY} original`])
  })

  test('a trade with another base has the limits read again', async () => {
    const one = opening(MONDAY, 85_901)
    await one.seconds(2)
    one.prices.tickReceived({ code: CODE, price: 35_000, halted: false, base: 35_000, trade: true })
    expect(await one.seconds(3)).toEqual([CODE])
  })
})
