import { knownTimetable, kstInstant } from '@digger/core'
import { describe, expect, test } from 'vitest'
import { codeOf, FeedFixture, quote } from '../test/feed-fixture.ts'

const FRIDAY = '20261120'
const MONDAY = '20261123'
const CODE = codeOf(1)

function at(time: number, day = MONDAY): FeedFixture {
  const one = new FeedFixture(1)
  one.timetables.current = knownTimetable('krx')
  one.clock.advance(kstInstant(day, time) - one.clock.now())
  return one
}
const until = async (one: FeedFixture, time: number, day = MONDAY): Promise<FeedFixture> => {
  one.clock.advance(kstInstant(day, time) - one.clock.now())
  await one.seconds(3)
  return one
}
const base = (won: number) => quote(CODE, { base: won, upper: won * 1.3, lower: won * 0.7 })
const traded = (one: FeedFixture, market: 'KRX' | 'NXT' | 'UN', won: number): void =>
  one.all.of(market).tickReceived({ code: CODE, price: won, halted: false, base: won, trade: true })
const movedOf = (one: FeedFixture) =>
  (['KRX', 'NXT', 'UN'] as const).map((market) => one.all.of(market).quote(CODE)?.moved)

describe('a base that was read first', () => {
  // Yesterday's base was yesterday's close, so that a base of yesterday looks like no move.
  test('of the day before does not stand against a trade of NXT on the other venues', async () => {
    const one = at(75_901)
    one.closes.set(CODE, { day: FRIDAY, close: 70_000, base: 70_000 })
    await one.seconds(3)
    one.all.of('UN').wasRead(CODE, 70_000, false)
    await until(one, 80_001)
    traded(one, 'NXT', 35_000)
    await one.seconds(40)
    const [krx, nxt, both] = movedOf(one)
    expect(nxt).toMatchObject({ base: 35_000 })
    expect([krx, both]).toEqual([undefined, undefined])
    one.answer = () => base(35_000)
    await until(one, 85_905)
    expect(movedOf(one).map((moved) => moved?.base)).toEqual([35_000, 35_000, 35_000])
  })

  test('by a trade before the opening does not stand against what is read at the opening', async () => {
    const one = at(75_901)
    one.closes.set(CODE, { day: FRIDAY, close: 72_000, base: 90_000 })
    one.answer = () => base(72_000)
    await one.seconds(3)
    one.all.of('UN').wasRead(CODE, 72_000, false)
    traded(one, 'NXT', 90_000)
    await until(one, 85_905)
    expect(movedOf(one)).toEqual([null, null, null])
    expect((await one.seconds(120)).length).toBe(0)
  })

  test('the close is kept also where trades and readings do not agree about the base', async () => {
    const one = at(153_000)
    await one.seconds(3)
    traded(one, 'UN', 35_000)
    await until(one, 153_505)
    expect(one.closes.get(CODE)).toEqual({ day: MONDAY, close: 70_000, base: 70_000 })
  })
})

/** Away since Wednesday, whose close was kept. `adjusted`: what the chart makes of it; absent: the same. */
const away = (adjusted: number | undefined, today: number): FeedFixture => {
  const one = at(85_901)
  one.closes.set(CODE, { day: '20261118', close: 70_000, base: 70_000 })
  const before = adjusted === undefined ? 70_000 : 14_100
  one.bars = [
    { day: '20261118', close: 70_000, ...(adjusted === undefined ? {} : { adjusted }) },
    { day: FRIDAY, close: before },
  ]
  one.answer = () => base(today)
  return one
}

describe('a close that nobody kept', () => {
  test('of a stock that stood still for days: its last bar', async () => {
    const one = at(85_901)
    one.bars = [
      { day: '20261105', close: 68_000 },
      { day: '20261106', close: 70_000 },
    ]
    one.answer = () => base(14_000)
    await one.seconds(3)
    expect(one.prices.quote(CODE)?.moved).toEqual({ day: MONDAY, close: 70_000, base: 14_000, since: '20261106' })
  })

  test('a share that became another one while the server was away for days', async () => {
    const one = away(14_000, 14_100)
    await one.seconds(3)
    expect(one.prices.quote(CODE)?.moved).toEqual({ day: FRIDAY, close: 70_000, base: 14_000, since: '20261118' })
    // Once more at the close, which is kept: what was seen stands.
    await until(one, 153_505)
    expect(one.closes.get(CODE)?.day).toBe(MONDAY)
  })

  test('nor the days after, of a stock that stood still when its last close was kept', async () => {
    const one = away(14_000, 14_100)
    one.bars = [
      { day: '20261113', close: 70_000, adjusted: 14_000 },
      { day: FRIDAY, close: 14_100 },
    ]
    await one.seconds(3)
    expect(one.prices.quote(CODE)?.moved).toEqual({ day: FRIDAY, close: 70_000, base: 14_000, since: '20261113' })
  })

  test('and moves once more today: both in one', async () => {
    const one = away(14_000, 7_050)
    await one.seconds(3)
    expect(one.prices.quote(CODE)?.moved).toMatchObject({ day: MONDAY, close: 70_500, base: 7_050 })
  })

  test.each([
    ['holds it already', 14_100, 14_000],
    ['does not hold it yet', 70_500, 70_000],
  ])('a move of today that a chart of adjusted prices %s is told once', async (_name, before, last) => {
    const one = away(undefined, 14_100)
    one.bars = [
      { day: '20261118', close: 70_000, adjusted: last },
      { day: FRIDAY, close: 70_500, adjusted: before },
    ]
    await one.seconds(3)
    expect(one.prices.quote(CODE)?.moved).toEqual({ day: MONDAY, close: 70_500, base: 14_100 })
  })

  test('nothing happened meanwhile', async () => {
    const one = away(undefined, 70_000)
    await one.seconds(3)
    expect(one.prices.quote(CODE)?.moved).toBe(null)
  })
})
