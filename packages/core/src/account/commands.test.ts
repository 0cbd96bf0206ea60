import { expect, test } from 'vitest'
import { cashFor, CODE, Desk, ISSUE } from '../../test/desk.ts'
import { EXAMPLE } from '../../test/settings.ts'
import { kstInstant } from '../krx/kst.ts'
import type { AccountCommand, CommandResult } from './step-types.ts'

const codeOf = (result: CommandResult | undefined): string =>
  result === undefined ? 'later' : result.ok ? 'ok' : result.code

/** Lots resting at their targets, accepted; buying off. */
function resting(...lots: [number, number, number][]): Desk {
  const desk = new Desk({ autoBuy: false })
    .hold(...lots)
    .quote(70_000)
    .timer()
  return desk
    .accept(...desk.sent)
    .wait(2_000)
    .quote(70_000)
}

test.each<[string, AccountCommand]>([
  ['setSubscribed', { kind: 'setSubscribed', code: '000660', subscribed: true }],
  ['deleteStock', { kind: 'deleteStock', code: '000660' }],
  ['sellStock', { kind: 'sellStock', code: '000660' }],
  ['applyOrder', { kind: 'applyOrder', code: '000660' }],
  ['setStop', { kind: 'setStop', level: 'stock', code: '000660', stop: 'halt' }],
  ['setStop without a code', { kind: 'setStop', level: 'stock', code: null, stop: 'halt' }],
  [
    'updateStock without a listing',
    { kind: 'updateStock', code: '000660', version: null, settings: EXAMPLE, listing: null },
  ],
  ['a trade that is none', { kind: 'sellTrade', code: CODE, tradeId: 7, how: 'market' }],
  ['an order that is none', { kind: 'cancelOrder', odno: '0000000099' }],
])('%s of something that is not there: not found, nothing done', (_name, command) => {
  const desk = new Desk()
  expect(codeOf(desk.ask(command))).toBe('NOT_FOUND')
  expect(desk.facts).toEqual([])
})

test('check and fix of a stock that is not there', () => {
  const desk = new Desk()
  for (const kind of ['checkBalance', 'fixBalance'] as const) {
    expect(codeOf(desk.ask({ kind, code: '000660', snapshot: desk.snapshot([], []) }))).toBe('NOT_FOUND')
  }
})

test('updateStock adds, saves, and refuses an old copy', () => {
  const desk = new Desk()
  const listing = { issue: { ...ISSUE, code: '000660' }, name: 'SK하이닉스' }
  expect(codeOf(desk.ask({ kind: 'updateStock', code: '000660', version: null, settings: EXAMPLE, listing }))).toBe(
    'ok',
  )
  expect(desk.account.book.stocks.get('000660')?.name).toBe('SK하이닉스')
  const { version } = desk.stock
  const save = (seen: number) =>
    desk.ask({
      kind: 'updateStock',
      code: CODE,
      version: seen,
      settings: { ...EXAMPLE, buyPercent: -2 },
      listing: null,
    })
  expect(codeOf(save(version - 1))).toBe('CONFLICT')
  expect(codeOf(save(version))).toBe('ok')
  expect(desk.stock.settings.buyPercent).toBe(-2)
  // The reference moved since: an old dialog may not roll it back.
  desk.putFacts({ kind: 'referenceMoved', code: CODE, price: 70_000, why: '', at: 0 })
  expect(codeOf(save(version + 1))).toBe('CONFLICT')
})

test('settings that cannot work are refused, naming the field', () => {
  const answer = new Desk().settings({ maxBuyPrice: null })
  expect(answer).toMatchObject({ ok: false, code: 'INVALID', text: expect.stringMatching(/^최고 매수가: /) })
})

test('new settings recall a buy they no longer want, and keep one they do', () => {
  const desk = new Desk({ lastBuyPrice: 71_000 }).buyAt(70_200).accept(1)
  desk.settings({ maxBuyPrice: 74_000 })
  expect(desk.cancels).toEqual([])
  desk.settings({ maxBuyPrice: 70_100 })
  expect(desk.cancels).toEqual([1])
})

test('switching a side off cancels its automatic orders; those people placed stay', () => {
  const desk = resting([1, 2, 70_000], [2, 2, 69_000])
  desk.ask({ kind: 'sellTrade', code: CODE, tradeId: 2, how: 'current' })
  desk.read([desk.row(1, { cancelled: true, remainingCount: 0 })])
  expect(desk.live).toEqual(['2 sell 2 @ 70900 of 1 open', '3 sell 2 @ 70000 of 2 intended'])
  desk.accept(3)
  desk.settings({ autoSell: false })
  expect(desk.cancels).toEqual([2])
})

test('switching autoBuy off recalls the buy, also a part-filled one', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1).wait(2_000)
  desk.read([desk.row(1, { filledCount: 1 })])
  desk.settings({ autoBuy: false })
  expect(desk.cancels).toEqual([1])
})

test('deleteStock waits for lots and orders to be gone', () => {
  expect(codeOf(new Desk().hold([1, 1, 70_000]).ask({ kind: 'deleteStock', code: CODE }))).toBe('CONFLICT')
  const buying = new Desk().buyAt(70_000)
  expect(codeOf(buying.ask({ kind: 'deleteStock', code: CODE }))).toBe('CONFLICT')
  const empty = new Desk()
  expect(codeOf(empty.ask({ kind: 'deleteStock', code: CODE }))).toBe('ok')
  expect(empty.account.book.stocks.size).toBe(0)
})

test('a cancelled automatic sale holds its lot back until the settings are applied', () => {
  const desk = resting([1, 2, 70_000])
  expect(codeOf(desk.ask({ kind: 'cancelOrders', code: null }))).toBe('ok')
  expect(desk.cancels).toEqual([1])
  desk.read([desk.row(1, { cancelled: true, remainingCount: 0 })])
  desk.wait(2_000).timer()
  expect(desk.live).toEqual([])
  desk.ask({ kind: 'applyOrder', code: CODE })
  expect(desk.live).toEqual(['2 sell 2 @ 70900 of 1 intended'])
})

test('new settings, and a new day, set held-back lots free', () => {
  for (const free of ['settings', 'day'] as const) {
    const desk = resting([1, 2, 70_000])
    desk.ask({ kind: 'cancelOrders', code: CODE })
    desk.read([desk.row(1, { cancelled: true, remainingCount: 0 })])
    if (free === 'settings') desk.settings({ sellPercent: 2 })
    else {
      desk.now = kstInstant('20261117', 100_000)
      desk.timer()
    }
    expect(desk.live.length).toBe(1)
  }
})

test('a cancel reaches an order that is still on its way, as soon as it has a number', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000]).timer()
  desk.ask({ kind: 'cancelOrders', code: CODE })
  expect(desk.cancels).toEqual([])
  desk.accept(1)
  expect(desk.cancels).toEqual([1])
})

test("a person's cancel that fails is asked again, after a pause", () => {
  const desk = resting([1, 2, 70_000])
  desk.ask({ kind: 'cancelOrder', odno: '0000000001' })
  desk.do({ kind: 'cancelFailed', orderId: 1, text: '응답 없음' })
  expect(desk.cancels).toEqual([])
  desk.wait(4_999).timer()
  expect(desk.cancels).toEqual([])
  desk.wait(1).timer()
  expect(desk.cancels).toEqual([1])
  desk.read([desk.row(1, { cancelled: true, remainingCount: 0 })])
  expect(desk.order(1).status).toBe('cancelled')
})

test('cancelOrder by number: twice is fine, an ended one is refused', () => {
  const desk = resting([1, 2, 70_000])
  const cancel = () => desk.ask({ kind: 'cancelOrder', odno: '0000000001' })
  expect(codeOf(cancel())).toBe('ok')
  expect(codeOf(cancel())).toBe('ok')
  expect(desk.cancels).toEqual([])
  desk.fill(1)
  expect(codeOf(cancel())).toBe('CONFLICT')
})

test('cancelOrders of one stock leaves the others', () => {
  const desk = resting([1, 2, 70_000])
  desk.ask({ kind: 'cancelOrders', code: '000660' })
  expect(desk.cancels).toEqual([])
})

test.each([
  ['all', { kind: 'cancelOrders', code: null }],
  ['one', { kind: 'cancelOrder', id: 1 }],
] as const)('without the key %s is refused, and cancelled once the key is there', (_name, command) => {
  const desk = resting([1, 2, 70_000]).do({ kind: 'authorised', authorised: false })
  expect(desk.ask(command)).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(desk.cancels).toEqual([])
  desk.do({ kind: 'authorised', authorised: true })
  expect(desk.cancels).toEqual([1])
})

test('stops are set at once, and starting again clears a block after rejects, not after a difference', () => {
  const desk = new Desk()
  desk.ask({ kind: 'setStop', level: 'user', code: null, stop: 'halt' })
  expect(desk.account.book.stop).toBe('halt')
  desk.ask({ kind: 'setStop', level: 'user', code: null, stop: 'active' })
  for (const [code, clears] of [
    ['rejects', true],
    ['mismatch', false],
    ['ambiguous', false],
  ] as const) {
    desk.putFacts({ kind: 'stockBlocked', code: CODE, blocked: { code, short: false, text: '', at: 0 }, at: 0 })
    desk.ask({ kind: 'setStop', level: 'stock', code: CODE, stop: 'reduce' })
    expect(desk.stock.blocked?.code).toBe(code)
    desk.ask({ kind: 'setStop', level: 'stock', code: CODE, stop: 'active' })
    expect(desk.stock.blocked === null).toBe(clears)
  }
})

test('applyOrder is safe to press twice', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000], [2, 2, 69_000]).quote(70_000)
  desk.ask({ kind: 'applyOrder', code: CODE })
  desk.timer()
  const once = desk.live
  expect(once.length).toBe(2)
  desk.ask({ kind: 'applyOrder', code: CODE })
  desk.timer()
  expect(desk.live).toEqual(once)
})

test('applyOrder after rejects: book and broker are compared before anything is automatic again', () => {
  const desk = new Desk().hold([1, 2, 70_000]).quote(70_000)
  desk.putFacts({
    kind: 'stockBlocked',
    code: CODE,
    blocked: { code: 'rejects', short: false, text: '', at: 0 },
    at: 0,
  })
  desk.ask({ kind: 'applyOrder', code: CODE })
  expect([desk.stock.blocked, desk.stock.rejects, desk.live]).toEqual([null, 0, []])
  expect(desk.reads).toBe(1)
  desk
    .wait(500)
    .read([], [[2, 70_000]])
    .timer()
  expect(desk.live).toEqual(['1 sell 2 @ 70900 of 1 intended'])
})

test('applyOrder does not lift a difference in shares', () => {
  const desk = new Desk()
  desk.putFacts({
    kind: 'stockBlocked',
    code: CODE,
    blocked: { code: 'mismatch', short: true, text: '', at: 0 },
    at: 0,
  })
  desk.ask({ kind: 'applyOrder', code: CODE })
  expect(desk.stock.blocked?.code).toBe('mismatch')
})

/** `shares`: what cash pays at 75,000 won each, where this order's worst price lies. */
const marketBuy = (desk: Desk, amount: number, shares = 100, askedAt = desk.now): CommandResult | undefined =>
  desk.ask({ kind: 'marketBuy', code: CODE, amount, cash: cashFor(shares, 75_000), askedAt })

test('buying now: a market order; under a lower maxBuyPrice a limit order at that price', () => {
  const free = new Desk({ maxBuyPrice: null, autoBuy: false }).quote(70_000)
  expect(codeOf(marketBuy(free, 149_999))).toBe('ok')
  expect(free.order(1)).toMatchObject({ type: 'market', price: 0, count: 2, reservedPrice: 91_000, origin: 'person' })
  const bound = new Desk().quote(70_000)
  expect(codeOf(marketBuy(bound, 140_000))).toBe('ok')
  expect(bound.order(1)).toMatchObject({ type: 'limit', price: 75_000, count: 2, reservedPrice: 75_000 })
})

test.each<[string, string, object, (desk: Desk) => CommandResult | undefined]>([
  ['no price yet', 'CONFLICT', {}, (desk) => (desk.quotes.clear(), marketBuy(desk, 140_000))],
  ['less than a share', 'INVALID', {}, (desk) => marketBuy(desk, 69_999)],
  ['dearer than maxBuyPrice', 'CONFLICT', {}, (desk) => marketBuy(desk.quote(75_100), 1_000_000)],
  ['one share too many for the cash', 'CONFLICT', {}, (desk) => marketBuy(desk, 140_000, 1)],
  ['exactly the cash', 'ok', {}, (desk) => marketBuy(desk, 140_000, 2)],
  ['beyond the cap at the worst price', 'CONFLICT', { maxBuyAmount: 149_999 }, (desk) => marketBuy(desk, 140_000)],
  ['exactly the cap at the worst price', 'ok', { maxBuyAmount: 150_000 }, (desk) => marketBuy(desk, 140_000)],
  ['stopped', 'STOPPED', {}, (desk) => ((desk.serverStop = 'reduce'), marketBuy(desk, 140_000))],
  ['cash that a buy taken since has spent', 'CONFLICT', {}, (desk) => stale(desk, -1)],
  ['cash asked by a clock that was set back', 'BUSY', {}, (desk) => marketBuy(desk, 140_000, 100, desk.now + 1)],
  ['cash asked since', 'ok', {}, (desk) => stale(desk, 0)],
])('buying now, %s: %s', (_name, expected, settings, act) => {
  expect(codeOf(act(new Desk(settings).quote(70_000)))).toBe(expected)
})

function stale(desk: Desk, ms: number): CommandResult | undefined {
  desk.buyAt(70_000).accept(1)
  const acceptedAt = desk.now
  desk.wait(2_000).fill(1)
  return marketBuy(desk.quote(70_000), 140_000, 2, acceptedAt + ms)
}
