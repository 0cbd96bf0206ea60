import { describe, expect, test } from 'vitest'
import { newStock } from './draft.ts'
import { inOrder, orderChips, todayGainOf } from './stockOrder.ts'
import { stateText } from './StockTable.tsx'

const stock = { ...newStock('u1', '005930'), autoBuy: true, autoSell: true, priceSubscribed: true }

test.each([
  [{}, ''],
  [{ autoBuy: false }, 'BUY 꺼짐'],
  [{ autoSell: false, priceSubscribed: false }, 'WATCH SELL 꺼짐'],
  [{ stop: 'reduce' as const, autoBuy: false }, '매수 멈춤'],
  [{ stop: 'halt' as const }, '모두 멈춤'],
  [{ blocked: '다릅니다.', stop: 'halt' as const }, '장부와 다름'],
  [{ frozen: { day: '20261120', close: 200, base: 100 }, blocked: '다릅니다.' }, '기준가 변동'],
  [{ statuses: ['warning' as const, 'interrupted' as const], autoBuy: false }, '투자경고, VI'],
  [{ statuses: ['warning' as const], stop: 'halt' as const }, '모두 멈춤'],
  [{ due: { side: 'buy' as const, since: '2026-11-20T13:12:00+09:00' } }, '주문 낼 차례'],
])('the state of a stock %j is %s', (change, text) => expect(stateText({ ...stock, ...change })).toBe(text))

const held = (name: string, price: number | null, remainAmount: number) => ({
  ...stock,
  name,
  code: name,
  price,
  basePrice: 100,
  remainCount: 1,
  remainAmount,
  nextBuyPrice: 90,
  today: { realised: 0, realisedNet: 5, open: 0, heldBefore: 1, boughtAmount: 0 },
})

describe('orders of a list', () => {
  const all = [held('나', 110, 100), held('가', 99, 100), held('다', null, 300)]
  test.each([
    ['', '나가다'],
    ['nonsense', '나가다'],
    ['ratio', '나가다'],
    ['today', '나가다'],
    ['amount', '다나가'],
    ['name', '가나다'],
    ['buy', '가나다'],
  ])('“%s”: %s; what is not known comes last', (order, names) =>
    expect(
      inOrder(all, order)
        .map(({ name }) => name)
        .join(''),
    ).toBe(names),
  )
  test('today is what was sold net, and the way of the day of what is held', () =>
    expect(all.map(todayGainOf)).toEqual([15, 4, null]))
  test('the chosen one is on, and a press on it chooses none', () => {
    const chosen: string[] = []
    const { chips } = orderChips('name', (order) => chosen.push(order))
    expect(chips.filter(({ on }) => on).map(({ name }) => name)).toEqual(['이름'])
    for (const { func } of chips) func()
    expect(chosen).toEqual(['ratio', 'today', 'amount', '', 'buy'])
  })
})
