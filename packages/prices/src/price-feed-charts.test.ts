import { knownTimetable, kstInstant } from '@digger/core'
import { expect, test, vi } from 'vitest'
import { codeOf, FeedFixture, quote } from '../test/feed-fixture.ts'

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

test('however many wait for a chart, one waits at the broker, and limits that need none are read', async () => {
  const one = afterDaysAway(50, 100_000)
  one.socket.state = 'disconnected'
  for (let n = 46; n <= 50; n += 1) one.closes.set(codeOf(n), { day: '20261120', close: 70_000, base: 70_000 })
  const asked = await one.seconds(60)
  expect([asked.length, new Set(asked).size, one.mostCharts]).toEqual([50, 50, 1])
  for (let n = 46; n <= 50; n += 1) expect(band(one, n)).not.toBeNull()
})

test('a chart that is refused keeps no price from its stock either, and is asked for again', async () => {
  const one = afterDaysAway(1, 100_000)
  one.chartsHang = false
  one.chart = 70_000
  one.chartsRefused = new Error('다시 시도하세요.')
  let woken = 0
  one.prices.setTrigger({ wake: () => void (woken += 1) }, codeOf(1), 80_000)
  for (let volume = 1; volume <= 20; volume += 1) {
    one.answers.set(codeOf(1), quote(codeOf(1), { volume }))
    await one.seconds(2)
  }
  expect(woken).toBeGreaterThan(10)
  one.chartsRefused = null
  await one.seconds(31)
  expect(band(one, 1)).not.toBeNull()
})

test('what has to be read again while a chart is awaited is read again', async () => {
  const one = afterDaysAway(1, 100_000)
  const chart = Promise.withResolvers<void>()
  one.chartsHang = false
  one.chart = 70_000
  one.holdCharts = chart.promise
  await one.seconds(3)
  one.feed.readAgain(codeOf(1))
  one.answer = (code) => quote(code, { upper: 80_000 })
  chart.resolve()
  await one.seconds(3)
  expect(band(one, 1)?.upper).toBe(80_000)
})

test('a second chart of the same reading frees no place that a question about its price has', async () => {
  const one = afterDaysAway(1, 100_000)
  one.chartsHang = false
  one.bars = [{ day: '20261120', close: 70_000 }]
  one.closes.set(codeOf(1), { day: '20261113', close: 70_000, base: 70_000 })
  const chart = Promise.withResolvers<void>()
  one.holdCharts = chart.promise
  await one.seconds(1)
  one.most = 0
  one.hold = new Promise(() => undefined)
  await one.seconds(2)
  one.holdCharts = new Promise(() => undefined)
  chart.resolve()
  await one.seconds(5)
  expect([one.most, one.charts.length]).toEqual([1, 1])
})

test('what is given up is over at once, and nobody’s problem', async () => {
  const one = afterDaysAway(4, 100_000)
  await one.seconds(4)
  expect(one.feed.busy).toBe(true)
  one.feed.end()
  await vi.waitFor(() => expect(one.feed.busy).toBe(false))
  expect(one.problems).toEqual([])
})
