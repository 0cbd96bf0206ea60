import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'

const HOUR = 3_600_000
const moved = (desk: Desk, ms: number): Desk => desk.wait(ms).do({ kind: 'clockMoved' })

test.each([HOUR, -HOUR])('a clock set by %d ms: nothing automatic before book and broker were compared anew', (ms) => {
  const desk = new Desk({ autoSell: false })
  moved(desk, ms)
  expect(desk.reads).toBe(1)
  expect(desk.buyAt(70_000).sent).toEqual([])
  desk.wait(1_000).read([], [])
  expect(desk.wait(1_000).buyAt(70_000).sent).toEqual([1])
})

test.each([HOUR, -HOUR])('a list asked before the clock was set by %d ms arms nothing', (ms) => {
  const desk = new Desk({ autoSell: false })
  const snapshot = desk.snapshot([], [])
  moved(desk, ms).do({ kind: 'snapshot', snapshot })
  expect(desk.wait(2_000).buyAt(70_000).sent).toEqual([])
})

test('an answer about cash that was asked before the clock was set back counts for nothing', () => {
  const desk = new Desk({ autoSell: false }).price(70_000)
  const askedAt = desk.now
  moved(desk, -HOUR).wait(1_000).read([], [])
  desk.quote(70_000).cash(100, askedAt)
  expect(desk.sent).toEqual([])
  expect(desk.wait(2_000).buyAt(70_000).sent).toEqual([1])
})

test('what waited by the old clock does not wait an hour longer: failed readings, answers about cash, pauses', () => {
  const desk = new Desk({ autoSell: false })
  for (let i = 0; i < 6; i++) desk.wait(40_000).timer().do({ kind: 'snapshotFailed', text: '' })
  expect(desk.timer().reads).toBe(0)
  expect(moved(desk, -HOUR).reads).toBe(1)
  desk.wait(1_000).read([], [])
  expect(desk.wait(1_000).price(70_000).effects).toEqual([{ kind: 'askCash', code: CODE }])
})

test('the listing lag of an order without a verdict begins again, and the order is found whatever its time', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).lose(1)
  const { createdAt } = desk.order(1)
  // Our clock had been an hour ahead when the order was made.
  moved(desk, -HOUR)
  const row = desk.row(1, { odno: '0000000777', orderedAt: createdAt - HOUR })
  desk.wait(19_999).read([row])
  expect(desk.order(1).status).toBe('unknown')
  desk.wait(1).read([row])
  expect(desk.order(1)).toMatchObject({ status: 'open', odno: '0000000777' })
})

test('set forward, the lag is not over at once', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).lose(1)
  moved(desk, HOUR)
  desk.wait(10_000).read([]).wait(3_000).read([])
  expect(desk.order(1).status).toBe('unknown')
  desk.wait(8_000).read([]).wait(2_000).read([])
  expect(desk.order(1).status).toBe('notPlaced')
})

test('a cancel on its way is asked again', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
  desk.ask({ kind: 'cancelOrders', code: CODE })
  expect(moved(desk, -HOUR).cancels).toEqual([1])
})

test('a call that never reports gives way to the broker’s list after two minutes, not before', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000)
  desk.wait(119_999).timer()
  expect(desk.order(1).status).toBe('intended')
  desk.wait(1).timer()
  expect(desk.order(1).status).toBe('unknown')
  desk.wait(20_000).read([desk.row(1, { odno: '0000000321' })])
  expect(desk.order(1)).toMatchObject({ status: 'open', odno: '0000000321' })
})

test('cash queries do not delay the first comparison', () => {
  const desk = new Desk({ lastBuyPrice: 70_000, autoSell: false }).do({ kind: 'linked' }).price(69_900)
  expect(desk.effects.map((effect) => effect.kind)).not.toContain('askCash')
  desk.wait(2_000).read([], [])
  expect(desk.price(69_900).effects.map((effect) => effect.kind)).toContain('askCash')
})
