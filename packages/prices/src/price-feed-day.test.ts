import { kstInstant, kstIso } from '@digger/core'
import { describe, expect, test } from 'vitest'
import { codeOf, FeedFixture, opening, quote } from '../test/feed-fixture.ts'

const FRIDAY = '20261120'
const MONDAY = '20261123'
const CODE = codeOf(1)

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
    expect(await askedUntil(one, FRIDAY, 235_900)).toEqual(['00:00', '07:59', '08:59', '15:35'])
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
    one.closes.set(CODE, { day: '20261118', close: 70_000, base: 70_000 })
    one.bars = [
      { day: '20261118', close: 70_000 },
      { day: '20261119', close: 70_000 },
    ]
    await one.seconds(2)
    // Then further back, and for what became meanwhile of the close that was kept.
    const asked = ['20261120 original', '20260921 original', '20261118 adjusted', '20261119 adjusted']
    expect(one.charts).toEqual(asked.map((bars) => `${CODE} ${bars}`))
  })

  test('where nobody has traded yet the limits are known, at KRX’s price', async () => {
    const one = opening(MONDAY, 85_901)
    one.market = 'NXT'
    one.answer = (code, market) => quote(code, market === 'NXT' ? { price: 0 } : { price: 69_000 })
    await one.seconds(3)
    expect(one.all.of('NXT').quote(CODE)).toMatchObject({
      price: 69_000,
      live: false,
      band: { upper: expect.any(Number) },
    })
    one.all.of('NXT').wasRead(CODE, 69_500, false)
    expect(one.all.of('NXT').quote(CODE)?.price).toBe(69_500)
  })

  test('a trade with another base has the limits read again', async () => {
    const one = opening(MONDAY, 85_901)
    await one.seconds(2)
    one.prices.tickReceived({ code: CODE, price: 35_000, halted: false, base: 35_000, trade: true })
    expect(await one.seconds(3)).toEqual([CODE])
  })
})

/** KRX shows the price of a quote, both together one won less. */
function withMarkets(one: FeedFixture, volume: () => number = () => 0): void {
  one.answer = (code, market) =>
    quote(code, { price: market === 'UN' ? 69_900 : 70_000, volume: market === 'UN' ? volume() : 0 })
}

describe('where NXT’s trades count', () => {
  test('the other channel is asked for with the hour, and its limits are read as well', async () => {
    const one = opening(FRIDAY, 152_900)
    withMarkets(one)
    await one.seconds(2)
    expect(one.socket.markets).toEqual(['KRX'])
    one.market = 'UN'
    await one.seconds(2)
    expect(one.socket.markets).toEqual(['UN'])
    expect(one.all.of('UN').quote(CODE)).toMatchObject({ price: 69_900, band: { lower: 49_000, upper: 91_000 } })
    expect(one.all.of('KRX').quote(CODE)?.price).toBe(70_000)
  })

  test('the close that is kept is KRX’s', async () => {
    const one = opening(FRIDAY, 153_501)
    withMarkets(one)
    one.market = 'UN'
    await one.seconds(2)
    expect(one.closes.get(CODE)?.close).toBe(70_000)
  })

  test('a server that has its line again in the evening reads that day’s limits', async () => {
    const one = opening(FRIDAY, 170_000)
    withMarkets(one)
    one.market = 'UN'
    await one.seconds(2)
    one.clock.advance(kstInstant(MONDAY, 170_000) - one.clock.now())
    await one.seconds(2)
    expect(one.all.of('UN').quote(CODE)?.band).toEqual({ lower: 49_000, upper: 91_000 })
  })

  test('a channel that says nothing of a stock that is traded is read past, twice a minute', async () => {
    const one = opening(FRIDAY, 100_000)
    withMarkets(one, () => one.clock.now())
    one.market = 'UN'
    one.socket.watched.add(CODE)
    one.socket.state = 'connected'
    await one.seconds(2)
    expect((await one.seconds(300)).length).toBeGreaterThan(8)
    expect(one.all.of('UN').quote(CODE)).toMatchObject({ price: 69_900, live: true })
    // KRX's channel brings whatever KRX trades.
    one.market = 'KRX'
    await one.seconds(60)
    expect(await one.seconds(120)).toEqual([])
  })
})

describe('what another venue begins with', () => {
  test('at nine the limits of the day hold at once for every venue', async () => {
    const one = opening(FRIDAY, 85_901)
    one.market = 'NXT'
    await one.seconds(3)
    one.clock.advance(kstInstant(FRIDAY, 90_000) - one.clock.now())
    one.market = 'UN'
    one.feed.tick(one.book)
    for (const price of [70_100, 70_200])
      one.all.of('UN').tickReceived({ code: CODE, price, halted: false, base: 70_000, trade: true })
    expect(one.all.of('UN').quote(CODE)).toMatchObject({ band: { lower: 49_000, upper: 91_000 }, live: true })
  })

  test('yesterday’s limits are forgotten on every venue in the same second', async () => {
    const one = opening(FRIDAY, 100_000)
    one.market = 'UN'
    await one.seconds(2)
    expect(one.all.of('UN').quote(CODE)?.band).toEqual({ lower: 49_000, upper: 91_000 })
    one.market = 'KRX'
    one.clock.advance(kstInstant(MONDAY, 85_901) - one.clock.now())
    one.answer = (code) => quote(code, { base: 100_000, upper: 130_000, lower: 70_000 })
    await one.seconds(2)
    expect(one.all.of('UN').quote(CODE)?.band).toEqual({ lower: 70_000, upper: 130_000 })
  })

  test('a stock that says nothing at night is not read', async () => {
    const one = opening(FRIDAY, 210_000)
    one.market = 'NXT'
    one.socket.watched.add(CODE)
    one.socket.state = 'connected'
    await one.seconds(60)
    expect(await one.seconds(300)).toEqual([])
  })
})

describe('a base that nobody can judge yet', () => {
  test('in the morning it is asked for again where the chart differs; at the opening the chart judges', async () => {
    const one = opening(MONDAY, 75_901)
    one.chart = 140_000
    await one.seconds(2)
    expect(one.prices.quote(CODE)).toMatchObject({ band: null, moved: undefined })
    one.clock.advance(kstInstant(MONDAY, 85_901) - one.clock.now())
    await one.seconds(2)
    expect(one.prices.quote(CODE)).toMatchObject({ moved: { close: 140_000, base: 70_000 }, band: { lower: 49_000 } })
  })

  test('a quote without a base is none: it freezes nothing and is no close', async () => {
    const one = opening(FRIDAY, 153_501)
    one.answers.set(CODE, quote(CODE, { base: 0 }))
    await one.seconds(60)
    expect([one.prices.quote(CODE)?.band, one.prices.quote(CODE)?.moved, one.closes.size]).toEqual([null, undefined, 0])
  })

  test('trades and readings that never agree are read twice a minute, not twice a second', async () => {
    const one = opening(FRIDAY, 100_000)
    await one.seconds(2)
    let asked = 0
    for (let n = 0; n < 120; n += 1) {
      one.prices.tickReceived({ code: CODE, price: 35_000, halted: false, base: 35_000, trade: true })
      asked += (await one.seconds(1)).length
    }
    expect(asked).toBeLessThan(8)
    expect(one.prices.quote(CODE)?.band).toBe(null)
  })
})
