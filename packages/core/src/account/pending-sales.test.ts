import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { kstInstant } from '../krx/kst.ts'
import type { AccountCommand, CommandResult } from './step-types.ts'

const codeOf = (result: CommandResult | undefined): string =>
  result === undefined ? 'later' : result.ok ? 'ok' : result.code

function resting(settings: object, ...lots: [number, number, number][]): Desk {
  const desk = new Desk({ autoBuy: false, ...settings })
    .hold(...lots)
    .quote(70_000)
    .timer()
  return desk
    .accept(...desk.sent)
    .wait(2_000)
    .quote(70_000)
}

const gone = { cancelled: true, remainingCount: 0 }
const sellAt = (price: number, slices: number): AccountCommand => ({ kind: 'sellAtPrice', code: CODE, price, slices })
const trade = (tradeId: number, how: 'target' | 'current' | 'market'): AccountCommand => ({
  kind: 'sellTrade',
  code: CODE,
  tradeId,
  how,
})
const sellStock: AccountCommand = { kind: 'sellStock', code: CODE }
const market: AccountCommand = { kind: 'sellAtMarket', code: CODE }

test('cancel first, sell when the way is free, then answer', () => {
  const desk = resting({}, [1, 2, 70_000])
  expect(codeOf(desk.ask(market))).toBe('later')
  expect([desk.cancels, desk.sent]).toEqual([[1], []])
  desk.do({ kind: 'cancelDone', orderId: 1 })
  expect(desk.sent).toEqual([])
  desk.wait(1_000).read([desk.row(1, gone)])
  expect(desk.live).toEqual(['2 sell 2 @ 0 of 1 intended'])
  expect(desk.order(2)).toMatchObject({ type: 'market', origin: 'person' })
  expect(desk.results).toEqual([{ ok: true, orderIds: [2], differences: [] }])
})

test('sold at the target while waiting: there is nothing left to sell', () => {
  const desk = resting({}, [1, 2, 70_000])
  desk.ask(market)
  desk.do({ kind: 'cancelFailed', orderId: 1, text: '취소할 수량이 없습니다.' }).wait(1_000).fill(1)
  expect([desk.sent, codeOf(desk.results[0])]).toEqual([[], 'CONFLICT'])
})

test('part sold while waiting: the rest is sold', () => {
  const desk = resting({}, [1, 3, 70_000])
  desk.ask(market)
  desk.wait(1_000).read([desk.row(1, { ...gone, filledCount: 2 })])
  expect(desk.live).toEqual(['2 sell 1 @ 0 of 1 intended'])
})

test('a sale that an older order blocks for thirty seconds is refused', () => {
  const desk = resting({}, [1, 2, 70_000])
  desk.ask(market)
  desk.wait(29_999).timer()
  expect(desk.results).toEqual([])
  desk.wait(1).timer()
  expect([codeOf(desk.results[0]), desk.account.view.orders.pendingSales]).toEqual(['BUSY', []])
})

test('an older order without a verdict is waited for, never sold around', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000]).quote(70_000).timer().lose(1)
  expect(codeOf(desk.ask(market))).toBe('later')
  expect([desk.cancels, desk.sent]).toEqual([[], []])
  desk.wait(20_000).read([]).wait(3_000).read([])
  expect(desk.live).toEqual(['2 sell 2 @ 0 of 1 intended'])
})

test('one whose outcome cannot be known within the wait is not waited for: the person learns it at once', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000]).quote(70_000).timer()
  // The process before this one may have stopped for long: its order may still come.
  desk.do({ kind: 'restarted', lateMs: 900_000 }).do({ kind: 'authorised', authorised: true }).wait(20_000).read([])
  expect(desk.live).toEqual(['1 sell 2 @ 70900 of 1 unknown'])
  desk.quote(70_000).ask(market)
  expect(desk.results).toEqual([{ ok: false, code: 'BUSY', text: expect.stringContaining('결과를') }])
  expect([desk.account.view.orders.pendingSales, desk.cancels]).toEqual([[], []])
})

test.each<[string, AccountCommand, string]>([
  ['price 0', sellAt(0, 1), 'INVALID'],
  ['no whole price', sellAt(70_000.5, 1), 'INVALID'],
  ['no slice', sellAt(70_000, 0), 'INVALID'],
  ['half a slice', sellAt(70_000, 1.5), 'INVALID'],
  ['too many slices', sellAt(70_000, 21), 'INVALID'],
  ['above the upper limit', sellAt(91_100, 1), 'CONFLICT'],
])('refused at once, with nothing cancelled for it: %s', (_name, command, expected) => {
  const desk = resting({}, [1, 2, 70_000])
  expect(codeOf(desk.ask(command))).toBe(expected)
  expect(desk.cancels).toEqual([])
})

test('stopped or after hours: refused, and the resting sale stays', () => {
  const desk = resting({}, [1, 2, 70_000])
  desk.serverStop = 'halt'
  expect(codeOf(desk.ask(market))).toBe('STOPPED')
  desk.serverStop = 'active'
  desk.now = kstInstant('20261116', 210_000)
  expect(codeOf(desk.ask(market))).toBe('CONFLICT')
  expect(desk.live).toEqual(['1 sell 2 @ 70900 of 1 open'])
})

test('slices cut lots at their borders: no lot is in two orders, no share and no won is lost', () => {
  const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 3, 70_000], [2, 4, 69_000]).quote(70_000)
  expect(codeOf(desk.ask(sellAt(69_910, 3)))).toBe('ok')
  // Lowest target first; 7 = 3 + 2 + 2; the price is rounded up to a tick.
  expect(desk.live).toEqual([
    '1 sell 3 @ 70000 of 3 intended',
    '2 sell 2 @ 70000 of 2+4 intended',
    '3 sell 2 @ 70000 of 1 intended',
  ])
  expect(desk.lots).toEqual(['1: 2 @ 70000', '2: 1 @ 69000', '3: 3 @ 69000', '4: 1 @ 70000'])
  expect(desk.stock.lots.reduce((sum, lot) => sum + lot.buyAmount, 0)).toBe(3 * 70_000 + 4 * 69_000)
})

test('more slices than shares: one share each', () => {
  const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 2, 70_000]).quote(70_000)
  desk.ask(sellAt(70_000, 5))
  expect(desk.live.length).toBe(2)
})

test('nothing to sell; everything already offered by the person', () => {
  expect(codeOf(new Desk().quote(70_000).ask(market))).toBe('CONFLICT')
  const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 2, 70_000]).quote(70_000)
  desk.ask(sellAt(72_000, 1))
  expect(codeOf(desk.ask(market))).toBe('CONFLICT')
})

test('a second request while the first waits is refused as busy', () => {
  const desk = resting({}, [1, 2, 70_000])
  desk.ask(market)
  for (const command of [market, sellAt(71_000, 1), trade(1, 'current'), trade(1, 'market')]) {
    expect(codeOf(desk.ask(command))).toBe('BUSY')
  }
  expect(desk.account.view.orders.pendingSales.length).toBe(1)
})

test('cancelling everything also means the sale that waits; of another stock it does not', () => {
  const desk = resting({}, [1, 2, 70_000])
  desk.ask(market)
  desk.ask({ kind: 'cancelOrders', code: '000660' })
  expect(desk.account.view.orders.pendingSales.length).toBe(1)
  desk.ask({ kind: 'cancelOrders', code: CODE })
  expect(desk.results.map((result) => codeOf(result))).toEqual(['CONFLICT', 'ok'])
  desk.wait(1_000).read([desk.row(1, gone)])
  expect(desk.live).toEqual([])
})

test('sell the stock: lots without an order rest at their targets, those with one stay', () => {
  const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 2, 70_000], [2, 2, 69_300]).quote(70_000)
  expect(codeOf(desk.ask({ kind: 'sellStock', code: CODE }))).toBe('ok')
  expect(desk.live).toEqual(['1 sell 2 @ 70200 of 2 intended', '2 sell 2 @ 70900 of 1 intended'])
  expect(codeOf(desk.ask({ kind: 'sellStock', code: CODE }))).toBe('ok')
  expect(desk.live.length).toBe(2)
})

test('sell the stock while its only lot is still being bought: nothing rests, so it is refused', () => {
  const desk = new Desk({ autoSell: false, buyUnitPrice: 300_000 }).buyAt(70_000).accept(1).wait(2_000)
  desk.read([desk.row(1, { filledCount: 1 })])
  const growing = '아직 매수가 끝나지 않은 매매입니다. 잠시 뒤 다시 해 주세요.'
  for (const command of [sellStock, sellAt(72_000, 1), market])
    expect(desk.ask(command)).toEqual({ ok: false, code: 'CONFLICT', text: growing })
  // A lot that is bought already may rest, and then it is done, also while the other grows.
  desk.hold([9, 2, 69_300])
  expect([codeOf(desk.ask(sellStock)), codeOf(desk.ask(sellStock))]).toEqual(['ok', 'ok'])
  expect(desk.live).toEqual(['1 buy 4 @ 70000 of 1 open', '2 sell 2 @ 70200 of 9 intended'])
})

test('sell the stock when every lot has its order: the answer names those that the broker has not taken yet', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000], [2, 2, 69_300]).quote(70_000).timer()
  expect(desk.ask(sellStock)).toEqual({ ok: true, orderIds: [1, 2], differences: [] })
})

test('sell the stock in average mode: one order for all', () => {
  const desk = new Desk({ autoBuy: false, autoSell: false, autoSellWithAvgPrice: true })
  desk.hold([1, 2, 70_000], [2, 2, 69_300], [3, 2, 68_600]).quote(70_000)
  desk.ask({ kind: 'sellStock', code: CODE })
  expect(desk.live).toEqual(['1 sell 6 @ 70200 of 3+2+1 intended'])
})

test('one trade: at target it may stay, at the current price it moves, and a growing lot waits', () => {
  const desk = resting({}, [1, 2, 70_000])
  expect(codeOf(desk.ask(trade(1, 'target')))).toBe('ok')
  expect(desk.cancels).toEqual([])
  expect(codeOf(desk.ask(trade(1, 'current')))).toBe('later')
  desk.wait(1_000).read([desk.row(1, gone)])
  expect(desk.live).toEqual(['2 sell 2 @ 70000 of 1 intended'])
  const growing = new Desk({ autoSell: false, buyUnitPrice: 300_000 }).buyAt(70_000).accept(1).wait(2_000)
  growing.read([growing.row(1, { filledCount: 1 })])
  expect(codeOf(growing.ask(trade(1, 'market')))).toBe('CONFLICT')
})

test('a sale at target that is being cancelled does not count as resting', () => {
  const desk = resting({}, [1, 2, 70_000])
  desk.ask({ kind: 'cancelOrders', code: CODE })
  expect(codeOf(desk.ask(trade(1, 'target')))).toBe('later')
  desk.wait(1_000).read([desk.row(1, gone)])
  expect(desk.live).toEqual(['2 sell 2 @ 70900 of 1 intended'])
})

test.each<[string, AccountCommand, string]>([
  ['the stock at target', { kind: 'sellStock', code: CODE }, '3 sell 2 @ 70900 of 1 intended'],
  ['at a price', sellAt(72_000, 1), '3 sell 2 @ 72000 of 1 intended'],
  ['at market', market, '3 sell 2 @ 0 of 1 intended'],
])('a sale by a person that is being cancelled is waited for, not counted as offered: %s', (_name, command, sold) => {
  const desk = resting({}, [1, 2, 70_000])
  desk.ask(trade(1, 'current'))
  desk
    .wait(1_000)
    .read([desk.row(1, gone)])
    .accept(2)
  desk.ask({ kind: 'cancelOrders', code: CODE })
  expect(codeOf(desk.ask(command))).toBe('later')
  desk.wait(1_000).read([desk.row(1, gone), desk.row(2, gone)])
  expect(desk.live).toEqual([sold])
})

test('sell the stock right after everything was cancelled: once the cancels are through it rests, and only then says so', () => {
  const desk = resting({}, [1, 2, 70_000], [2, 2, 69_300])
  desk.ask({ kind: 'cancelOrders', code: CODE })
  expect(codeOf(desk.ask({ kind: 'sellStock', code: CODE }))).toBe('later')
  desk.wait(1_000).read([desk.row(1, gone), desk.row(2, gone)])
  expect(desk.live).toEqual(['3 sell 2 @ 70200 of 2 intended', '4 sell 2 @ 70900 of 1 intended'])
  expect(desk.results.map((result) => codeOf(result))).toEqual(['ok'])
})

test('an order that will be cancelled as soon as it has a number rests no more', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000]).quote(70_000).timer()
  desk.ask({ kind: 'cancelOrders', code: CODE })
  expect(desk.order(1).status).toBe('intended')
  expect(codeOf(desk.ask({ kind: 'sellStock', code: CODE }))).toBe('later')
  desk.accept(1).wait(1_000)
  desk.read([desk.row(1, gone)])
  expect(desk.live).toEqual(['2 sell 2 @ 70900 of 1 intended'])
})

test('nor does one that the settings are cancelling', () => {
  const desk = new Desk({ autoBuy: false, autoSellWithAvgPrice: true }).hold([1, 2, 70_000]).timer().accept(1)
  desk.hold([2, 2, 69_300]).wait(1_000).timer()
  expect(desk.order(1).status).toBe('cancelling')
  expect(codeOf(desk.ask(trade(1, 'target')))).toBe('later')
})

test('no current price: refused', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000])
  expect(codeOf(desk.ask(trade(1, 'current')))).toBe('CONFLICT')
})

test('market becomes best where no market orders are taken', () => {
  const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 2, 70_000])
  desk.env = 'real'
  desk.now = kstInstant('20261116', 170_000)
  desk.choose({ afterMarket: true }).quote(70_000).timer()
  desk.ask(market)
  expect(desk.order(1)).toMatchObject({ type: 'best', price: 0, session: 'after' })
})
