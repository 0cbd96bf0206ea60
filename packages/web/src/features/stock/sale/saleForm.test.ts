import { assert, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  amountText,
  boundTexts,
  buttonText,
  draftProblem,
  figuresOf,
  initialDraft,
  queryOf,
  roundedPrice,
  sharesOf,
  slicesText,
  tickText,
  type Sale,
  type SaleDraft,
} from './saleForm.ts'

const stock = {
  userId: 'u1',
  code: '005930',
  name: '삼성전자',
  nxt: true,
  kind: 'stock',
  price: 146_500,
  autoSell: true,
  statuses: [],
  statusesAt: null,
} satisfies Sale['stock']
const ordersHref = '/user/kis/order?code=005930'
const atPrice: Sale = { stock, how: 'price', ordersHref }
const atMarket: Sale = { stock, how: 'market', ordersHref }
const trade = { id: 7, buyDateTime: '2026-11-20T13:12:03+09:00', sellOrderId: null }
const ofTrade: Sale = { stock, how: 'current', trade, ordersHref }
const draft = (changes: Partial<SaleDraft> = {}): SaleDraft => ({ ...initialDraft(atPrice), ...changes })
const order = (qty: number, price: number | null) => ({ qty, price })

test('it begins with the present price, all shares, one order', () => {
  expect(initialDraft(atPrice)).toEqual({ price: '146,500', amount: 'all', slices: '1' })
  expect(initialDraft({ ...atPrice, stock: { ...stock, price: null } }).price).toBe('')
})

describe('what is asked for', () => {
  test.each<[Sale, Partial<SaleDraft>, number | null, ReturnType<typeof queryOf>]>([
    [atPrice, {}, 6, { how: 'price', sellPrice: 146_500, sellCount: 1 }],
    [atPrice, { amount: 'half' }, null, { how: 'price', sellPrice: 146_500, sellCount: 1 }],
    [atPrice, { amount: 'half' }, 7, { how: 'price', sellPrice: 146_500, sellCount: 1, qty: 3 }],
    [atPrice, { amount: 'one', slices: '3' }, 7, { how: 'price', sellPrice: 146_500, sellCount: 3, qty: 1 }],
    [atPrice, { amount: { typed: '1,000' } }, 6, { how: 'price', sellPrice: 146_500, sellCount: 1, qty: 1_000 }],
    [atPrice, { price: '15만 원' }, 6, { how: 'price', sellPrice: 150_000, sellCount: 1 }],
    [atMarket, { price: '', slices: '' }, 6, { how: 'market' }],
    [atMarket, { amount: 'half' }, 6, { how: 'market', qty: 3 }],
    [ofTrade, { price: '', slices: '', amount: { typed: '' } }, 6, { how: 'current', tradeId: 7 }],
    [atPrice, { price: '칠만' }, 6, null],
  ])('%#', (sale, changes, free, query) => expect(queryOf(sale, draft(changes), free)).toEqual(query))

  test.each<[Partial<SaleDraft>, RegExp]>([
    [{ price: '' }, /^매도가를 1원 이상의/],
    [{ price: '0' }, /^매도가를/],
    [{ price: '-5' }, /^매도가를/],
    [{ price: '146,500.5' }, /^매도가를/],
    [{ amount: { typed: '' } }, /^수량을 1주 이상의/],
    [{ amount: { typed: '0' } }, /^수량을/],
    [{ amount: { typed: '1.5' } }, /^수량을/],
    [{ slices: '0' }, /^나눌 개수를 1부터 100까지의/],
    [{ slices: '101' }, /^나눌 개수를/],
    [{ slices: '' }, /^나눌 개수를/],
  ])('%j is said to be wrong', (changes, text) => expect(draftProblem(atPrice, draft(changes))).toMatch(text))

  test.each([
    [1, 1, 0, 1],
    [6, 1, 3, 6],
    [7, 1, 3, 7],
    [0, 0, 0, 0],
  ])('of %i shares', (free, one, half, all) =>
    expect([sharesOf('one', free), sharesOf('half', free), sharesOf('all', free)]).toEqual([one, half, all]),
  )
})

describe('what comes of it', () => {
  test('sold, bought and costs add up to what stays', () => {
    const quote = { orders: [order(6, 146_600)], price: 146_500, gainAmount: -6_000, netGainAmount: -8_024 }
    const figures = figuresOf(quote)
    expect(figures).toEqual({ shares: 6, sold: 879_600, bought: 885_600, costs: 2_024, net: -8_024 })
    expect(amountText(6, figures.sold)).toBe('6주 × 146,600 = 879,600원')
    expect(amountText(6, figures.bought)).toBe('6주 × 147,600 = 885,600원')
  })

  test('at the market the last price counts; without one nothing is known', () => {
    const orders = [order(2, null)]
    expect(figuresOf({ orders, price: 1_000, gainAmount: 5, netGainAmount: 1 }).sold).toBe(2_000)
    expect(figuresOf({ orders, price: null, gainAmount: null, netGainAmount: null })).toEqual({
      shares: 2,
      sold: null,
      bought: null,
      costs: null,
      net: null,
    })
    expect(amountText(2, null)).toBe('—')
  })

  test('the parts add up, whatever is quoted', () =>
    assert(
      property(
        integer({ min: 1, max: 1e6 }),
        integer({ min: 1, max: 1e6 }),
        integer(),
        integer(),
        (qty, price, gainAmount, netGainAmount) => {
          const { sold, bought, costs, net } = figuresOf({
            orders: [order(qty, price)],
            price,
            gainAmount,
            netGainAmount,
          })
          expect((sold ?? 0) - (bought ?? 0) - (costs ?? 0)).toBe(net)
        },
      ),
    ))

  test('shares without one price have their average', () =>
    expect(amountText(3, 1_000)).toBe('3주 · 평균 334 = 1,000원'))
})

test.each([
  ['price', [order(6, 146_600)], 146_500, '6주 146,600원에 매도'],
  ['price', [order(3, 146_600), order(3, 146_600)], 146_500, '6주 146,600원에 매도'],
  ['current', [order(6, 146_500)], 146_500, '6주 146,500원에 매도'],
  ['market', [order(1_000, null)], 146_500, '1,000주 시장가에 매도 · 지금 146,500원'],
  ['market', [order(1, null)], null, '1주 시장가에 매도'],
  ['price', [], 146_500, '매도'],
] as const)('the button says what it does: %s %j', (how, orders, price, text) =>
  expect(buttonText(how, { orders: [...orders], price, gainAmount: null, netGainAmount: null })).toBe(text),
)

test('a rounded price is named, one that stays is not', () => {
  expect(roundedPrice(draft({ price: '146,550' }), { orders: [order(6, 146_600)] })).toBe(146_600)
  expect(roundedPrice(draft({ price: '146,600' }), { orders: [order(6, 146_600)] })).toBeNull()
  expect(roundedPrice(draft(), { orders: [] })).toBeNull()
  expect(tickText(146_600, 'stock')).toBe('100원 단위에 맞춰')
  expect(tickText(146_600, 'etf')).toBe('5원 단위에 맞춰')
})

test.each([
  [{ held: 30, free: 30, buying: 0 }, []],
  [{ held: 30, free: 6, buying: 0 }, ['24주는 직접 낸 매도 주문에 묶여 있습니다.']],
  [{ held: 30, free: 6, buying: 4 }, ['20주는 직접 낸 매도 주문에 묶여 있습니다.', '4주는 아직 사는 중입니다.']],
])('%j', (quote, texts) => expect(boundTexts(quote)).toEqual(texts))

test.each([
  [[6], null],
  [[2, 2, 2], '2주씩 3건'],
  [[3, 2], '3주 + 2주'],
  [[2, 1, 1, 1, 1, 1, 1], '2주 + 1주 + 1주 + 1주 + 1주 + 1주 … 모두 7건'],
])('orders of %j', (sizes, text) => expect(slicesText(sizes.map((qty) => order(qty, 1)))).toBe(text))
