import { expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../test/desk.ts'
import type { CommandResult } from './step-types.ts'
import type { Execution } from './types.ts'

const codeOf = (result: CommandResult | undefined): string =>
  result === undefined ? 'later' : result.ok ? 'ok' : result.code

/** Lots held, nothing resting, book and broker last agreed. */
const holding = (...lots: [number, number, number][]): Desk => new Desk({ autoSell: false }).hold(...lots).quote(70_000)

type Held = readonly [count: number, averagePrice: number][]
const fix = (desk: Desk, held: Held | null, rows: Execution[] = []): CommandResult | undefined =>
  desk.ask({ kind: 'fixBalance', code: CODE, snapshot: desk.snapshot(rows, held) })

/** A difference seen twice, as the regular readings would. */
function confirmed(desk: Desk, held: Held): Desk {
  return desk.read([], held).wait(10_000).read([], held).quote(70_000)
}

const outside = (desk: Desk, over: Partial<Execution>): Execution => {
  const probe = new Desk({ autoSell: false }).buyAt(70_000)
  return { ...probe.row(1, over), odno: '0000000500', orderedAt: desk.now, side: 'sell' }
}

test('agreement changes nothing; a difference is suspected at the first reading and blocks at the second', () => {
  const desk = holding([1, 2, 70_000]).read([], [[2, 70_000]])
  expect([desk.stock.blocked, desk.account.view.stocks.suspectedMismatches.size]).toEqual([null, 0])
  desk.read([], [[3, 70_000]])
  expect([desk.stock.blocked, desk.account.view.stocks.suspectedMismatches.size]).toEqual([null, 1])
  desk.wait(9_999).read([], [[3, 70_000]])
  expect(desk.stock.blocked).toBe(null)
  desk.wait(1).read([], [[3, 70_000]])
  expect(desk.stock.blocked).toMatchObject({ code: 'mismatch', short: false })
  expect(desk.account.view.stocks.suspectedMismatches.size).toBe(0)
})

test.each<[string, Held, boolean]>([
  ['fewer', [[1, 70_000]], true],
  ['none', [], true],
  ['more', [[3, 70_000]], false],
])('%s at the broker: short %s', (_name, held, short) => {
  expect(confirmed(holding([1, 2, 70_000]), held).stock.blocked).toMatchObject({ code: 'mismatch', short })
})

test('a new difference at each reading is suspected anew', () => {
  const desk = holding([1, 2, 70_000])
    .read([], [[3, 70_000]])
    .wait(10_000)
    .read([], [[4, 70_000]])
  expect(desk.stock.blocked).toBe(null)
  desk.wait(10_000).read([], [[4, 70_000]])
  expect(desk.stock.blocked?.code).toBe('mismatch')
})

test('agreement clears the suspicion, and the block', () => {
  const desk = holding([1, 2, 70_000])
    .read([], [[3, 70_000]])
    .wait(10_000)
    .read([], [[2, 70_000]])
  expect(desk.account.view.stocks.suspectedMismatches.size).toBe(0)
  confirmed(desk, [[3, 70_000]])
    .wait(1_000)
    .read([], [[2, 70_000]])
  expect(desk.stock.blocked).toBe(null)
})

test('a difference does not take the place of a stricter block, nor agreement lift it', () => {
  for (const code of ['rejects', 'ambiguous'] as const) {
    const desk = holding([1, 2, 70_000])
    desk.putFacts({ kind: 'stockBlocked', code: CODE, blocked: { code, short: false, text: '확인', at: 0 }, at: 0 })
    confirmed(desk, [[3, 70_000]])
    expect(desk.stock.blocked?.code).toBe(code)
    desk.wait(1_000).read([], [[2, 70_000]])
    expect(desk.stock.blocked?.code).toBe(code)
  }
})

test('a reading without holdings changes nothing about them', () => {
  const desk = holding([1, 2, 70_000]).read([], null).wait(10_000).read([], null)
  expect([desk.stock.blocked, desk.account.view.stocks.suspectedMismatches.size]).toEqual([null, 0])
  expect(codeOf(fix(desk, null))).toBe('BUSY')
  expect(desk.lots).toEqual(['1: 2 @ 70000'])
})

test('right after a fill the balance may lag: nothing is concluded for ten seconds', () => {
  const desk = new Desk({ autoSell: false }).buy(70_000)
  desk.wait(9_999).read([desk.row(1, { filledCount: 2, remainingCount: 0 })], [])
  expect(desk.account.view.stocks.suspectedMismatches.size).toBe(0)
  desk.wait(1).read([desk.row(1, { filledCount: 2, remainingCount: 0 })], [])
  expect(desk.account.view.stocks.suspectedMismatches.size).toBe(1)
})

test.each([
  ['an order on its way', (desk: Desk) => desk.buyAt(70_000)],
  ['an order without a verdict', (desk: Desk) => desk.buyAt(70_000).lose(1)],
  [
    'a fill that only a notice reported',
    (desk: Desk) => desk.buyAt(70_000).accept(1).do({ kind: 'notice', odno: '0000000001', filledCount: 1 }),
  ],
])('%s: the stock is left for the next reading, which comes soon', (_name, set) => {
  const desk = new Desk({ autoSell: false })
  set(desk)
  const rows = desk.order(1).odno === null ? [] : [desk.row(1)]
  desk.wait(2_000).read(rows, [[1, 70_000]])
  expect(desk.account.view.stocks.suspectedMismatches.size).toBe(0)
  expect(desk.account.view.connection.armed).toBe(true)
  expect(desk.now - desk.account.view.readSchedule.lastComparedAt).toBe(10 * 60_000 - 30_000)
})

test('check only reads, stores the time, and reports shares and orders that differ', () => {
  const desk = holding([1, 2, 70_000]).buyAt(70_000).accept(1).wait(2_000)
  const stranger = outside(desk, { count: 5, remainingCount: 5 })
  const ended = { ...stranger, odno: '0000000501', cancelled: true }
  const answer = desk.ask({
    kind: 'checkBalance',
    code: null,
    snapshot: desk.snapshot([stranger, ended], [[3, 70_000]]),
  })
  expect(answer).toMatchObject({
    ok: true,
    differences: [
      { what: 'shares', book: 2, broker: 3 },
      { what: 'order', book: 0, broker: 5 },
      { what: 'order', book: 2, broker: 0 },
    ],
  })
  expect(desk.stock.checkedAt).toBe(desk.now)
  expect(desk.lots).toEqual(['1: 2 @ 70000'])
})

test('a difference must be seen twice before it is corrected', () => {
  const held: Held = [[5, 71_000]]
  const desk = holding([1, 2, 70_000])
  expect(codeOf(fix(desk, held))).toBe('CONFLICT')
  expect(codeOf(fix(desk.wait(9_999), held))).toBe('CONFLICT')
  expect(codeOf(fix(desk.wait(1), held))).toBe('ok')
})

test("surplus becomes a lot at the broker's average, and the block goes", () => {
  const desk = confirmed(holding([1, 2, 70_000]), [[5, 70_333.3333]])
  expect(codeOf(fix(desk, [[5, 70_333.3333]]))).toBe('ok')
  expect(desk.lots).toEqual(['1: 2 @ 70000', '2: 3 @ 70334'])
  expect(desk.stock.lots[1]?.buyAmount).toBe(211_000)
  expect([desk.stock.blocked, desk.account.view.stocks.suspectedMismatches.size]).toEqual([null, 0])
})

test('surplus that the broker shows at no price is booked at the price of now', () => {
  const desk = confirmed(holding(), [[5, 0]])
  expect(codeOf(fix(desk, [[5, 0]]))).toBe('ok')
  expect(desk.lots).toEqual(['1: 5 @ 70000'])
  expect(desk.stock.lots[0]?.takenOver).toBe(true)
})

test('and not at all while no price is known', () => {
  const desk = confirmed(holding(), [[5, 0]])
  desk.quotes.clear()
  desk.unseen = undefined
  expect(codeOf(fix(desk, [[5, 0]]))).toBe('CONFLICT')
  expect(desk.lots).toEqual([])
})

test('missing shares close the newest lots first, without a price when no sale is found', () => {
  const desk = confirmed(holding([1, 2, 70_000], [2, 3, 69_000], [3, 1, 68_000]), [[3, 69_000]])
  expect(codeOf(fix(desk, [[3, 69_000]]))).toBe('ok')
  expect(desk.lots).toEqual(['1: 2 @ 70000', '2: 1 @ 69000'])
  const trades = desk.facts.flatMap((fact) => (fact.kind === 'lotSold' ? [fact.trade] : []))
  expect(trades.map((t) => [t.count, t.sellPrice, t.sellAmount])).toEqual([
    [1, null, null],
    [2, null, null],
  ])
  expect(desk.stock.accGainAmount).toBe(0)
})

test('missing shares take the price of the sale somebody else made', () => {
  const desk = holding([1, 2, 70_000])
  const sale = outside(desk, { count: 3, filledCount: 3, filledAmount: 215_000, remainingCount: 0 })
  desk
    .read([sale], [[1, 70_000]])
    .wait(10_000)
    .read([sale], [[1, 70_000]])
  desk.wait(10_000).read([sale], [[1, 70_000]])
  expect(codeOf(fix(desk, [[1, 70_000]], [sale]))).toBe('ok')
  const trades = desk.facts.flatMap((fact) => (fact.kind === 'lotSold' ? [fact.trade.sellPrice] : []))
  expect(trades).toEqual([71_666])
})

test('what our own sales brought is no price for missing shares', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000], [2, 1, 69_000]).timer()
  desk.accept(1, 2).wait(2_000)
  const rows = [desk.row(1, { filledCount: 1, remainingCount: 0 }), desk.row(2, { cancelled: true, remainingCount: 0 })]
  desk.settings({ autoSell: false })
  desk.read(rows)
  desk.wait(20_000).read(rows, []).wait(10_000).read(rows, [])
  expect(codeOf(fix(desk, [], rows))).toBe('ok')
  expect(desk.facts.flatMap((fact) => (fact.kind === 'lotSold' ? [fact.trade.sellPrice] : []))).toEqual([null])
})

// The book has forgotten its own orders of earlier days: in the list they look like somebody else's.
test.each<[string, [day: string, count: number, amount: number][], number | null]>([
  [
    'a sale of today counts, not one of before',
    [
      [DAY, 2, 130_000],
      ['20261113', 4, 283_600],
    ],
    65_000,
  ],
  ['a sale of before does not, where it may be one of ours', [['20261113', 4, 283_600]], null],
  ['it does where all there were are just what is missing', [['20261113', 2, 130_000]], 65_000],
  [
    'and with one of today',
    [
      [DAY, 1, 66_000],
      ['20261113', 1, 64_000],
    ],
    65_000,
  ],
])('the price of missing shares: %s', (_name, sales, price) => {
  const desk = confirmed(holding([1, 2, 70_000], [2, 2, 69_000]), [[2, 70_000]])
  const rows = sales.map(([day, count, filledAmount], at) => ({
    ...outside(desk, { count, filledCount: count, filledAmount, remainingCount: 0 }),
    day,
    odno: `000000050${at}`,
  }))
  // What somebody sold a moment ago is looked at again ten seconds later.
  fix(desk, [[2, 70_000]], rows)
  desk.wait(10_000).read(rows, [[2, 70_000]])
  desk.wait(10_000).read(rows, [[2, 70_000]])
  fix(desk, [[2, 70_000]], rows)
  expect(desk.lots).toEqual(['1: 2 @ 70000'])
  const trades = desk.journal.flatMap((fact) => (fact.kind === 'lotSold' ? [fact.trade.sellPrice] : []))
  expect(trades).toEqual([price])
})

test('shares in a resting sale cannot be closed; the sale must be cancelled first', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000], [2, 1, 69_000]).timer()
  desk.accept(1, 2).wait(2_000)
  const rows = [desk.row(1), desk.row(2)]
  desk.read(rows, []).wait(10_000).read(rows, [])
  expect(codeOf(fix(desk, [], rows))).toBe('CONFLICT')
  expect(desk.lots.length).toBe(2)
})

test('refused while an order is unknown or on its way, and right after a fill', () => {
  const unknown = holding([1, 2, 70_000]).buyAt(70_000).lose(1)
  expect(fix(unknown, [[2, 70_000]])).toMatchObject({ ok: false, text: expect.stringContaining('결과를 모르는') })
  const intended = holding([1, 2, 70_000]).buyAt(70_000)
  expect(codeOf(fix(intended, [[2, 70_000]]))).toBe('CONFLICT')
  const filled = new Desk({ autoSell: false })
    .read([], [[1, 70_000]])
    .wait(10_000)
    .quote(70_000)
  filled.read([], []).buyAt(70_000).accept(1).wait(1_000).fill(1)
  filled.putFacts({
    kind: 'stockBlocked',
    code: CODE,
    blocked: { code: 'mismatch', short: false, text: '', at: 0 },
    at: 0,
  })
  expect(codeOf(fix(filled, [], [filled.row(1, { filledCount: 2, remainingCount: 0 })]))).toBe('CONFLICT')
  expect(filled.lots).toEqual(['1: 2 @ 70000'])
})

test('what cannot be fixed on one stock does not keep the others from being fixed', () => {
  const desk = confirmed(holding([1, 2, 70_000]), [[5, 70_000]])
  const other = { code: '000660', kind: 'stock', market: 'KOSPI', nxt: false } as const
  desk.putFacts({
    kind: 'stockAdded',
    code: '000660',
    name: 'SK하이닉스',
    issue: other,
    settings: desk.stock.settings,
    at: 0,
  })
  desk.putFacts({ kind: 'lotBought', code: '000660', lot: { ...lotOf(desk), id: 50 }, at: 0 })
  const answer = desk.ask({ kind: 'fixBalance', code: null, snapshot: desk.snapshot([], [[5, 70_000]]) })
  expect(codeOf(answer)).toBe('CONFLICT')
  expect(desk.lots).toEqual(['1: 2 @ 70000', '51: 3 @ 70000'])
})

function lotOf(desk: Desk) {
  const [lot] = desk.stock.lots
  if (lot === undefined) throw new Error('no lot')
  return lot
}

test('the cause that keeps the holdings away stays until they come', () => {
  const desk = new Desk().do({ kind: 'linked' }).do({ kind: 'snapshotFailed', text: 'EGW00215' }).read([], null)
  expect(desk.account.view.readSchedule.failure).toBe('EGW00215')
  expect(desk.read([], []).account.view.readSchedule.failure).toBeNull()
})
