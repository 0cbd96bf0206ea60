import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { outlook } from './outlook.ts'
import { step } from './step.ts'
import type { Execution } from './types.ts'

const codes = (desk: Desk): string[] => outlook(desk.account, desk.ctx, CODE).reasons.map((reason) => reason.code)
const comparisons = (desk: Desk): number =>
  desk.effects.filter((effect) => effect.kind === 'readLists' && effect.compare).length

/** Two shares bought by an order of ours. */
const bought = (): Desk => new Desk({ autoSell: false }).buy(70_000).wait(60_000)

const strange = (desk: Desk, over: Partial<Execution> = {}): Execution =>
  desk.row(1, { odno: '0000000900', orderedAt: desk.now, filledCount: 2, remainingCount: 0, ...over })

test('a fill of somebody else’s order is compared at once, and no automatic buy goes before that', () => {
  const desk = bought()
  const ours = desk.row(1, { filledCount: 2, remainingCount: 0 })
  desk.read([ours, strange(desk)])
  expect(comparisons(desk.wait(1_000).timer())).toBe(1)
  expect(desk.price(69_000).cash(100).sent).toEqual([])
  expect(codes(desk)).toContain('reconciled')
})

test('an order of ours that was delivered twice stops the stock within half a minute', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
  const began = desk.now
  const rows = (): Execution[] => [desk.row(1, { filledCount: 2, remainingCount: 0 }), strange(desk)]
  while (desk.stock.blocked === null && desk.now - began < 60_000) {
    desk.wait(1_000).timer()
    if (desk.reads > 0) desk.read(rows(), comparisons(desk) > 0 ? [[4, 70_000]] : null)
    else if (desk.now - began === 1_000) desk.read(rows())
  }
  expect(desk.stock.blocked?.code).toBe('mismatch')
  expect(desk.now - began).toBeLessThanOrEqual(2_000)
})

test('a balance that does not show the strange fill yet lifts nothing', () => {
  const desk = bought()
  const rows = [desk.row(1, { filledCount: 2, remainingCount: 0 }), strange(desk)]
  desk.read(rows)
  expect(desk.stock.blocked?.text).toContain('장부에 없는 매수 주문이 2주 체결되어')
  desk.wait(5_000).read(rows, [[2, 70_000]])
  expect(desk.stock.blocked?.code).toBe('mismatch')
  desk.wait(1_000).read(rows, [[4, 70_000]])
  expect(desk.stock.blocked?.text).toContain('장부 2주, 증권사 4주')
})

test('while it goes on not showing it, the holdings are asked for every five seconds and not faster', () => {
  const desk = bought()
  desk.read([desk.row(1, { filledCount: 2, remainingCount: 0 }), strange(desk)], [[2, 70_000]])
  expect(comparisons(desk.wait(1_000).timer()) + comparisons(desk.wait(3_999).timer())).toBe(0)
  expect(comparisons(desk.wait(1).timer())).toBe(1)
})

test('strange fills of before the start are left to the comparison', () => {
  const desk = bought()
  const rows = [desk.row(1, { filledCount: 2, remainingCount: 0 }), strange(desk)]
  desk.do({ kind: 'linked' })
  desk.read(rows)
  expect(desk.stock.blocked).toBe(null)
  desk.wait(11_000).read(rows, [[2, 70_000]])
  expect([desk.stock.blocked, desk.account.view.stocks.strangerFillsSince.size]).toEqual([null, 0])
})

test('a difference that strangers do not explain is believed at the second reading only', () => {
  const desk = bought()
  const resting = strange(desk, { filledCount: 0, remainingCount: 2 })
  const rows = [desk.row(1, { filledCount: 2, remainingCount: 0 }), resting]
  desk.read(rows, [[5, 70_000]])
  expect(desk.stock.blocked).toBe(null)
  desk.wait(11_000).read(rows, [[5, 70_000]])
  expect(desk.stock.blocked?.code).toBe('mismatch')
})

test('what was agreed on explains nothing later', () => {
  const desk = bought()
  const rows = [
    desk.row(1, { filledCount: 2, remainingCount: 0 }),
    strange(desk),
    strange(desk, { odno: '0000000901', side: 'sell' }),
  ]
  desk.read(rows, [[2, 70_000]])
  expect(desk.stock.blocked).toBe(null)
  desk.wait(60_000).read(rows, [[4, 70_000]])
  expect(desk.stock.blocked).toBe(null)
})

test('where book and broker agree the stock goes on, and the same rows cause no second comparison', () => {
  const desk = bought()
  const rows = [desk.row(1, { filledCount: 2, remainingCount: 0 }), strange(desk, { side: 'sell', filledCount: 0 })]
  desk.read(rows).wait(1_000).timer()
  expect(comparisons(desk)).toBe(0)
  const filled = [rows[0] ?? strange(desk), strange(desk, { side: 'sell', filledCount: 1, remainingCount: 1 })]
  desk.wait(10_000).read(filled).wait(1_000).timer()
  expect(comparisons(desk)).toBe(1)
  desk
    .wait(10_000)
    .read(filled, [[2, 70_000]])
    .wait(60_000)
    .read(filled)
    .wait(1_000)
    .timer()
  expect(comparisons(desk)).toBe(0)
  expect(desk.account.view.stocks.strangerFillsSince.size).toBe(0)
})

test('a quiet account reads no balance more often than before', () => {
  const desk = bought()
  let compared = 0
  for (let s = 0; s < 599; s++) {
    desk.wait(1_000).timer()
    compared += comparisons(desk)
    if (desk.reads > 0) desk.read([desk.row(1, { filledCount: 2, remainingCount: 0 })], [[2, 70_000]])
  }
  expect(compared).toBeLessThanOrEqual(1)
})

test('the row of an order whose reply is on its way is no stranger', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000)
  desk.wait(100).read([desk.row(1, { filledCount: 2, remainingCount: 0 })])
  expect([desk.account.view.orders.strangers.size, desk.account.view.stocks.strangerFillsSince.size]).toEqual([0, 0])
})

test.each([
  ['of a minute before', 59_000, false],
  ['without a time', null, false],
  ['of longer before', 61_000, true],
])('beside an order without a verdict a row like it %s is a stranger: %s, %s', (_name, ms, isStrange) => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000)
  const orderedAt = ms === null ? null : desk.now - ms
  desk.do({ kind: 'unknown', orderId: 1, text: '답이 없습니다.' })
  desk.wait(1_000).read([desk.row(1, { odno: '0000000900', orderedAt })])
  expect(codes(desk).includes('stranger')).toBe(isStrange)
  expect(desk.order(1).status).toBe('unknown')
})

test('somebody else’s resting order is on the card', () => {
  const desk = bought()
  desk.read([strange(desk, { filledCount: 0, remainingCount: 2 })])
  expect(codes(desk)).toContain('stranger')
})

test('while our own fill of that stock is fresh, a difference that strangers explain waits for it', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1).wait(20_000)
  desk.fill(1).wait(1_000)
  const rows = [desk.row(1, { filledCount: 2, remainingCount: 0 }), strange(desk)]
  desk.read(rows, [[4, 70_000]])
  expect(desk.stock.blocked?.text).toContain('증권사 잔고와 맞춰 보는 중입니다')
})

test('a person cannot set the shares right before the balance can show a strange fill', () => {
  const desk = bought()
  const rows = [desk.row(1, { filledCount: 2, remainingCount: 0 }), strange(desk)]
  desk.read(rows).ask({ kind: 'fixBalance', code: CODE, snapshot: desk.snapshot(rows, [[2, 70_000]]) })
  expect(desk.stock.blocked?.code).toBe('mismatch')
})

test('one reading corrects no shares, also when its list has just blocked the stock', () => {
  const desk = bought()
  const rows = [
    desk.row(1, { filledCount: 2, remainingCount: 0 }),
    strange(desk),
    strange(desk, { odno: '0000000901', filledCount: 3 }),
  ]
  const answer = desk.ask({ kind: 'fixBalance', code: CODE, snapshot: desk.snapshot(rows, [[4, 70_000]]) })
  expect(answer).toMatchObject({ ok: false, code: 'CONFLICT' })
  desk.wait(11_000).read(rows, [[7, 70_000]])
  expect(desk.lots).toEqual(['1: 2 @ 70000'])
  expect(desk.stock.blocked?.text).toContain('장부 2주, 증권사 7주')
})

test('orders of earlier days, which the book has forgotten, are no strangers', () => {
  const desk = bought()
  const old = strange(desk, { day: '20200102' })
  const rows = [desk.row(1, { filledCount: 2, remainingCount: 0 }), old]
  desk.ask({ kind: 'checkBalance', code: null, snapshot: desk.snapshot(rows, [[2, 70_000]]) })
  expect([
    desk.stock.blocked,
    desk.account.view.orders.strangers.size,
    desk.account.view.stocks.strangerFillsSince.size,
  ]).toEqual([null, 0, 0])
})

test('shares bought elsewhere do not let go sales that wait because shares are missing', () => {
  const desk = bought()
  const ours = desk.row(1, { filledCount: 2, remainingCount: 0 })
  desk
    .read([ours], [[1, 70_000]])
    .wait(11_000)
    .read([ours], [[1, 70_000]])
  expect(desk.stock.blocked).toMatchObject({ code: 'mismatch', short: true })
  desk.wait(5_000).read([ours, strange(desk)])
  expect(desk.stock.blocked).toMatchObject({ code: 'mismatch', short: true })
})

test('shares sold elsewhere hold back the sales of a stock that has too many', () => {
  const desk = bought()
  const ours = desk.row(1, { filledCount: 2, remainingCount: 0 })
  desk
    .read([ours], [[3, 70_000]])
    .wait(11_000)
    .read([ours], [[3, 70_000]])
  expect(desk.stock.blocked).toMatchObject({ code: 'mismatch', short: false })
  desk.wait(5_000).read([ours, strange(desk, { side: 'sell' })])
  expect(desk.stock.blocked).toMatchObject({ code: 'mismatch', short: true })
})

test('what was agreed on is of its day', () => {
  const desk = bought()
  const ours = desk.row(1, { filledCount: 2, remainingCount: 0 })
  const rows = [ours, strange(desk), strange(desk, { odno: '0000000901', filledCount: 1, side: 'sell' })]
  desk
    .read(rows)
    .wait(11_000)
    .read(rows, [[2, 70_000]])
  expect(desk.account.view.stocks.agreedStrangers.get(CODE)).toBe(1)
  desk.wait(86_400_000).timer()
  expect(desk.account.view.stocks.agreedStrangers.size).toBe(0)
})

test('a stock that was deleted is compared no more', () => {
  const desk = bought()
  desk.read([desk.row(1, { filledCount: 2, remainingCount: 0 }), strange(desk)])
  const { book, view } = desk.account
  expect(view.stocks.strangerFillsSince.size).toBe(1)
  const stocks = new Map([...book.stocks].filter(([code]) => code !== CODE))
  const { account } = step(
    { book: { ...book, stocks }, view },
    { kind: 'snapshot', snapshot: desk.snapshot([], null) },
    desk.ctx,
  )
  expect(account.view.stocks.strangerFillsSince.size).toBe(0)
})

test('what a person has set right explains no later difference', () => {
  const desk = bought()
  const rows = [desk.row(1, { filledCount: 2, remainingCount: 0 }), strange(desk)]
  desk
    .read(rows)
    .wait(11_000)
    .read(rows, [[4, 70_000]])
  const answer = desk.ask({ kind: 'fixBalance', code: CODE, snapshot: desk.snapshot(rows, [[4, 70_000]]) })
  expect([answer?.ok, desk.stock.blocked]).toEqual([true, null])
  desk.wait(60_000).read(rows, [[6, 70_000]])
  expect(desk.stock.blocked).toBe(null)
  desk.wait(11_000).read(rows, [[6, 70_000]])
  expect(desk.stock.blocked?.code).toBe('mismatch')
})

test('holdings that do not fit the strange fill are not corrected at the first look', () => {
  const desk = bought()
  const rows = [desk.row(1, { filledCount: 2, remainingCount: 0 }), strange(desk)]
  desk.read(rows).wait(11_000)
  const answer = desk.ask({ kind: 'fixBalance', code: CODE, snapshot: desk.snapshot(rows, []) })
  expect(answer).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(desk.lots).toEqual(['1: 2 @ 70000'])
})

test('a fill that nobody here ordered is on the card until it was compared, also where nothing would be bought', () => {
  const desk = new Desk({ lastBuyPrice: 70_000 }).hold([1, 2, 70_000]).quote(70_000).timer()
  desk.lose(1).do({ kind: 'linked' })
  const strange = desk.row(1, { odno: '0000000777', side: 'buy', price: 69_000, filledCount: 2, remainingCount: 0 })
  desk.wait(2_000).read([strange], [[4, 69_500]])
  expect(desk.stock.blocked).toBe(null)
  const unbooked = outlook(desk.account, desk.ctx, CODE).reasons.filter(({ code }) => code === 'reconciled')
  expect(unbooked.map(({ text }) => text)).toEqual(['장부에 없는 주문이 체결되어 증권사 잔고와 맞춰 보는 중입니다.'])
})
