import { describe, expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { type DueOrder, dueOrder } from './delayed-orders.ts'
import { outlook } from './outlook.ts'
import type { Blocked } from './types.ts'

const shown = (desk: Desk) => outlook(desk.account, desk.ctx, CODE).reasons.map(({ side, code }) => `${side} ${code}`)

const block = (desk: Desk, over: Partial<Blocked> = {}): Desk =>
  desk.putFacts({
    kind: 'stockBlocked',
    code: CODE,
    blocked: {
      code: 'mismatch',
      short: false,
      text: '장부 6주, 증권사 4주로 달라 매수를 멈췄습니다.',
      at: desk.now,
      ...over,
    },
    at: desk.now,
  })

/** Three lots that rest at their targets, and a price at which nothing is bought. */
const resting = (): Desk => {
  const desk = new Desk({ lastBuyPrice: 68_600 }).hold([1, 2, 70_000], [2, 2, 69_300], [3, 2, 68_600])
  desk.quote(69_000).timer()
  return desk.accept(...desk.sent)
}

describe('the first line a person reads', () => {
  test('of a stock that trades is what it waits for', () => {
    expect(shown(resting())).toEqual(['buy aboveNextPrice', 'sell resting'])
  })

  test.each<[string, Partial<Blocked>]>([
    ['the broker has more', {}],
    ['the broker has fewer', { short: true }],
    ['its orders were rejected', { code: 'rejects', text: '주문이 세 번 거절되어 멈췄습니다.' }],
    ['an order is ambiguous', { code: 'ambiguous', text: '확인해 주세요.' }],
  ])('of one that Digger has stopped is why, once: %s', (_, over) => {
    const desk = block(resting(), over)
    const { reasons } = outlook(desk.account, desk.ctx, CODE)
    expect(reasons[0]).toMatchObject({ side: 'buy', ok: false, code: 'reconciled', text: desk.stock.blocked?.text })
    expect(reasons.filter(({ side, text }) => side === 'buy' && text === desk.stock.blocked?.text)).toHaveLength(1)
  })

  test('the same where the price asks for a buy that the stop refuses', () => {
    const desk = block(resting()).quote(67_900)
    expect(shown(desk).filter((one) => one === 'buy reconciled')).toHaveLength(1)
    expect(shown(desk)[0]).toBe('buy reconciled')
  })

  test('sales that a stop holds back are not said to rest', () => {
    const desk = new Desk({ lastBuyPrice: 68_600 }).hold([1, 2, 70_000]).quote(69_000)
    block(desk, { code: 'rejects', text: '주문이 세 번 거절되어 멈췄습니다.' })
    expect(shown(desk)).toEqual(['buy reconciled', 'buy aboveNextPrice', 'sell reconciled'])
  })
})

describe('what a sentence says beside a price that moves on', () => {
  test('of what waits: no price of the moment', () => {
    const { reasons } = outlook(resting().account, resting().ctx, CODE)
    expect(reasons[0]?.text).toBe('현재가가 다음 매수가 67,900원보다 높아 기다립니다.')
    expect(reasons[0]).not.toHaveProperty('at')
  })

  test('of an order that is out: the price of then, with its time', () => {
    const desk = new Desk({ lastBuyPrice: 70_000 }).cash(10).price(69_300)
    const [order] = desk.account.book.orders.values()
    desk.wait(5_000).quote(69_800)
    const [first] = outlook(desk.account, desk.ctx, CODE).reasons
    expect(first).toMatchObject({ ok: true, text: expect.stringContaining('69,300원'), at: order?.createdAt })
    expect(first?.at).toBe(desk.now - 5_000)
  })
})

test('an order that is due and does not leave is named with its time, until it has left', () => {
  const desk = new Desk({ lastBuyPrice: 70_000 }).price(69_300)
  const since = desk.now
  expect(outlook(desk.account, desk.ctx, CODE).due).toEqual({ side: 'buy', since })
  desk.wait(31_000)
  expect(outlook(desk.account, desk.ctx, CODE).due).toEqual({ side: 'buy', since })
  desk.cash(10).price(69_300)
  expect(desk.sent).toHaveLength(1)
  expect(outlook(desk.account, desk.ctx, CODE).due).toBeNull()
})

test.each<[Record<string, number>, DueOrder | null]>([
  [{}, null],
  [{ 'buy 000660': 1 }, null],
  [{ [`buy ${CODE}`]: 5 }, { side: 'buy', since: 5 }],
  [{ [`sell ${CODE}`]: 5 }, { side: 'sell', since: 5 }],
  [
    { [`buy ${CODE}`]: 6, [`sell ${CODE}`]: 5 },
    { side: 'sell', since: 5 },
  ],
])('of %j the one that has waited longest is shown', (since, due) => {
  expect(dueOrder(new Map(Object.entries(since)), CODE)).toEqual(due)
})

test('of a stock that is not listed nothing is known', () => {
  const nothing = { nextBuyPrice: null, nextSellPrice: null, reasons: [], due: null }
  expect(outlook(new Desk().account, new Desk().ctx, '000660')).toEqual(nothing)
})
