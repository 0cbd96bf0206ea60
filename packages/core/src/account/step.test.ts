import { expect, test } from 'vitest'
import { cashFor, CODE, Desk, ISSUE } from '../../test/desk.ts'
import { kstInstant } from '../krx/kst.ts'
import { outlook } from './outlook.ts'
import { newAccount } from './view.ts'

const codes = (desk: Desk): string[] => outlook(desk.account, desk.ctx, CODE).reasons.map((reason) => reason.code)
const texts = (desk: Desk): string[] => outlook(desk.account, desk.ctx, CODE).reasons.map((reason) => reason.text)
const asks = (desk: Desk): number => desk.effects.filter((effect) => effect.kind === 'askCash').length

test('a price above the margin changes nothing, not even the account', () => {
  const desk = new Desk({ lastBuyPrice: 70_000 })
  const before = desk.account
  desk.price(69_994)
  expect([desk.account === before, desk.facts, desk.effects]).toEqual([true, [], []])
  desk.price(69_993)
  expect(asks(desk)).toBe(1)
})

test('cash is asked ahead, once; the answer buys at the trigger while it is fresh', () => {
  const desk = new Desk({ lastBuyPrice: 70_000, autoSell: false }).price(69_900)
  expect(asks(desk)).toBe(1)
  desk.price(69_800)
  expect(asks(desk)).toBe(0)
  desk.cash(100).wait(10_000).price(69_300)
  expect(desk.live).toEqual(['1 buy 2 @ 69300 of 1 intended'])
  expect(desk.facts[0]?.kind).toBe('orderIntended')
})

test('an answer one ms too old is asked again', () => {
  const desk = new Desk({ lastBuyPrice: 70_000 }).price(69_900).cash(100).wait(10_001).price(69_300)
  expect([desk.sent, asks(desk)]).toEqual([[], 1])
})

test('without enough cash no buy is trimmed, and the reason is shown', () => {
  const desk = new Desk().price(70_000).cash(1)
  expect(desk.sent).toEqual([])
  expect(codes(desk)).toContain('notEnoughCash')
  desk.cash(2)
  expect(desk.sent).toEqual([1])
})

test('a failed cash query is sent again after two seconds, not at every price', () => {
  const desk = new Desk().price(70_000).do({ kind: 'cashFailed', text: '연결이 끊겼습니다.' })
  expect(texts(desk)).toContainEqual(
    expect.stringContaining('살 수 있는 금액을 알지 못해 증권사에 다시 묻습니다: 연결이 끊겼습니다.'),
  )
  desk.wait(1_999).price(70_000)
  expect(asks(desk)).toBe(0)
  desk.wait(1).price(70_000)
  expect(asks(desk)).toBe(1)
})

/** Two stocks with the same settings; the second is bought by the test. */
function pair(): Desk {
  const desk = new Desk({ autoSell: false })
  const issue = { ...ISSUE, code: '000660' }
  desk.putFacts({ kind: 'stockAdded', code: '000660', name: 'SK하이닉스', issue, settings: desk.stock.settings, at: 0 })
  return desk
}

const other = (desk: Desk, count: number, askedAt = desk.now): Desk => {
  const quote = desk.quotes.get(CODE)
  if (quote !== undefined) desk.quotes.set('000660', quote)
  return desk.do({ kind: 'cash', amount: cashFor(count), askedAt })
}

test.each([
  ['exactly enough for both', 4, 2],
  ['one share short', 3, 1],
])('a buy on its way has a claim on the same cash: %s', (_name, count, orders) => {
  const desk = other(pair().buyAt(70_000), count)
  expect(desk.live.length).toBe(orders)
})

test('so has one without a verdict', () => {
  expect(other(pair().buyAt(70_000).lose(1), 3).live.length).toBe(1)
})

test('an answer asked before the broker took another buy does not include it', () => {
  const desk = pair().buyAt(70_000)
  const askedAt = desk.now
  desk.wait(100).accept(1)
  expect(other(desk, 3, askedAt + 99).live.length).toBe(1)
  expect(other(desk, 3, askedAt + 100).live.length).toBe(2)
})

test('a fill found late makes the answer about cash outdated, too', () => {
  const desk = pair().buyAt(70_000).lose(1).wait(20_000)
  const askedAt = desk.now - 1
  desk.read([desk.row(1)]).quote(70_000)
  expect(other(desk, 3, askedAt).live.length).toBe(1)
})

test('an unfilled automatic buy is cancelled after thirty seconds and armed again', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
  desk.wait(29_999).timer()
  expect(desk.cancels).toEqual([])
  desk.wait(1).timer()
  expect(desk.cancels).toEqual([1])
  desk.read([desk.row(1, { cancelled: true, remainingCount: 0 })]).wait(1_000)
  desk.buyAt(70_000)
  expect(desk.live).toEqual(['2 buy 2 @ 70000 of 2 intended'])
})

test("a person's buy is left alone", () => {
  const desk = new Desk({ autoBuy: false }).quote(70_000)
  desk.ask({ kind: 'marketBuy', code: CODE, amount: 70_000, cash: cashFor(200), askedAt: desk.now })
  desk.accept(1).wait(60_000).timer()
  expect(desk.cancels).toEqual([])
})

test('prices while the book is not armed buy nothing; the comparison arms it', () => {
  const desk = new Desk({ autoSell: false }).do({ kind: 'linked' })
  desk.price(70_000)
  expect([desk.sent, codes(desk)]).toEqual([[], ['armed']])
  desk.do({ kind: 'snapshotFailed', text: '초당 거래건수 초과' })
  expect(texts(desk)).toContainEqual(expect.stringContaining('맞춰 보지 못해 기다립니다: 초당 거래건수 초과'))
  desk.wait(1_000).read([], null)
  expect(desk.account.view.connection.armed).toBe(false)
  desk.wait(1_000).read([], [])
  expect(desk.account.view.connection.armed).toBe(true)
  expect(desk.buyAt(70_000).sent).toEqual([1])
})

test('a reading asked before the link was lost does not arm', () => {
  const desk = new Desk()
  const old = desk.snapshot([], [])
  desk.wait(1).do({ kind: 'linked' }).do({ kind: 'snapshot', snapshot: old })
  expect(desk.account.view.connection.armed).toBe(false)
  desk.do({ kind: 'snapshot', snapshot: desk.snapshot([], []) })
  expect(desk.account.view.connection.armed).toBe(true)
})

test('the first price after a gap only re-bases', () => {
  const desk = new Desk({ autoSell: false }).cash(100).price(66_000, { live: false })
  expect(desk.sent).toEqual([])
  expect(desk.price(66_000).sent).toEqual([1])
})

test('without the key: nothing goes out and nothing is read; with it, a comparison comes first', () => {
  const desk = new Desk().hold([1, 2, 70_000]).do({ kind: 'authorised', authorised: false })
  desk.wait(60_000).timer()
  expect([desk.effects, desk.orders]).toEqual([[], []])
  desk.do({ kind: 'authorised', authorised: true })
  expect(desk.effects).toEqual([{ kind: 'readLists', from: '20261116', to: '20261116', compare: true }])
  expect(desk.account.view.connection.armed).toBe(false)
})

test('one reading at a time; one that never comes back is asked again after a minute', () => {
  const desk = new Desk().do({ kind: 'linked' })
  expect(desk.reads).toBe(1)
  desk.wait(59_999).timer()
  expect(desk.reads).toBe(0)
  desk.wait(1).timer()
  expect(desk.reads).toBe(1)
})

test('failing readings come ever slower, up to half a minute, and a success starts anew', () => {
  const desk = new Desk().do({ kind: 'linked' })
  for (const wait of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    desk.do({ kind: 'snapshotFailed', text: 'HTTP 500' })
    expect(desk.reads).toBe(0)
    desk.wait(wait - 1).timer()
    expect(desk.reads).toBe(0)
    desk.wait(1).timer()
    expect(desk.reads).toBe(1)
  }
  desk.read([], []).do({ kind: 'snapshotFailed', text: '' })
  expect(desk.account.view.readSchedule.notBefore - desk.now).toBe(2_000)
})

test('where the holdings are due and did not come, the reading goes on for them at once', () => {
  const desk = new Desk().do({ kind: 'linked' }).read([], null)
  expect(desk.effects).toEqual([{ kind: 'readLists', from: '20261116', to: '20261116', compare: true }])
  expect(desk.read([], []).reads).toBe(0)
})

test('other readings without a balance follow each other no faster than one a second', () => {
  const desk = new Desk().read([], []).do({ kind: 'notice', odno: '7', filledCount: 1 })
  desk.wait(1_000).timer().read([], null).do({ kind: 'notice', odno: '7', filledCount: 1 })
  expect(desk.reads).toBe(0)
  desk.wait(999).timer()
  expect(desk.reads).toBe(0)
  desk.wait(1).timer()
  expect(desk.reads).toBe(1)
})

test.each([
  ['resting', 15_000, (desk: Desk) => desk],
  ['being cancelled', 3_000, (desk: Desk) => void desk.ask({ kind: 'cancelOrders', code: CODE })],
])('with an order %s the list is read every %i ms', (_name, every, set) => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000]).timer().accept(1)
  set(desk)
  desk
    .read([desk.row(1)])
    .wait(every - 1)
    .timer()
  expect(desk.reads).toBe(0)
  expect(desk.wait(1).timer().reads).toBe(1)
})

test('without live orders book and broker are compared every ten minutes', () => {
  const desk = new Desk().read([], [])
  desk.wait(599_999).timer()
  expect(desk.reads).toBe(0)
  desk.wait(1).timer()
  expect(desk.effects).toEqual([{ kind: 'readLists', from: '20261116', to: '20261116', compare: true }])
})

test('a suspected difference is read again after eleven seconds', () => {
  const desk = new Desk()
    .read([], [[1, 70_000]])
    .wait(10_999)
    .timer()
  expect(desk.reads).toBe(0)
  expect(desk.wait(1).timer().reads).toBe(1)
})

test('a cancel of an automatic order that fails waits before it is asked again', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1).wait(30_000).timer()
  desk.do({ kind: 'cancelFailed', orderId: 1, text: '응답 없음' })
  expect([desk.order(1).status, desk.cancels]).toEqual(['open', []])
  desk.wait(4_999).timer()
  expect(desk.cancels).toEqual([])
  expect(desk.wait(1).timer().cancels).toEqual([1])
})

test('after a restart: what was on its way is unknown, what was being cancelled is asked again', () => {
  const desk = new Desk().hold([1, 2, 70_000], [2, 2, 69_000], [3, 2, 68_000]).timer()
  desk.accept(2, 3).ask({ kind: 'cancelOrder', odno: '0000000003' })
  desk.account = newAccount(desk.account.book)
  desk.do({ kind: 'restarted', lateMs: 120_000 })
  expect(desk.orders.map((text) => text.split(' ').at(-1))).toEqual(['unknown', 'open', 'open'])
  expect([desk.sent, desk.cancels]).toEqual([[], []])
  desk.do({ kind: 'authorised', authorised: true })
  expect(desk.cancels).toEqual([3])
  expect(desk.reads).toBe(1)
})

test('the day opens once, forwards only', () => {
  const desk = new Desk()
  desk.now = kstInstant('20261117', 80_000)
  desk.timer()
  expect(desk.account.book.day).toBe('20261117')
  desk.now = kstInstant('20261116', 235_959)
  desk.timer()
  expect([desk.account.book.day, desk.facts]).toEqual(['20261117', []])
})

test('a live order of yesterday is read from yesterday on', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000]).timer().accept(1)
  desk.now = kstInstant('20261117', 100_000)
  desk.timer()
  expect(desk.effects).toContainEqual({ kind: 'readLists', from: '20261116', to: '20261117', compare: true })
})

test('an unchanged issue is no fact, a changed one is', () => {
  const desk = new Desk()
  const report = (nxt: boolean, code = CODE) =>
    desk.do({ kind: 'issue', code, name: '삼성전자', issue: { ...ISSUE, code, nxt } }).facts.length
  expect([report(false), report(true), report(true), report(true, '000660')]).toEqual([0, 1, 0, 0])
})

test('three rejects in a row pause the stock and say why', () => {
  const desk = new Desk({ autoSell: false })
  for (const id of [1, 2, 3]) {
    expect(desk.stock.blocked).toBe(null)
    desk.wait(5_000).buyAt(70_000)
    desk.do({ kind: 'refused', orderId: id, text: '주문 가능 금액을 초과했습니다.' })
  }
  expect(desk.stock.blocked).toMatchObject({ code: 'rejects', text: expect.stringContaining('주문 가능 금액을 초과') })
  desk.wait(60_000).buyAt(70_000)
  expect(desk.sent).toEqual([])
})

test('exchange rejects after acceptance count as well', () => {
  const desk = new Desk({ autoSell: false })
  for (const id of [1, 2, 3]) {
    desk.wait(5_000).buyAt(70_000).accept(id).wait(1_000)
    desk.read([desk.row(id, { rejectedCount: 2, remainingCount: 0 })])
  }
  expect(desk.stock.blocked?.code).toBe('rejects')
})

test('an order that was never sent does not count as a reject', () => {
  const desk = new Desk({ autoSell: false })
  for (const id of [1, 2, 3, 4]) {
    desk.wait(5_000).buyAt(70_000).do({ kind: 'notSent', orderId: id, text: '초당 거래건수를 초과하였습니다.' })
  }
  expect([desk.stock.rejects, desk.stock.blocked]).toEqual([0, null])
})

test('the outlook names the prices it waits for', () => {
  const desk = new Desk({ lastBuyPrice: 70_000 }).hold([1, 2, 70_000])
  expect(outlook(desk.account, desk.ctx, CODE)).toMatchObject({ nextBuyPrice: 69_300, nextSellPrice: 70_900 })
  expect(outlook(desk.account, desk.ctx, '000660').reasons).toEqual([])
})
