import { emptyBook, evolve, outlook, type Book, type Fact } from '@digger/core'
import { expect, test } from 'vitest'
import { CODE, DAY, ISSUE, SETTINGS, Stage } from '../test/stage.ts'
import { realStartView, shadowOrderView, shadowView } from './views.ts'

const OTHER = '000660'
const added = (code: string): Fact => ({
  kind: 'stockAdded',
  code,
  name: `종목 ${code}`,
  issue: { ...ISSUE, code },
  settings: SETTINGS,
  at: 0,
})
const real = (...facts: Fact[]): Book => facts.reduce(evolve, emptyBook(DAY))
const book = real(added(CODE), added(OTHER), { kind: 'stockShadowed', code: CODE, shadow: true, at: 0 })

const SALE = { side: 'sell', count: 3, price: 71_000 } as const

/** As `Shadows` has it: one account, in a process that has opened its rehearsal or not. */
const shadowsOf = (stage: Stage | null, isEverything = false) => ({
  isEverything,
  rule: 'cautious' as const,
  state: () => stage?.state ?? null,
  hasFailed: () => false,
  reasons: () => (stage === null ? [] : outlook(stage.state.account, stage.ctx, CODE).reasons),
  realStart: (): never => {
    throw new Error('nobody asked what leaving the shadow would send')
  },
})
const seen = (stage: Stage | null, price: number | null, isEverything = false) =>
  shadowView('someone', book, { shadows: shadowsOf(stage, isEverything), priceOf: () => price })

const bought = (): Stage => new Stage().price(70_000).price(69_900)

/** What leaving the shadow would send, where it can be left. */
function startOf(code: string, isEverything = false) {
  const [order] = new Stage().price(70_000).state.account.book.orders.values()
  const realStart = () => ({ atOnce: order === undefined ? [] : [order], atOpening: [SALE] })
  return realStartView('someone', code, { real: book, shadows: { ...shadowsOf(null, isEverything), realStart } })
}

test('a stock in the shadow has its rehearsal, others have none, and no view decides what leaving it would send', () => {
  expect(seen(bought(), 71_000)).toEqual({
    everything: false,
    newStocks: false,
    rule: 'cautious',
    stocks: [
      {
        code: CODE,
        name: `종목 ${CODE}`,
        shadow: true,
        rehearsed: {
          remainCount: 2,
          remainAmount: 140_000,
          openGain: 2_000,
          realisedGain: 0,
          orders: 1,
          reasons: [
            { side: 'buy', ok: false, code: 'aboveNextPrice', text: expect.stringContaining('69,300원') },
            { side: 'sell', ok: true, code: 'resting', text: expect.stringContaining('70,700원') },
          ],
        },
      },
      { code: OTHER, name: `종목 ${OTHER}`, shadow: false, rehearsed: null },
    ],
  })
})

test('what leaving the shadow would send is told of a stock that is in it, and of no other', () => {
  expect(startOf(CODE)).toEqual({
    atOnce: [{ orderType: 'BUY', qty: 2, price: 70_000 }],
    atOpening: [{ orderType: 'SELL', qty: 3, price: 71_000 }],
  })
  for (const code of [OTHER, '999999']) expect(startOf(code)).toEqual({ atOnce: [], atOpening: [] })
})

test('without a price there is no gain, and none is made up', () => {
  expect(seen(bought(), null).stocks[0]?.rehearsed).toMatchObject({ remainCount: 2, openGain: null })
})

test('a rehearsal that is not there yet is not shown as an empty one', () => {
  expect(seen(null, 70_000).stocks[0]).toMatchObject({ shadow: true, rehearsed: null })
})

test('one that could not be opened says so', () => {
  const shadows = { ...shadowsOf(null), hasFailed: () => true }
  expect(shadowView('someone', book, { shadows, priceOf: () => null })).toMatchObject({ failed: true })
  expect('failed' in seen(null, 70_000)).toBe(false)
})

const stopped = (...facts: Fact[]) => seen(bought().add(...facts), 70_000).stocks[0]?.rehearsed?.stopped

test('a book that is stopped says so, and by which limits of its own', () => {
  expect(stopped()).toBeUndefined()
  expect(stopped({ kind: 'stockStopped', code: CODE, stop: 'halt', at: 0 })).toEqual({ stop: 'halt', reached: [] })
  const limits: Fact[] = [
    { kind: 'limitReached', limit: 'lossAmount', text: '손실 한도에 닿았습니다.', at: 0 },
    { kind: 'stockLimitReached', code: CODE, limit: 'repeatCount', text: '10분에 11번입니다.', at: 0 },
    { kind: 'stockLimitReached', code: OTHER, limit: 'repeatCount', text: '다른 종목입니다.', at: 0 },
  ]
  expect(stopped(...limits)).toEqual({ stop: 'reduce', reached: ['손실 한도에 닿았습니다.', '10분에 11번입니다.'] })
})

test('where everything is rehearsed nothing can leave the shadow', () => {
  const { everything, stocks } = seen(bought(), 70_000, true)
  expect([everything, ...stocks.map(({ shadow }) => shadow)]).toEqual([true, true, true])
  expect(startOf(CODE, true)).toEqual({ atOnce: [], atOpening: [] })
})

test('an order that was not sent says what would have become of it', () => {
  const [buy, sale] = bought().state.account.book.orders.values()
  expect(buy && shadowOrderView(buy, '삼성전자')).toMatchObject({
    orderId: 'S1',
    orderType: 'BUY',
    live: false,
    filledQty: 2,
    filledAmount: 140_000,
    why: expect.stringContaining('70,000원'),
  })
  expect(sale && shadowOrderView(sale, '삼성전자')).toMatchObject({ orderId: 'S2', live: true, filledQty: 0 })
})
