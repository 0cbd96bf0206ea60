import { emptyBook, evolve, kstInstant, type ClosedTrade, type Fact, type HeldLot, type Order } from '@digger/core'
import { expect, test } from 'vitest'
import { MAX_TRADES, touchedTrades } from './touched-trades.ts'

const CODE = '005930'
const DAY = '20260105'
const NOW = kstInstant(DAY, '100000')
const PRICE = 10_500

const settings = {
  maxBuyPrice: null,
  maxBuyAmount: null,
  buyUnitPrice: null,
  lastBuyPrice: null,
  recoverLastBuyPrice: false,
  autoBuy: false,
  buyPercent: -1,
  autoSell: true,
  sellPercent: 10,
  useMinSellPrice: false,
  minSellPrice: null,
  autoSellWithAvgPrice: false,
}
const lot = (id: number, change: Partial<HeldLot> = {}): HeldLot => ({
  id,
  count: 4,
  buyPrice: 10_000,
  buyAmount: 40_000,
  boughtAt: NOW,
  buyOrderId: null,
  heldBack: false,
  takenOver: false,
  ...change,
})
const bought = (held: HeldLot): Fact => ({ at: NOW, kind: 'lotBought', code: CODE, lot: held })
const sold = (lotId: number, change: Partial<ClosedTrade> = {}): Fact => ({
  at: NOW,
  kind: 'lotSold',
  lotId,
  trade: {
    id: lotId,
    code: CODE,
    count: 4,
    buyPrice: 10_000,
    buyAmount: 40_000,
    boughtAt: NOW,
    sellPrice: 11_000,
    sellAmount: 44_000,
    soldAt: NOW,
    day: DAY,
    fee: 10,
    tax: 60,
    ...change,
  },
})
const intended = (id: number, side: 'buy' | 'sell', lotIds: readonly number[]): Fact => {
  const order: Order = {
    id,
    code: CODE,
    side,
    origin: 'auto',
    type: 'limit',
    price: 11_000,
    count: 4,
    venue: 'KRX',
    session: 'regular',
    lots: lotIds.map((lotId) => ({ lotId, count: 4 })),
    status: 'intended',
    day: DAY,
    odno: null,
    orgno: null,
    filledCount: 0,
    filledAmount: 0,
    reservedPrice: 11_000,
    createdAt: NOW,
    updatedAt: NOW,
    why: '',
    note: null,
    absentFrom: null,
    cancelAsked: false,
    cancelWanted: false,
  }
  return { at: NOW, kind: 'orderIntended', order }
}
const added = (change: Partial<typeof settings> = {}): Fact => ({
  at: NOW,
  kind: 'stockAdded',
  code: CODE,
  name: '삼성전자',
  issue: { code: CODE, kind: 'stock', market: 'KOSPI', nxt: false },
  settings: { ...settings, ...change },
})

/** What facts touch in a stock that has been through those before them. */
function touched(earlier: readonly Fact[], facts: readonly Fact[], price: number | null = PRICE) {
  const before = earlier.reduce(evolve, emptyBook(DAY))
  return touchedTrades({ before, after: facts.reduce(evolve, before), facts }, CODE, price, NOW)
}
const open = { sellDateTime: null, sellPrice: null, buying: false, takenOver: false, sellOrderId: null }

test('a bought lot comes with its target, and its gain at the last price', () => {
  expect(touched([added(), bought(lot(1))], [bought(lot(2))])).toEqual([
    {
      id: 2,
      buyDateTime: '2026-01-05T10:00:00.000+09:00',
      buyCount: 4,
      buyPrice: 10_000,
      ...open,
      gainAmount: 2_000,
      gainRatio: 5,
      netGainAmount: expect.any(Number),
      targetPrice: 11_000,
    },
  ])
  expect(touched([added()], [bought(lot(1))], null)).toMatchObject([{ gainAmount: null, netGainAmount: null }])
})

test('a lot sold whole is a past trade', () => {
  expect(touched([added(), bought(lot(1)), bought(lot(2))], [sold(1)])).toEqual([
    {
      id: 1,
      buyDateTime: '2026-01-05T10:00:00.000+09:00',
      buyCount: 4,
      buyPrice: 10_000,
      sellDateTime: '2026-01-05T10:00:00.000+09:00',
      sellPrice: 11_000,
      gainAmount: 4_000,
      gainRatio: 10,
      netGainAmount: 3_930,
      buying: false,
      takenOver: false,
      sellOrderId: null,
      targetPrice: null,
    },
  ])
})

test('a lot sold in part is a past trade, and lives on with fewer shares', () => {
  const part = sold(1, { id: 2, count: 1, buyAmount: 10_000, sellAmount: 11_000 })
  expect(touched([added(), bought(lot(1))], [part])).toMatchObject([
    { ...open, id: 1, buyCount: 3, gainAmount: 1_500 },
    { id: 2, buyCount: 1, sellPrice: 11_000, netGainAmount: 930 },
  ])
})

test('both parts of a lot that was split', () => {
  const split: Fact = { at: NOW, kind: 'lotSplit', code: CODE, lotId: 1, newLotId: 2, count: 1 }
  expect(touched([added(), bought(lot(1))], [split])).toMatchObject([
    { id: 1, buyCount: 3 },
    { id: 2, buyCount: 1 },
  ])
})

test('lots that a person held back', () => {
  const held: Fact = { at: NOW, kind: 'lotsHeldBack', code: CODE, lotIds: [2], heldBack: true }
  expect(touched([added(), bought(lot(1)), bought(lot(2))], [held])).toMatchObject([{ id: 2 }])
})

test('lots taken over that a person lets be sold', () => {
  const released: Fact = { at: NOW, kind: 'lotsReleased', code: CODE, lotIds: [2] }
  const taken = bought(lot(2, { takenOver: true }))
  expect(touched([added()], [taken])).toMatchObject([{ id: 2, takenOver: true }])
  expect(touched([added(), bought(lot(1)), taken], [released])).toMatchObject([{ id: 2, takenOver: false }])
})

const adjusted = (lots: readonly HeldLot[]): Fact => ({
  at: NOW,
  kind: 'stockAdjusted',
  code: CODE,
  move: { day: DAY, close: 10_000, base: 2_000 },
  settings,
  lots,
  expected: null,
})
test('every lot whose count and price follow a move of the base price', () => {
  const after = [lot(1, { count: 20, buyPrice: 2_000 }), lot(2, { count: 20, buyPrice: 2_000 })]
  expect(touched([added(), bought(lot(1)), bought(lot(2))], [adjusted(after)])).toMatchObject([
    { id: 1, buyCount: 20, buyPrice: 2_000, targetPrice: 2_200 },
    { id: 2, buyCount: 20, buyPrice: 2_000 },
  ])
})
test('lots that get back what new shares should have cost', () => {
  const given: Fact = {
    at: NOW,
    kind: 'expectedGivenUp',
    code: CODE,
    lots: [{ id: 1, buyPrice: 20_000, buyAmount: 80_000 }],
  }
  expect(touched([added(), bought(lot(1)), bought(lot(2))], [given])).toMatchObject([
    { id: 1, buyPrice: 20_000, targetPrice: 22_000 },
  ])
})
test('and with them all that are sold at one average', () => {
  const given: Fact = {
    at: NOW,
    kind: 'expectedGivenUp',
    code: CODE,
    lots: [{ id: 1, buyPrice: 20_000, buyAmount: 80_000 }],
  }
  const whole = added({ autoSellWithAvgPrice: true })
  expect(touched([whole, bought(lot(1)), bought(lot(2))], [given])).toMatchObject([{ id: 1 }, { id: 2 }])
})
test('where one of them was paid out in cash, the list is read anew', () => {
  const paidOut = sold(2, { sellPrice: null, sellAmount: null })
  expect(touched([added(), bought(lot(1)), bought(lot(2))], [paidOut, adjusted([lot(1)])])).toBeNull()
})

const held = [added(), bought(lot(1)), bought(lot(2))]
test.each<[string, Fact, number | null]>([
  ['orderAccepted', { at: NOW, kind: 'orderAccepted', orderId: 7, odno: '1', orgno: '1' }, 7],
  ['orderFound', { at: NOW, kind: 'orderFound', orderId: 7, odno: '1', orgno: '1' }, 7],
  ['orderLost', { at: NOW, kind: 'orderLost', orderId: 7, note: '' }, 7],
  ['cancelWanted', { at: NOW, kind: 'cancelWanted', orderId: 7 }, 7],
  ['cancelAsked', { at: NOW, kind: 'cancelAsked', orderId: 7 }, 7],
  ['cancelRefused', { at: NOW, kind: 'cancelRefused', orderId: 7, note: '' }, 7],
  ['orderFilled', { at: NOW, kind: 'orderFilled', orderId: 7, count: 1, amount: 11_000 }, 7],
  ['orderEnded', { at: NOW, kind: 'orderEnded', orderId: 7, end: 'cancelled', note: null }, null],
])('%s of a sell touches the lots it sells', (_kind, fact, sellOrderId) => {
  expect(touched([...held, intended(7, 'sell', [2])], [fact])).toMatchObject([{ id: 2, sellOrderId }])
})

test('a sell that begins names itself at its lots; a buy that begins has none yet', () => {
  expect(touched(held, [intended(7, 'sell', [1, 2])])).toMatchObject([
    { id: 1, sellOrderId: 7 },
    { id: 2, sellOrderId: 7 },
  ])
  expect(touched(held, [intended(7, 'buy', [3])])).toEqual([])
})

test('the end of a buy frees its lot', () => {
  const earlier = [added(), intended(7, 'buy', [1]), bought(lot(1, { buyOrderId: 7 }))]
  const ended: Fact = { at: NOW, kind: 'orderEnded', orderId: 7, end: 'filled', note: null }
  expect(touched(earlier.slice(0, 2), earlier.slice(2))).toMatchObject([{ id: 1, buying: true }])
  expect(touched(earlier, [ended])).toMatchObject([{ id: 1, buying: false }])
})

test('an order that ended as its day did still names its lots', () => {
  const ended: Fact = { at: NOW, kind: 'orderEnded', orderId: 7, end: 'expired', note: null }
  const next: Fact = { at: NOW, kind: 'dayOpened', day: '20260106' }
  expect(touched([...held, intended(7, 'sell', [2])], [ended, next])).toMatchObject([{ id: 2, sellOrderId: null }])
})

test('with one target for all, every lot when one was bought or sold, and not otherwise', () => {
  const average = [added({ autoSellWithAvgPrice: true }), bought(lot(1)), bought(lot(2))]
  const costly = lot(3, { buyPrice: 13_000, buyAmount: 52_000 })
  expect(touched(average, [bought(costly)])?.map(({ id, targetPrice }) => [id, targetPrice])).toEqual([
    [1, 12_100],
    [2, 12_100],
    [3, 12_100],
  ])
  expect(touched(average, [sold(1)])).toMatchObject([
    { id: 2, targetPrice: 11_000 },
    { id: 1, targetPrice: null },
  ])
  expect(touched(average, [intended(7, 'sell', [2])])).toMatchObject([{ id: 2 }])
})

test('after a correction without a known sale the list is read anew, also where a part of the lot is left', () => {
  const unknown = { sellPrice: null, sellAmount: null }
  expect(touched(held, [sold(1, unknown)])).toBeNull()
  expect(touched(held, [sold(1, { ...unknown, id: 3, count: 1, buyAmount: 10_000 })])).toBeNull()
})

test('more trades than an event carries are read anew', () => {
  const many = Array.from({ length: MAX_TRADES + 1 }, (_, index) => bought(lot(index + 1)))
  expect(touched([added()], many.slice(1))).toHaveLength(MAX_TRADES)
  expect(touched([added()], many)).toBeNull()
})

test('what changes no lot touches none', () => {
  expect(touched(held, [{ at: NOW, kind: 'stockChecked', code: CODE }])).toEqual([])
})
