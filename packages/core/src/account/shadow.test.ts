import { expect, test } from 'vitest'
import { CODE, DAY, Desk, ISSUE } from '../../test/desk.ts'
import { EXAMPLE } from '../../test/settings.ts'
import { kstInstant } from '../krx/kst.ts'
import { gate, type Proposal } from './gate.ts'
import { restoredSign } from './other-server-state.ts'
import { ordersOfRealStart } from './real-start.ts'

const OTHER = '000660'

const turn = (desk: Desk, shadow: boolean, code: string | null = CODE) => desk.ask({ kind: 'setShadow', code, shadow })

/** What leaving the shadow would send. */
const starts = (desk: Desk) => {
  const { atOnce, atOpening } = ordersOfRealStart(desk.account, desk.ctx, CODE)
  const [now, then] = [atOnce, atOpening].map((orders) =>
    orders.map(({ side, count, price }) => `${side} ${count} @ ${price}`),
  )
  return { atOnce: now, atOpening: then }
}

const holding = (): Desk => new Desk({ autoBuy: false }).quote(70_000).hold([1, 2, 70_000])

test('a stock in the shadow makes no order at all, and says why', () => {
  const desk = new Desk()
  expect(turn(desk, true)).toMatchObject({ ok: true })
  desk.hold([1, 2, 70_000]).quote(60_000).timer()
  desk.price(60_000).cash(1_000).timer()
  expect(desk.orders).toEqual([])
  expect(desk.ask({ kind: 'sellAtMarket', code: CODE })).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(desk.ask({ kind: 'sellAtMarket', code: CODE })).toMatchObject({ text: expect.stringContaining('그림자') })
})

test('a price near the next buy asks the broker for nothing', () => {
  const desk = new Desk({ lastBuyPrice: null, maxBuyPrice: 70_000 })
  turn(desk, true)
  desk.price(70_100).price(69_000)
  expect(desk.effects).toEqual([])
})

test('what rests is taken back, what a person ordered stays', () => {
  const desk = holding().timer()
  desk.hold([2, 3, 71_000])
  const [auto] = desk.sent
  desk.ask({ kind: 'sellTrade', code: CODE, tradeId: 2, how: 'target' })
  const [own] = desk.sent
  desk.accept(auto ?? 0, own ?? 0)
  turn(desk, true)
  expect(desk.cancels).toEqual([auto])
  expect(desk.order(own ?? 0)).toMatchObject({ status: 'open', cancelWanted: false })
})

test('an order on its way when the shadow came does not leave, and is cancelled once it has its number', () => {
  const desk = holding().timer()
  const [id = 0] = desk.sent
  turn(desk, true)
  // No wish is written: after a restart it would look like a person's, whose stock is not bought again that day.
  expect(desk.order(id)).toMatchObject({ status: 'intended', cancelWanted: false })
  desk.accept(id)
  expect(desk.cancels).toEqual([id])
})

test('a server that only rehearses takes back what rests from before', () => {
  const desk = holding().timer()
  const [id = 0] = desk.sent
  desk.accept(id)
  desk.shadow = true
  desk.timer()
  expect(desk.cancels).toEqual([id])
})

test('where another server may trade the account nothing is taken back: what rests may be its own', () => {
  const desk = holding().timer()
  const [id = 0] = desk.sent
  desk.accept(id)
  desk.putFacts({ kind: 'otherServerSuspected', signs: [restoredSign(0)], text: '확인해 주세요.', at: 0 })
  desk.shadow = true
  desk.timer()
  expect(desk.cancels).toEqual([])
})

test('back from the shadow and started anew, the stock is bought again', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000)
  desk.accept(1)
  turn(desk, true)
  expect(desk.cancels).toEqual([1])
  desk.putFacts({ kind: 'orderEnded', orderId: 1, end: 'cancelled', note: null, at: desk.now })
  turn(desk, false)
  desk.do({ kind: 'restarted', lateMs: 120_000 })
  expect([...desk.account.view.stocks.heldBuys]).toEqual([])
})

test('back from the shadow the settings decide as before, on the same lots', () => {
  const desk = holding()
  turn(desk, true)
  const before = desk.stock
  expect(desk.timer().sent).toEqual([])
  turn(desk, false)
  expect(desk.orders.map((text) => text.replace(/^\d+ /, ''))).toEqual(['sell 2 @ 70900 of 1 intended'])
  expect({ ...desk.stock, updatedAt: 0 }).toEqual({ ...before, shadow: false, updatedAt: 0 })
})

test('for all: every stock, and those added later; one of them goes back alone', () => {
  const desk = new Desk()
  const listing = { issue: { ...ISSUE, code: OTHER }, name: 'SK하이닉스' }
  turn(desk, true, null)
  expect(desk.account.book.shadow).toBe(true)
  desk.ask({ kind: 'updateStock', code: OTHER, version: null, settings: EXAMPLE, listing })
  expect(desk.account.book.stocks.get(OTHER)?.shadow).toBe(true)
  turn(desk, false, OTHER)
  expect([...desk.account.book.stocks.values()].map(({ shadow }) => shadow)).toEqual([true, false])
  turn(desk, false, null)
  expect(desk.account.book.shadow).toBe(false)
  expect(desk.stock.shadow).toBe(false)
})

test('the cash of the day is asked for a stock that would buy', () => {
  const desk = new Desk()
  const listing = { issue: { ...ISSUE, code: OTHER }, name: 'SK하이닉스' }
  desk.ask({ kind: 'updateStock', code: OTHER, version: null, settings: EXAMPLE, listing })
  turn(desk, true)
  desk.timer()
  const asked = desk.effects.flatMap((effect) => (effect.kind === 'askCash' ? [effect.code] : []))
  expect(asked).toEqual([OTHER])
})

test('asked twice nothing is written twice, and an unknown stock is named', () => {
  const desk = new Desk()
  turn(desk, true)
  turn(desk, true)
  expect(desk.facts).toEqual([])
  expect(turn(desk, true, OTHER)).toMatchObject({ ok: false, code: 'NOT_FOUND' })
})

test('what leaving the shadow would send at once is known before, and changes nothing', () => {
  const desk = holding()
  turn(desk, true)
  const before = desk.account
  expect(starts(desk)).toEqual({ atOnce: ['sell 2 @ 70900'], atOpening: [] })
  expect(desk.account).toBe(before)
  turn(desk, false)
  expect(desk.sent).toHaveLength(1)
})

const propose = (desk: Desk, over: Partial<Proposal> = {}): string | null => {
  const price = over.side === 'sell' ? 70_900 : 70_000
  const plain = { stock: desk.stock, side: 'buy', origin: 'auto', type: 'limit', reservedPrice: price } as const
  const lotIds = over.side === 'sell' ? [1] : []
  const result = gate(desk.account, desk.ctx, { ...plain, price, count: 2, lotIds, ...over })
  return result.ok ? null : result.reason.code
}

test.each<[string, Partial<Proposal>]>([
  ['an automatic buy', { side: 'buy' }],
  ['an automatic sale', { side: 'sell' }],
  ['a buy of a person', { side: 'buy', origin: 'person' }],
  ['a sale of a person at the market', { side: 'sell', origin: 'person', type: 'market' }],
])('the gate lets %s pass in earnest, and in no shadow, whoever set it', (_name, over) => {
  const desk = new Desk({ autoSell: false }).hold([1, 2, 70_000]).quote(70_000)
  expect(propose(desk, over)).toBeNull()
  desk.shadow = true
  expect(propose(desk, over)).toBe('shadow')
  desk.shadow = false
  desk.putFacts({ kind: 'stockShadowed', code: CODE, shadow: true, at: 0 })
  expect(propose(desk, over)).toBe('shadow')
})

test('a buy that is due is named, too, though nobody has asked for the cash yet', () => {
  const desk = new Desk({ lastBuyPrice: null })
  turn(desk, true)
  desk.quote(70_000)
  expect(starts(desk)).toEqual({ atOnce: ['buy 2 @ 70000'], atOpening: [] })
  // Old as it is, it is the price of the next trade as far as anybody knows.
  desk.wait(60_000)
  expect(starts(desk).atOnce).toHaveLength(1)
  desk.quote(90_000)
  expect(starts(desk)).toEqual({ atOnce: [], atOpening: [] })
})

test.each(['real', 'paper'] as const)('all that leaves is counted, though few leave at a time: %s', (env) => {
  const desk = new Desk({ autoBuy: false }).quote(70_000)
  desk.env = env
  const lots = Array.from({ length: 25 }, (_, n): [number, number, number] => [n + 1, 1, 65_000 + 100 * n])
  desk.hold(...lots)
  turn(desk, true)
  desk.limits = { ...desk.limits, ordersPerMinute: 4 }
  desk.ask({ kind: 'setLimits', change: { ordersPerMinute: 3 } })
  const { account } = desk
  expect(starts(desk).atOnce).toHaveLength(25)
  expect(desk.account).toBe(account)
})

test('what waits for its verdict already takes no place from what would leave', () => {
  const desk = new Desk({ autoBuy: false }).quote(70_000).hold([1, 2, 70_000]).timer()
  turn(desk, true)
  desk.hold([2, 3, 71_000])
  expect(starts(desk).atOnce).toEqual(['sell 3 @ 71900'])
})

test.each<[string, (desk: Desk) => unknown, string[]]>([
  ['by the settings', () => undefined, ['sell 2 @ 70900', 'buy 2 @ 69000']],
  ['the price is above the next buy', (desk) => desk.quote(70_500), ['sell 2 @ 70900']],
  ['no price is known', (desk) => (desk.quotes.clear(), (desk.unseen = undefined)), ['sell 2 @ 70900']],
  ['a stop is no matter of hours', (desk) => (desk.serverStop = 'halt'), []],
  ['nor is a stop of buys', (desk) => (desk.serverStop = 'reduce'), ['sell 2 @ 70900']],
])('while no session is open, what the next one brings: %s', (_name, change, expected) => {
  const desk = new Desk({ lastBuyPrice: 70_000 }).hold([1, 2, 70_000]).quote(69_000)
  turn(desk, true)
  desk.now = kstInstant(DAY, 210_000)
  change(desk)
  expect(starts(desk)).toEqual({ atOnce: [], atOpening: expected })
})
