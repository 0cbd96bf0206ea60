import { expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../../test/desk.ts'
import { kstInstant } from '../../krx/kst.ts'
import { emptyBook, evolve } from '../evolve.ts'
import { gate } from '../gate.ts'
import type { Fact } from '../facts.ts'
import type { LimitChange } from './types.ts'
import { limitUse, repeats } from './use.ts'

function desk(limits: LimitChange, settings = {}): Desk {
  const one = new Desk({ autoSell: false, ...settings })
  one.limits = { ...one.limits, defaults: limits }
  one.unseen = undefined
  return one
}

const reachedLimits = ({ account }: Desk): string[] =>
  account.book.limits.trips.map(({ limit, code }) => (code === null ? limit : `${limit} ${code}`))
const stops = (one: Desk): string => `${one.account.book.stop} ${one.stock.stop}`
const release = (one: Desk) => one.ask({ kind: 'setStop', level: 'user', code: null, stop: 'active' })

test('the buy that fills the account up to its limit is the last one', () => {
  const one = desk({ positionAmount: 140_000 }).buy(70_000)
  expect(one.lots).toEqual(['1: 2 @ 70000'])
  expect([stops(one), ...reachedLimits(one)]).toEqual(['reduce active', 'positionAmount'])
  expect(one.account.book.limits.trips[0]?.text).toContain('140,000원')
})

test('a live buy up to the limit counts, and an unfilled one gives nothing back by itself', () => {
  const one = desk({ positionAmount: 140_000 }).buyAt(70_000)
  expect(one.live).toEqual(['1 buy 2 @ 70000 of 1 intended'])
  expect(stops(one)).toBe('reduce active')
  one.do({ kind: 'refused', orderId: 1, text: '거절' }).timer()
  expect(stops(one)).toBe('reduce active')
  release(one)
  expect([stops(one), ...reachedLimits(one)]).toEqual(['active active'])
})

test('an automatic buy that the limit turns away stops the buying, and says by how much', () => {
  const one = desk({ positionAmount: 200_000 }).buy(70_000)
  expect(stops(one)).toBe('active active')
  one.price(69_000)
  expect([stops(one), ...reachedLimits(one), ...one.live]).toEqual(['reduce active', 'positionAmount'])
  expect(one.account.book.limits.trips[0]?.text).toMatch(/200,000원.*140,000원.*138,000원/)
})

test('a person’s buy that is too much is refused, and stops nothing', () => {
  const one = desk({ positionAmount: 139_999 }).quote(70_000)
  const answer = one.ask({ kind: 'marketBuy', code: CODE, amount: 140_000, cash: 10_000_000, askedAt: one.now })
  expect(answer).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(stops(one)).toBe('active active')
})

test('what a split makes of the price is no loss', () => {
  const one = desk({ lossAmount: 10_000 }).hold([1, 2, 70_000])
  const moved = { day: DAY, close: 70_000, base: 14_000 }
  one.quote(14_000, { moved }).timer()
  expect([one.stock.frozen, stops(one)]).toEqual([moved, 'active active'])
  expect(limitUse(one.account.book, one.ctx).lossAmount).toBe(0)
})

test('a loss is seen on the timer, a second after the price', () => {
  const one = desk({ lossAmount: 10_000 }).hold([1, 2, 70_000]).quote(65_001).timer()
  expect(stops(one)).toBe('active active')
  one.quote(65_000).timer()
  expect([stops(one), ...reachedLimits(one)]).toEqual(['reduce active', 'lossAmount'])
  // Told once, and not taken back by a better price.
  one.quote(70_000).timer()
  expect([one.facts, stops(one)]).toEqual([[], 'reduce active'])
})

test('who lets go while the limit is still reached is stopped again at once', () => {
  const one = desk({ lossAmount: 10_000 }).hold([1, 2, 70_000]).quote(65_000).timer()
  release(one)
  expect([stops(one), ...reachedLimits(one)]).toEqual(['reduce active', 'lossAmount'])
  one.quote(66_000)
  release(one)
  expect([stops(one), ...reachedLimits(one)]).toEqual(['active active'])
})

test('a halt stays a halt', () => {
  const one = desk({ lossAmount: 10_000 }).hold([1, 2, 70_000])
  one.ask({ kind: 'setStop', level: 'user', code: null, stop: 'halt' })
  one.quote(60_000).timer()
  expect([stops(one), ...reachedLimits(one)]).toEqual(['halt active', 'lossAmount'])
  one.ask({ kind: 'setStop', level: 'user', code: null, stop: 'reduce' })
  expect(reachedLimits(one)).toEqual(['lossAmount'])
})

test('today’s gain is what sales brought after costs, of the day only', () => {
  const one = desk({}).hold([1, 2, 70_000]).quote(70_000)
  one.ask({ kind: 'sellAtPrice', code: CODE, price: 69_000, slices: 1 })
  one.accept(1).fill(1)
  const { fee, tax } = one.facts.flatMap((fact) => (fact.kind === 'lotSold' ? fact.trade : []))[0] ?? { fee: 0, tax: 0 }
  expect(fee + tax).toBeGreaterThan(0)
  expect(one.account.book.gainToday).toBe(-2_000 - fee - tax)
  expect(limitUse(one.account.book, one.ctx).lossAmount).toBe(2_000 + fee + tax)
  one.now = kstInstant('20261117', 90_000)
  one.timer()
  expect(one.account.book.gainToday).toBe(0)
})

test('a sale that a clock set back dates to the day before is none of today', () => {
  const one = desk({}).hold([1, 2, 70_000])
  const trade = { id: 1, code: CODE, count: 2, buyPrice: 70_000, buyAmount: 140_000, boughtAt: 0, sellPrice: 69_000 }
  const sale = { ...trade, sellAmount: 138_000, soldAt: 0, day: '20261115', fee: 1, tax: 1 }
  one.putFacts({ kind: 'lotSold', lotId: 1, trade: sale, at: one.now })
  expect(one.account.book.gainToday).toBe(0)
})

function loseOne(one: Desk, price: number): void {
  one.buyAt(price)
  const [id] = one.sent
  if (id === undefined) throw new Error(`no buy at ${price}`)
  one
    .lose(id)
    .do({ kind: 'accepted', orderId: id, odno: String(id), orgno: '1' })
    .fill(id)
}

test('more orders of unknown outcome in an hour than allowed stop the buying, whatever came of them', () => {
  const one = desk({ unknownPerHour: 2 }, { maxBuyAmount: 10_000_000 })
  for (const price of [70_000, 69_000]) loseOne(one, price)
  expect(stops(one)).toBe('active active')
  loseOne(one, 68_000)
  expect([stops(one), ...reachedLimits(one)]).toEqual(['reduce active', 'unknownPerHour'])
  release(one)
  expect(stops(one)).toBe('reduce active')
  one.wait(3_600_000)
  release(one)
  expect(stops(one)).toBe('active active')
})

test('the same order is counted once, also when the clock is set and its wait begins again', () => {
  const one = desk({ unknownPerHour: 1 }).buyAt(70_000)
  one.lose(1).lose(1).do({ kind: 'clockMoved' }).timer()
  expect([one.account.book.limits.lostAt.length, stops(one)]).toEqual([1, 'active active'])
})

test('an order that a restart found unsent counts', () => {
  const one = desk({ unknownPerHour: 0 }).buyAt(70_000).do({ kind: 'restarted', lateMs: 120_000 })
  expect(reachedLimits(one)).toEqual(['unknownPerHour'])
})

/** Buys at a price and sells the lot again, a won-less circle. */
function circle(one: Desk, price: number): void {
  one.buy(price)
  const lot = one.stock.lots[0]
  one.ask({ kind: 'sellTrade', code: CODE, tradeId: lot?.id ?? 0, how: 'current' })
  const [id] = one.sent
  if (id === undefined) throw new Error('no sale')
  one.accept(id).fill(id)
}

test('a stock bought and sold again too often within ten minutes stops, and it alone', () => {
  const one = desk({ repeatCount: 2 }, { lastBuyPrice: null, recoverLastBuyPrice: true })
  for (const price of [70_000, 69_000]) circle(one, price)
  expect(stops(one)).toBe('active active')
  circle(one, 68_000)
  expect([stops(one), ...reachedLimits(one)]).toEqual(['active reduce', `repeatCount ${CODE}`])
  // Told once, whatever else happens.
  one.ask({ kind: 'setSubscribed', code: CODE, subscribed: false })
  expect(one.facts.map(({ kind }) => kind)).toEqual(['subscribed'])
  one.wait(10 * 60_000)
  one.ask({ kind: 'setStop', level: 'stock', code: CODE, stop: 'active' })
  expect([stops(one), ...reachedLimits(one)]).toEqual(['active active'])
})

test('a sale that only rests has sold nothing', () => {
  const one = desk({ repeatCount: 1 }, { autoSell: true, maxBuyAmount: 10_000_000 })
  for (const price of [70_000, 69_000, 68_000]) {
    one.buy(price)
    one.accept(...one.sent)
  }
  expect(one.live.length).toBe(3)
  expect([repeats(one.account.book, one.now).size, stops(one)]).toEqual([0, 'active active'])
})

test('buys that are kept are no circle, nor sales of older lots', () => {
  const one = desk({}, { maxBuyAmount: 10_000_000 }).hold([1, 2, 71_000]).buy(70_000).buy(69_000)
  one.ask({ kind: 'sellTrade', code: CODE, tradeId: 1, how: 'current' })
  one.accept(3).fill(3)
  expect(one.stock.lots.length).toBe(2)
  expect(repeats(one.account.book, one.now).size).toBe(0)
})

test('a tightening holds at once: what it finds reached stops at once', () => {
  const one = desk({}).hold([1, 2, 70_000]).quote(70_000)
  expect(one.ask({ kind: 'setLimits', change: { positionAmount: 140_000 } })).toMatchObject({ ok: true })
  expect([stops(one), ...reachedLimits(one)]).toEqual(['reduce active', 'positionAmount'])
})

test('a loosening holds after the night', () => {
  const one = desk({ personOrderAmount: 100_000 }).hold([1, 2, 70_000]).quote(70_000)
  one.ask({ kind: 'setLimits', change: { personOrderAmount: 200_000 } })
  const passes = () => one.ask({ kind: 'sellAtPrice', code: CODE, price: 70_000, slices: 1 })?.ok
  expect(passes()).toBe(false)
  one.now = kstInstant('20261117', 90_000)
  one.quote(70_000).timer()
  expect(passes()).toBe(true)
})

test('an invalid limit is refused and changes nothing', () => {
  const one = desk({})
  one.limits = { ...one.limits, orderAmount: 1_000 }
  const answer = one.ask({ kind: 'setLimits', change: { orderAmount: 1_001 } })
  expect(answer).toMatchObject({ ok: false, code: 'INVALID' })
  expect(one.facts).toEqual([])
})

test('the server’s own limits bind who chose none, and who chose more before they were set', () => {
  const one = desk({}).quote(70_000)
  one.ask({ kind: 'setLimits', change: { orderAmount: 500_000 } })
  one.limits = { ...one.limits, orderAmount: 100_000 }
  const { stock } = one
  const proposal = { stock, side: 'buy', origin: 'auto', type: 'limit', price: 70_000, reservedPrice: 70_000 } as const
  expect(gate(one.account, one.ctx, { ...proposal, count: 2, lotIds: [] })).toMatchObject({
    reason: { code: 'orderAmount' },
  })
})

test('stops by limits, their reasons and the limits themselves come back from the journal; older journals have none', () => {
  const one = desk({ positionAmount: 200_000, unknownPerHour: 0 })
  one.ask({ kind: 'setLimits', change: { lossAmount: 5, positionAmount: 300_000 } })
  one.buyAt(70_000).lose(1)
  const again: Fact[] = JSON.parse(JSON.stringify(one.journal))
  expect(again.reduce(evolve, emptyBook(DAY))).toEqual(one.account.book)
  expect(one.account.book.limits).toMatchObject({
    own: { lossAmount: 5 },
    pending: [{ limit: 'positionAmount', value: 300_000, from: '20261117' }],
    trips: [{ limit: 'unknownPerHour', code: null }],
  })
  const old = one.journal.filter(({ kind }) => kind.startsWith('order') || kind.startsWith('stock'))
  expect(old.reduce(evolve, emptyBook(DAY)).limits).toEqual({ own: {}, pending: [], trips: [], lostAt: [] })
})
