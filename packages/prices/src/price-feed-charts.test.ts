import { knownTimetable, kstInstant } from '@digger/core'
import { expect, test } from 'vitest'
import { codeOf, FeedFixture, quote, turn } from '../test/feed-fixture.ts'

/** On a Monday after a week away, so that every stock's limits need a chart; none of them has a registration. */
function afterDaysAway(stocks: number, time: number): FeedFixture {
  const one = new FeedFixture(stocks)
  one.timetables.current = knownTimetable('krx')
  one.clock.advance(kstInstant('20261123', time) - one.clock.now())
  one.socket.state = 'connected'
  one.chartsHang = true
  return one
}
const band = (one: FeedFixture, n: number) => one.prices.quote(codeOf(n))?.band ?? null

test('while charts hang, prices of every stock are read on, and limits of those that need no chart', async () => {
  const one = afterDaysAway(6, 100_000)
  one.closes.set(codeOf(6), { day: '20261120', close: 70_000, base: 70_000 })
  await one.seconds(5)
  expect(band(one, 6)).not.toBeNull()
  const polled = await one.seconds(12)
  for (let n = 1; n <= 6; n += 1) expect(polled.filter((code) => code === codeOf(n))).toHaveLength(2)
  expect([band(one, 1), one.feed.busy]).toEqual([null, true])
  // A trade between two polls wakes whoever waits for it, though the chart has not come.
  let woken = 0
  one.prices.setTrigger({ wake: () => void (woken += 1) }, codeOf(1), 80_000)
  for (const volume of [1, 2, 3]) {
    one.answers.set(codeOf(1), quote(codeOf(1), { volume }))
    await one.seconds(6)
  }
  expect(woken).toBeGreaterThan(0)
})

test('each stock waits for one chart, and no more of them than the queue of the key bears', async () => {
  const one = afterDaysAway(50, 100_000)
  one.socket.state = 'disconnected'
  const asked = await one.seconds(60)
  expect([asked.length, new Set(asked).size]).toEqual([20, 20])
})

test('what is given up is over at once, and reported like every question that failed', async () => {
  const one = afterDaysAway(4, 100_000)
  await one.seconds(4)
  expect(one.feed.busy).toBe(true)
  one.feed.end()
  await turn()
  expect([one.feed.busy, one.problems.length]).toEqual([false, 4])
})
