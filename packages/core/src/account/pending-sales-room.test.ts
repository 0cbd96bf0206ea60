import { expect, test } from 'vitest'
import { CODE, Desk, heldLot } from '../../test/desk.ts'
import type { AccountCommand, CommandResult } from './step-types.ts'

const sellStock: AccountCommand = { kind: 'sellStock', code: CODE }
const sellAt = (price: number, slices: number): AccountCommand => ({ kind: 'sellAtPrice', code: CODE, price, slices })
const LOTS = Array.from({ length: 25 }, (_, index) => index + 1)

/** So many lots of two shares, none offered. */
function holding(count: number, settings: object = { autoSell: false }): Desk {
  const desk = new Desk({ autoBuy: false, ...settings })
  for (const id of LOTS.slice(0, count)) desk.hold([id, 2, 70_000])
  return desk.quote(70_000)
}

/** Twenty-five lots asked to rest, of which twenty could be placed. */
function underWay(): Desk {
  const desk = holding(25)
  expect(desk.ask(sellStock)).toBeUndefined()
  expect(desk.sent).toEqual(LOTS.slice(0, 20))
  return desk
}

const offeredLots = (desk: Desk): number[] =>
  [...desk.account.book.orders.values()].flatMap((order) => order.lots.map((lot) => lot.lotId)).sort((a, b) => a - b)

const pendingOf = (desk: Desk) => desk.account.view.orders.pendingSales

const AGAIN = '다시 매도하면 주문이 없는 주식만 냅니다.'
const COUNTS = '매도 주문 25건 가운데 20건을 냈고 5건은 내지 못했습니다.'
const NO_VERDICT = '낸 주문 가운데 20건은 아직 증권사의 답을 기다립니다.'
const STILL_QUEUED = '먼저 낸 주문들이 아직 다 나가지 않았습니다. 잠시 뒤 다시 해 주세요.'

test('twenty-five lots: each verdict makes room for one more, and only the last is answered with ok', () => {
  const desk = underWay()
  for (const id of LOTS.slice(0, 4)) {
    desk.accept(id)
    expect([desk.sent, desk.results]).toEqual([[20 + id], []])
  }
  desk.accept(5)
  expect(desk.results).toEqual([{ ok: true, orderIds: LOTS, differences: [] }])
  expect([desk.live.length, offeredLots(desk), pendingOf(desk)]).toEqual([25, LOTS, []])
})

test('at two seconds an order, as on paper, thirty-four lots rest before the time is up', () => {
  const desk = holding(25)
  for (let id = 26; id <= 34; id += 1) desk.hold([id, 2, 70_000])
  desk.ask(sellStock)
  const answers: CommandResult[] = []
  for (let id = 1; id <= 14; id += 1) {
    desk.wait(2_000).quote(70_000).accept(id)
    answers.push(...desk.results)
  }
  expect([answers.map(({ ok }) => ok), desk.live.length]).toEqual([[true], 34])
})

test('on the real host ten wait at most, so that none is too old to leave: the other slices follow, and none is lost', () => {
  const desk = holding(20)
  desk.env = 'real'
  expect(desk.ask(sellAt(72_000, 20))).toBeUndefined()
  expect(desk.sent).toEqual(LOTS.slice(0, 10))
  const placed = [...desk.sent]
  for (let id = 1; id <= 10; id += 1) {
    desk.wait(1_000).quote(70_000).accept(id)
    placed.push(...desk.sent)
  }
  expect([placed, desk.results]).toEqual([LOTS.slice(0, 20), [{ ok: true, orderIds: placed, differences: [] }]])
})

test('the time is up: how many were placed and how many not, none is placed later, and asking again sells the rest', () => {
  const desk = underWay()
  desk.wait(29_999).timer()
  expect(desk.results).toEqual([])
  desk.wait(1).timer()
  expect(desk.results).toEqual([{ ok: false, code: 'BUSY', text: `${COUNTS} ${NO_VERDICT} ${STILL_QUEUED} ${AGAIN}` }])
  desk.accept(...LOTS.slice(0, 20)).timer()
  expect([desk.live.length, pendingOf(desk)]).toEqual([20, []])
  expect(desk.ask(sellStock)).toEqual({ ok: true, orderIds: [21, 22, 23, 24, 25], differences: [] })
  expect(offeredLots(desk)).toEqual(LOTS)
})

test('once older orders are cancelled, placing has thirty seconds of its own', () => {
  const desk = holding(25, {}).timer()
  expect(desk.sent.length).toBe(20)
  desk.accept(...desk.sent).accept(21, 22, 23, 24, 25)
  desk.wait(2_000).quote(70_000).ask(sellAt(72_000, 20))
  expect(desk.cancels.length).toBe(25)
  const cancelled = LOTS.map((id) => desk.row(id, { cancelled: true, remainingCount: 0 }))
  desk.wait(29_000).quote(70_000)
  desk.limits = { ...desk.limits, ordersPerMinute: 19 }
  desk.read(cancelled)
  expect([desk.sent.length, desk.results]).toEqual([0, []])
  desk.limits = { ...desk.limits, ordersPerMinute: 44 }
  desk.wait(500).timer()
  expect([desk.sent.length, desk.results]).toEqual([19, []])
  desk.wait(20_000).timer()
  expect(desk.results).toEqual([])
  desk.wait(9_999).accept(26)
  expect(desk.results).toMatchObject([{ ok: true }])
})

test('in slices beside one unsent order: the last slice follows, no lot is in two orders, no share is lost', () => {
  const desk = holding(21)
  desk.ask({ kind: 'sellTrade', code: CODE, tradeId: 1, how: 'target' })
  expect(desk.ask(sellAt(72_000, 20))).toBeUndefined()
  expect(desk.live.length).toBe(20)
  desk.accept(1)
  expect(desk.results).toMatchObject([{ ok: true }])
  const offered = offeredLots(desk)
  expect([offered.length, new Set(offered).size]).toEqual([21, 21])
  expect([...desk.account.book.orders.values()].reduce((sum, { count }) => sum + count, 0)).toBe(42)
})

test('orders per minute: what the limit holds back goes when the minute lets it', () => {
  const desk = holding(5)
  desk.limits = { ...desk.limits, ordersPerMinute: 4 }
  desk.ask({ kind: 'sellTrade', code: CODE, tradeId: 5, how: 'target' })
  desk.accept(1).wait(40_000).quote(70_000)
  expect(desk.ask(sellAt(72_000, 4))).toBeUndefined()
  expect(desk.sent).toEqual([2, 3, 4])
  desk.accept(2, 3, 4).wait(19_999).timer()
  expect(desk.sent).toEqual([])
  desk.wait(1).timer()
  expect([desk.sent, desk.results]).toEqual([[5], [{ ok: true, orderIds: [2, 3, 4, 5], differences: [] }]])
})

test('orders per minute, longer than the sale waits: the answer has the numbers, and the rest of a lot is still held', () => {
  const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 10, 70_000]).quote(70_000)
  desk.limits = { ...desk.limits, ordersPerMinute: 3 }
  desk.ask(sellAt(72_000, 5))
  desk.accept(1, 2, 3).wait(30_000).timer()
  const text =
    '매도 주문 5건 가운데 3건을 냈고 2건은 내지 못했습니다. 1분 주문 횟수 한도에 닿았습니다. 1분쯤 뒤에 다시 해 주세요.'
  expect(desk.results).toEqual([{ ok: false, code: 'BUSY', text: `${text} ${AGAIN}` }])
  expect(desk.stock.lots.reduce((sum, lot) => sum + lot.count, 0)).toBe(10)
  desk.wait(30_000).quote(70_000).ask(sellAt(72_000, 1))
  expect([...desk.account.book.orders.values()].map(({ count }) => count)).toEqual([2, 2, 2, 4])
})

test('no room at all: the sale waits uncut, and says so when none comes', () => {
  const desk = holding(24)
  const { issue, settings } = desk.stock
  const code = '000660'
  desk.putFacts(
    { kind: 'stockAdded', code, name: 'SK하이닉스', issue: { ...issue, code }, settings, at: desk.now },
    { kind: 'lotBought', code, lot: heldLot(30, 3, 70_000), at: desk.now },
  )
  desk.ask(sellAt(72_000, 20))
  expect(desk.live.length).toBe(20)
  const other: AccountCommand = { kind: 'sellAtPrice', code, price: 72_000, slices: 3 }
  const lotsOfOther = () => desk.account.book.stocks.get(code)?.lots.length
  expect(desk.ask(other)).toBeUndefined()
  expect([desk.cancels, lotsOfOther()]).toEqual([[], 1])
  desk.wait(30_000).timer()
  expect(desk.results).toEqual([{ ok: false, code: 'BUSY', text: STILL_QUEUED }])
  expect(lotsOfOther()).toBe(1)
  desk.ask(other)
  desk.accept(1)
  expect([desk.sent, lotsOfOther()]).toEqual([[21], 3])
})

test('a stop ends what is left, also after it was let go', () => {
  const desk = underWay().accept(1)
  const stop = (level: 'halt' | 'active') => desk.ask({ kind: 'setStop', level: 'user', code: null, stop: level })
  stop('halt')
  const text = '매도 주문 25건 가운데 21건을 냈고 4건은 내지 못했습니다.'
  expect(desk.results).toMatchObject([{ ok: true }, { code: 'STOPPED', text: expect.stringContaining(text) }])
  stop('active')
  desk.accept(2, 3, 4).timer()
  expect([desk.live.length, pendingOf(desk)]).toEqual([21, []])
})

test.each<[string, AccountCommand, string]>([
  [
    'all of the stock',
    { kind: 'cancelOrders', code: CODE },
    '주문을 모두 취소해 달라는 요청이 있어 더 내지 않았습니다.',
  ],
  ['one of the sale', { kind: 'cancelOrder', id: 7 }, '이 매도의 주문을 취소해 달라는 요청이 있었습니다.'],
])('a cancel ends what is left: %s', (_name, cancel, why) => {
  const desk = underWay()
  desk.ask(cancel)
  const refusal = { ok: false, code: 'CONFLICT', text: `${COUNTS} ${NO_VERDICT} ${why} ${AGAIN}` }
  expect(desk.results).toContainEqual(refusal)
  desk.accept(...LOTS.slice(0, 20)).timer()
  expect([desk.sent, pendingOf(desk)]).toEqual([[], []])
})

test.each(['refused', 'notSent'] as const)(
  'an order of the sale that is %s ends what is left, with its reason',
  (kind) => {
    const desk = underWay()
    desk.accept(1).do({ kind, orderId: 2, text: '주문 수량 초과' })
    const text =
      '매도 주문 25건 가운데 20건을 냈고 5건은 내지 못했습니다. 낸 주문 가운데 19건은 아직 증권사의 답을 기다립니다. ' +
      '나가지 못한 주문이 있어 더 내지 않았습니다: 주문 수량 초과'
    expect(desk.results).toEqual([{ ok: false, code: 'CONFLICT', text: `${text} ${AGAIN}` }])
  },
)

test('an order of the sale without a verdict ends what is left: nothing is sold around it', () => {
  const desk = underWay().lose(1)
  expect(desk.results).toMatchObject([
    { ok: false, code: 'CONFLICT', text: expect.stringContaining('결과를 모르는 주문') },
  ])
  expect([desk.sent, pendingOf(desk)]).toEqual([[], []])
})

test('a lot whose target is above the upper limit: the others rest, and the answer is no ok', () => {
  const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 2, 70_000], [2, 2, 95_000], [3, 2, 69_300])
  desk.quote(70_000)
  const text =
    '매도 주문 3건 가운데 2건을 냈고 1건은 내지 못했습니다. 낸 주문 가운데 2건은 아직 증권사의 답을 기다립니다. '
  expect(desk.ask(sellStock)).toEqual({
    ok: false,
    code: 'CONFLICT',
    text: `${text}오늘의 상한가·하한가를 벗어난 가격입니다. ${AGAIN}`,
  })
  expect(desk.live.length).toBe(2)
})

test('what waits for room is asked once, and left to the person by the automatic sale', () => {
  const desk = underWay()
  for (const command of [sellStock, sellAt(72_000, 1)]) expect(desk.ask(command)).toMatchObject({ code: 'BUSY' })
  desk.settings({ autoSell: true })
  desk.accept(1)
  expect(desk.sent.map((id) => desk.order(id).origin)).toEqual(['person'])
})

test('lots that are gone meanwhile are not sold, and not counted as placed', () => {
  const desk = underWay()
  const { day } = desk.account.book
  const sold = { sellPrice: null, sellAmount: null, soldAt: desk.now, day, fee: 0, tax: 0 }
  for (const lot of desk.stock.lots.filter(({ id }) => id > 20)) {
    const { id, count, buyPrice, buyAmount, boughtAt } = lot
    const trade = { id, code: CODE, count, buyPrice, buyAmount, boughtAt, ...sold }
    desk.putFacts({ kind: 'lotSold', lotId: id, trade, at: desk.now })
  }
  desk.accept(1)
  expect(desk.results).toMatchObject([
    { ok: false, code: 'CONFLICT', text: expect.stringContaining('남아 있지 않습니다') },
  ])
})
