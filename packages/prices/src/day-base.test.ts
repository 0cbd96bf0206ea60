import { kstDay, kstInstant } from '@digger/core'
import { expect, test } from 'vitest'
import { codeOf, FeedFixture, opening, quote } from '../test/feed-fixture.ts'

const FRIDAY = '20261120'
const SATURDAY = '20261121'
const MONDAY = '20261123'
const CODE = codeOf(1)

const shown = (one: FeedFixture): number | null => one.all.dayBase(CODE, kstDay(one.clock.now()))
async function until(one: FeedFixture, day: string, time: number): Promise<void> {
  one.clock.advance(kstInstant(day, time) - one.clock.now())
  await one.seconds(2)
}

test('a day has its base from the morning on, until it is over', async () => {
  const one = opening(FRIDAY, 30_000)
  one.chart = 70_000
  await one.seconds(2)
  const seen = [shown(one)]
  for (const time of [75_905, 90_005, 154_000, 195_000, 235_955]) {
    await until(one, FRIDAY, time)
    seen.push(shown(one))
  }
  expect(seen).toEqual([null, 70_000, 70_000, 70_000, 70_000, 70_000])
})

test('the base of a day before is never shown as another day’s: at night, on a day without trading, before it is read', async () => {
  const one = opening(FRIDAY, 90_005)
  await one.seconds(2)
  expect(shown(one)).toBe(70_000)
  await until(one, SATURDAY, 110_000)
  expect(shown(one)).toBeNull()
  await until(one, MONDAY, 30_000)
  expect(shown(one)).toBeNull()
  // The broker still shows the base of Friday.
  one.closes.set(CODE, { day: FRIDAY, close: 72_000, base: 70_000 })
  await until(one, MONDAY, 75_905)
  expect(shown(one)).toBeNull()
  one.answers.set(CODE, quote(CODE, { base: 72_000, upper: 93_600, lower: 50_400 }))
  await until(one, MONDAY, 80_105)
  expect(shown(one)).toBe(72_000)
})

test('without anybody who reads, what was read yesterday is not shown today', async () => {
  const one = opening(FRIDAY, 90_005)
  await one.seconds(2)
  one.clock.advance(kstInstant(MONDAY, 100_000) - one.clock.now())
  expect(shown(one)).toBeNull()
})

test('a trade that knows another base than was read is believed, and the other venues’ reading is not', async () => {
  const one = opening(MONDAY, 90_005)
  await one.seconds(2)
  const trade = { code: CODE, price: 35_100, halted: false, base: 35_000, trade: true }
  one.all.of('NXT').tickReceived(trade)
  expect(shown(one)).toBe(35_000)
  one.all.of('KRX').tickReceived({ ...trade, base: 70_000 })
  expect(shown(one)).toBeNull()
})
