import { describe, expect, test } from 'vitest'
import { CODE, Desk, ISSUE } from '../../test/desk.ts'
import { knownTimetable } from '../krx/calendar.ts'
import { kstInstant, kstIso, kstMidnight } from '../krx/kst.ts'
import { asLoaded } from './as-loaded.ts'
import { outlook } from './outlook.ts'
import type { RefusalCause } from './refusal-cause.ts'
import { pricesOf } from './venues.ts'

const REFUSED = '거절되었습니다.'

/** Three lots of one stock on the real host. Each sells alone at its target. */
function threeLots(time: number): Desk {
  const desk = new Desk({ autoBuy: false })
  desk.env = 'real'
  desk.now = kstInstant('20261116', time)
  return desk.hold([1, 2, 70_000], [2, 2, 69_300], [3, 2, 68_600]).quote(69_000)
}

/** Refuses whatever the last step sent. */
function refuse(desk: Desk, cause: RefusalCause): number {
  const { sent } = desk
  for (const orderId of sent) desk.do({ kind: 'refused', orderId, text: REFUSED, cause })
  return sent.length
}

const sentAfter = (desk: Desk, ms: number): number => desk.wait(ms).timer().sent.length

test('three lots refused in the second the session opens: the stock goes on a minute later', () => {
  const desk = threeLots(83_005)
  desk.timer()
  expect(refuse(desk, 'hour')).toBe(3)
  expect([desk.stock.blocked, desk.stock.rejects]).toEqual([null, 0])
  expect(sentAfter(desk, 59_999)).toBe(0)
  expect(sentAfter(desk, 1)).toBe(3)
  desk.accept(4, 5, 6)
  expect(desk.live).toHaveLength(3)
})

test('refused again and again at the same hour: the wait doubles up to five minutes and never stops the stock', () => {
  const desk = threeLots(90_000)
  desk.timer()
  for (const minutes of [1, 2, 4, 5, 5, 5]) {
    expect(refuse(desk, 'hour')).toBe(3)
    expect(sentAfter(desk, minutes * 60_000 - 1)).toBe(0)
    expect(sentAfter(desk, 1)).toBe(3)
  }
  expect(desk.stock.blocked).toBe(null)
})

test('what the after-market refused is offered there no more that day, and in the morning again', () => {
  const desk = threeLots(160_005).choose({ afterMarket: true })
  desk.timer()
  expect(desk.order(1).session).toBe('after')
  refuse(desk, 'order')
  for (const minutes of [1, 10, 60, 120]) expect(sentAfter(desk, minutes * 60_000)).toBe(0)
  desk.now = kstInstant('20261117', 83_005)
  expect(desk.timer().sent).toHaveLength(3)
})

test('a sale by hand at the best price that the after-market refuses keeps no target from it', () => {
  const desk = threeLots(160_005).choose({ afterMarket: true })
  desk.ask({ kind: 'sellTrade', code: CODE, tradeId: 1, how: 'market' })
  const [sale] = desk.sent
  expect(desk.order(sale ?? 0)).toMatchObject({ type: 'best', session: 'after' })
  desk.do({ kind: 'refused', orderId: sale ?? 0, text: '[애프터마켓]지정가 주문만 가능합니다.', cause: 'hour' })
  expect(sentAfter(desk, 60_000)).toBe(3)
})

describe('what is no fault of the order never counts', () => {
  test.each(['hour', 'day', 'venue', 'halted', 'priceLimit', 'service', 'money', 'shares', 'call'] as const)(
    '%s',
    (cause) => {
      const desk = threeLots(90_100)
      let waves = 0
      for (let minute = 0; minute < 180; minute++) if (refuse(desk.wait(60_000).timer(), cause) > 0) waves += 1
      expect([desk.stock.blocked, desk.stock.rejects]).toEqual([null, 0])
      expect(waves).toBeGreaterThanOrEqual(6)
      expect(waves).toBeLessThanOrEqual(cause === 'call' || cause === 'venue' ? 180 : 45)
    },
  )
})

test.each(['refused', 'notSent'] as const)('after an order that was %s automatic ones wait five seconds', (kind) => {
  const desk = threeLots(90_100)
  desk.timer()
  for (const orderId of desk.sent) desk.do({ kind, orderId, text: REFUSED })
  expect(outlook(desk.account, desk.ctx, CODE).reasons.map(({ code }) => code)).toContain('pause')
  expect(sentAfter(desk, 4_999)).toBe(0)
  expect(sentAfter(desk, 1)).toBe(3)
})

test('what lies in the order counts once for orders that were out together', () => {
  const desk = threeLots(90_100)
  for (const wave of [1, 2]) {
    desk.wait(5_000).timer()
    expect(refuse(desk, 'order')).toBe(3)
    expect([desk.stock.rejects, desk.stock.blocked]).toEqual([wave, null])
  }
  desk.wait(5_000).timer()
  refuse(desk, 'order')
  expect(desk.stock.blocked).toMatchObject({ code: 'rejects', text: expect.stringContaining(REFUSED) })
})

test('what a person tries in vain does not stop what the settings do', () => {
  const desk = threeLots(100_100)
  desk.timer()
  desk.accept(...desk.sent)
  const press = (): void => {
    desk.ask({ kind: 'marketBuy', code: CODE, amount: 140_000, cash: 10_000_000, askedAt: desk.now })
    expect(refuse(desk, 'order')).toBe(1)
  }
  for (let n = 1; n <= 4; n++, desk.wait(6_000)) press()
  expect([desk.stock.rejects, desk.stock.blocked]).toEqual([0, null])
  // Nor does it hide that an automatic order is refused.
  desk.putFacts({ kind: 'orderEnded', orderId: 1, end: 'cancelled', note: null, at: desk.now })
  const [sell] = desk.timer().sent
  press()
  desk.do({ kind: 'refused', orderId: sell ?? 0, text: REFUSED, cause: 'order' })
  expect(desk.stock.rejects).toBe(1)
})

test('a stop for rejects is lifted for one try a trading day', () => {
  const desk = threeLots(90_100)
  for (let wave = 1; wave <= 3; wave++) refuse(desk.wait(5_000).timer(), 'order')
  expect(desk.stock.blocked?.code).toBe('rejects')
  desk.now = kstInstant('20261117', 83_005)
  expect(desk.timer().sent).toHaveLength(3)
  refuse(desk, 'order')
  expect(desk.stock.blocked?.code).toBe('rejects')
  for (const minutes of [1, 60, 300]) expect(sentAfter(desk, minutes * 60_000)).toBe(0)
})

test('a stop has the words of the reject that made it, whatever the others of the same moment were refused for', () => {
  const desk = threeLots(90_100)
  for (let wave = 1; wave <= 2; wave++) refuse(desk.wait(5_000).timer(), 'order')
  const [first = 0, second = 0] = desk.wait(5_000).timer().sent
  desk.do({ kind: 'refused', orderId: first, text: REFUSED, cause: 'order' })
  desk.do({ kind: 'refused', orderId: second, text: '장운영시간이 아닙니다.', cause: 'hour' })
  expect(desk.stock.blocked?.text).toContain(REFUSED)
})

test.each(['hour', 'order'] as const)('a sale by hand that is refused leaves the words of the stop: %s', (cause) => {
  const desk = threeLots(90_100)
  for (let wave = 1; wave <= 3; wave++) refuse(desk.wait(5_000).timer(), 'order')
  desk.ask({ kind: 'sellTrade', code: CODE, tradeId: 1, how: 'market' })
  const [sale] = desk.sent
  desk.do({ kind: 'refused', orderId: sale ?? 0, text: '장운영시간이 아닙니다.', cause })
  expect(desk.facts.map(({ kind }) => kind)).toEqual(['orderEnded'])
})

test.each(['ambiguous', 'mismatch'] as const)('a stop because of %s stays over night', (code) => {
  const desk = threeLots(90_100)
  desk.putFacts({ kind: 'stockBlocked', code: CODE, blocked: { code, short: false, text: '', at: 0 }, at: desk.now })
  desk.now = kstInstant('20261117', 1)
  expect(desk.timer().stock.blocked?.code).toBe(code)
})

test('on a day without trading it stays', () => {
  const desk = threeLots(90_100)
  desk.putFacts({
    kind: 'stockBlocked',
    code: CODE,
    blocked: { code: 'rejects', short: false, text: '', at: desk.now },
    at: desk.now,
  })
  desk.now = kstInstant('20261121', 100_000)
  expect(desk.timer().stock.blocked?.code).toBe('rejects')
  desk.now = kstInstant('20261123', 1)
  expect(desk.timer().stock.blocked).toBe(null)
})

test('an acceptance between does not lift the third reject, a fill does', () => {
  const desk = threeLots(90_100)
  for (let wave = 1; wave <= 2; wave++) refuse(desk.wait(5_000).timer(), 'order')
  desk.wait(5_000).timer()
  const [first] = desk.sent
  desk
    .accept(first ?? 0)
    .wait(2_000)
    .fill(first ?? 0)
  expect(desk.stock.rejects).toBe(0)
})

test('what NXT refuses goes to KRX for the rest of the day', () => {
  const desk = threeLots(90_100)
  desk.putFacts({ kind: 'issueChanged', code: CODE, name: '삼성전자', issue: { ...ISSUE, nxt: true }, at: desk.now })
  desk.choose({ sor: true }).timer()
  const pricedBy = () => pricesOf(desk.account, { now: desk.now, timetable: knownTimetable('krx'), env: 'real' }, CODE)
  expect([desk.order(1).venue, pricedBy()]).toEqual(['SOR', 'UN'])
  refuse(desk, 'venue')
  expect(pricedBy()).toBe('KRX')
  expect(sentAfter(desk, 5_000)).toBe(3)
  expect(desk.order(4).venue).toBe('KRX')
  desk.now = kstInstant('20261117', 90_100)
  desk.read([]).timer()
  expect(desk.account.view.stocks.notOnNxt.size).toBe(0)
})

test('the card says what the broker said and when the next try is', () => {
  const desk = threeLots(90_000)
  desk.timer()
  refuse(desk, 'hour')
  const texts = outlook(desk.account, desk.ctx, CODE).reasons.map(({ code, text }) => `${code}: ${text}`)
  expect(texts).toContain(
    'refusedNow: 증권사가 지금은 주문을 받는 시간이 아니라고 했습니다(‘거절되었습니다’). 09:01에 다시 냅니다.',
  )
})

test('what is not offered again today is not promised for an hour at which nothing is open', () => {
  const desk = threeLots(160_005).choose({ afterMarket: true })
  desk.timer()
  refuse(desk, 'venue')
  const texts = outlook(desk.account, desk.ctx, CODE).reasons.map(({ code, text }) => `${code}: ${text}`)
  expect(texts).toContain(
    'refusedNow: 증권사가 이 거래소에서는 받지 않는다고 했습니다(‘거절되었습니다’). 오늘은 다시 내지 않고 다음 거래일에 냅니다.',
  )
})

test('people do not wait', () => {
  const desk = threeLots(90_000)
  desk.timer()
  refuse(desk, 'hour')
  desk.ask({ kind: 'sellTrade', code: CODE, tradeId: 1, how: 'market' })
  expect(desk.sent).toHaveLength(1)
})

test('facts from before causes were known count as they did', () => {
  const desk = threeLots(90_100)
  desk.timer()
  for (const orderId of desk.sent)
    desk.putFacts({ kind: 'orderEnded', orderId, end: 'rejected', note: null, at: desk.now })
  expect(desk.stock.rejects).toBe(3)
})

test('what was refused is not said to rest', () => {
  const desk = threeLots(90_000)
  desk.timer()
  refuse(desk, 'hour')
  const codes = outlook(desk.account, desk.ctx, CODE).reasons.flatMap(({ side, code }) => (side === 'sell' ? code : []))
  expect(codes[0]).toBe('refusedNow')
  expect(codes).not.toContain('resting')
})

/** When the first order of three lots leaves, and to which venue, looked at once a minute. */
function firstOrderAt(day: string, nxt: boolean): string | null {
  const desk = threeLots(90_000)
  desk.special = knownTimetable('krx').special
  desk.choose({ sor: true, preMarket: true })
  desk.putFacts({ kind: 'issueChanged', code: CODE, name: '삼성전자', issue: { ...ISSUE, nxt }, at: desk.now })
  for (let minute = 7 * 60; minute < 20 * 60; minute++) {
    desk.now = kstMidnight(day) + minute * 60_000 + 6_000
    desk.quote(69_000).read([]).timer()
    const [id] = desk.sent
    if (id !== undefined) return `${kstIso(desk.now).slice(11, 16)} ${desk.order(id).venue}`
  }
  return null
}

describe('no automatic order leaves before its session', () => {
  test.each([
    ['a normal day', '20261118', '08:30 KRX'],
    ['the exam day', '20261119', '09:30 KRX'],
    ['the first session of 2027', '20270104', '09:30 KRX'],
    ['the exam day of 2027', '20271118', '09:30 KRX'],
  ])('%s, an issue of KRX only', (_name, day, expected) => expect(firstOrderAt(day, false)).toBe(expected))

  test.each([
    ['the exam day', '20261119', '09:30 SOR'],
    ['the first session of 2027', '20270104', '09:30 SOR'],
  ])('%s, an issue of both: nothing to a pre-market that is not held', (_name, day, expected) =>
    expect(firstOrderAt(day, true)).toBe(expected),
  )
})

describe('a fault of the order itself counts, whatever others that were out with it were refused for', () => {
  test.each([
    ['shares', 'order'],
    ['order', 'shares'],
    ['money', 'order'],
  ] as const)('%s, then %s', (...causes) => {
    const desk = threeLots(90_100)
    desk.timer()
    for (let minute = 0; minute < 180 && desk.stock.blocked === null; minute++) {
      for (const [at, orderId] of desk.sent.entries())
        desk.do({ kind: 'refused', orderId, text: REFUSED, cause: causes[at] ?? 'shares' })
      desk.wait(60_000).timer()
    }
    expect(desk.stock.blocked).toMatchObject({ code: 'rejects' })
  })
})

test('what others were refused for no table knows: a book that is read again does not tell either', () => {
  const desk = threeLots(90_100).timer()
  refuse(desk, 'shares')
  expect([...desk.account.book.orders.values()].map(({ refusedFor }) => refusedFor)).toEqual(Array(3).fill('shares'))
  for (const order of asLoaded(desk.account.book).orders.values()) expect(order).not.toHaveProperty('refusedFor')
})
