import { expect, test } from 'vitest'
import { CODE, Desk, heldLot } from '../../../test/desk.ts'
import { gate, type Proposal } from '../gate.ts'
import type { LimitChange } from './types.ts'

const OTHER = '000660'

const buy = (desk: Desk, over: Partial<Proposal> = {}): Proposal => ({
  stock: desk.stock,
  side: 'buy',
  origin: 'auto',
  type: 'limit',
  price: 70_000,
  reservedPrice: 70_000,
  count: 2,
  lotIds: [],
  ...over,
})
const sell = (desk: Desk, over: Partial<Proposal> = {}): Proposal =>
  buy(desk, { side: 'sell', origin: 'person', price: 70_000, reservedPrice: 0, lotIds: [1], ...over })

/** Lot 1 of two shares for 140,000 won here, one of 200,000 won in another stock. */
function open(limits: LimitChange): Desk {
  const desk = new Desk({ autoSell: false }).hold([1, 2, 70_000]).quote(70_000)
  const { settings, issue } = desk.stock
  desk.putFacts(
    { kind: 'stockAdded', code: OTHER, name: 'SK', issue: { ...issue, code: OTHER }, settings, at: 0 },
    { kind: 'lotBought', code: OTHER, lot: heldLot(2, 1, 200_000), at: 0 },
  )
  desk.limits = { ...desk.limits, defaults: limits }
  desk.unseen = undefined
  return desk
}

const at = (desk: Desk, price: number): void => void desk.quotes.set(OTHER, quoteOf(desk, price))
const quoteOf = (desk: Desk, price: number) => ({ price, at: desk.now, live: true, halted: false, band: null })
const market = { type: 'market', price: 0 } as const

type Case = [
  name: string,
  check: string | null,
  limits: LimitChange,
  set: (desk: Desk) => void,
  ask: (desk: Desk) => Proposal,
]
const nothing = (): void => {}

test.each<Case>([
  ['lots of both stocks and the buy: exactly the limit', null, { positionAmount: 480_000 }, nothing, buy],
  ['a won less', 'positionAmount', { positionAmount: 479_999 }, nothing, buy],
  ['a live buy of another stock counts', 'positionAmount', { positionAmount: 999_999 }, liveBuy, buy],
  ['and a won more is enough', null, { positionAmount: 1_000_000 }, liveBuy, buy],
  [
    'a person is bound, too',
    'positionAmount',
    { positionAmount: 479_999 },
    nothing,
    (desk) => buy(desk, { origin: 'person' }),
  ],
  ['sells are free', null, { positionAmount: 1 }, nothing, sell],

  ['loss of 9,999 won', null, { lossAmount: 10_000 }, (desk) => at(desk, 190_001), buy],
  ['of 10,000 won', 'lossAmount', { lossAmount: 10_000 }, (desk) => at(desk, 190_000), buy],
  ['the other way round it is a gain', null, { lossAmount: 10_000 }, (desk) => at(desk, 900_000), buy],
  ['without a price a lot counts at cost', null, { lossAmount: 1 }, nothing, buy],
  ['today’s sales count', 'lossAmount', { lossAmount: 1_000 }, (desk) => sold(desk, 199_000), buy],
  ['with their costs', null, { lossAmount: 1_501 }, (desk) => sold(desk, 199_000), buy],
  ['and a won less', 'lossAmount', { lossAmount: 1_500 }, (desk) => sold(desk, 199_000), buy],
  ['sells are free after a loss', null, { lossAmount: 1 }, (desk) => at(desk, 1_000), sell],

  ['a person’s sale, exactly the limit', null, { personOrderAmount: 140_000 }, nothing, sell],
  ['a won less', 'personOrderAmount', { personOrderAmount: 139_999 }, nothing, sell],
  [
    'an automatic sale is free',
    null,
    { personOrderAmount: 1 },
    nothing,
    (desk) => sell(desk, { origin: 'auto', price: 70_900 }),
  ],
  [
    'below the last trade it counts at the last trade',
    'personOrderAmount',
    { personOrderAmount: 139_999 },
    nothing,
    (desk) => sell(desk, { price: 60_000 }),
  ],
  [
    'at market, at the last trade',
    'personOrderAmount',
    { personOrderAmount: 139_999 },
    nothing,
    (desk) => sell(desk, market),
  ],
  ['at market, within', null, { personOrderAmount: 140_000 }, nothing, (desk) => sell(desk, market)],
  [
    'without any price, at cost',
    'personOrderAmount',
    { personOrderAmount: 139_999 },
    (desk) => desk.quotes.clear(),
    (desk) => sell(desk, market),
  ],
  [
    'a person’s buy at market, at the worst it may cost',
    'personOrderAmount',
    { personOrderAmount: 149_999 },
    nothing,
    (desk) => buy(desk, { ...market, origin: 'person', reservedPrice: 75_000 }),
  ],
  ['an automatic buy is free', null, { personOrderAmount: 1 }, nothing, buy],

  ['10 % below the last trade', null, { sellCollarPercent: 10 }, nothing, (desk) => sell(desk, { price: 63_000 })],
  ['a tick lower', 'sellCollar', { sellCollarPercent: 10 }, nothing, (desk) => sell(desk, { price: 62_900 })],
  ['far above it', null, { sellCollarPercent: 10 }, nothing, (desk) => sell(desk, { price: 90_000 })],
  ['at market there is no price', null, { sellCollarPercent: 10 }, nothing, (desk) => sell(desk, market)],
  ['no price known', null, { sellCollarPercent: 10 }, (desk) => desk.quotes.clear(), sell],
  [
    'an automatic sale has its target',
    null,
    { sellCollarPercent: 10 },
    (desk) => desk.quote(90_000),
    (desk) => sell(desk, { origin: 'auto', price: 70_900 }),
  ],
  [
    'nor above it is it a typing error',
    null,
    { sellCollarPercent: 10 },
    (desk) => desk.quote(90_000),
    (desk) => sell(desk, { origin: 'auto', price: 71_000 }),
  ],
  [
    'a person’s at just that target, too',
    null,
    { sellCollarPercent: 10 },
    (desk) => desk.quote(90_000),
    (desk) => sell(desk, { price: 70_900 }),
  ],
])('%s → %s', (_name, check, limits, set, ask) => {
  const desk = open(limits)
  set(desk)
  const gateResult = gate(desk.account, desk.ctx, ask(desk))
  expect(gateResult.ok ? null : gateResult.reason.code).toBe(check)
})

function liveBuy(desk: Desk): void {
  desk.putFacts({
    kind: 'orderIntended',
    at: desk.now,
    order: {
      id: 90,
      code: OTHER,
      side: 'buy',
      origin: 'auto',
      type: 'limit',
      price: 200_000,
      count: 3,
      venue: 'KRX',
      session: 'regular',
      lots: [],
      status: 'open',
      day: '20261116',
      odno: null,
      orgno: null,
      // One of three is booked as a lot already.
      filledCount: 1,
      filledAmount: 200_000,
      reservedPrice: 260_000,
      createdAt: 0,
      updatedAt: 0,
      why: '',
      note: null,
      absentFrom: null,
      cancelAsked: false,
      cancelWanted: false,
    },
  })
}

/** The other stock's lot of 200,000 won is sold; fee and tax are 500 won. */
function sold(desk: Desk, sellAmount: number): void {
  const trade = { id: 2, code: OTHER, count: 1, buyPrice: 200_000, buyAmount: 200_000, boughtAt: 0 }
  const sale = { sellPrice: sellAmount, sellAmount, soldAt: 0, day: '20261116', fee: 100, tax: 400 }
  desk.putFacts({ kind: 'lotSold', lotId: 2, trade: { ...trade, ...sale }, at: 0 })
}

test('a person’s sale in slices is measured by its largest order, before anything older is cancelled', () => {
  const desk = open({ personOrderAmount: 100_000 })
  desk.quote(70_000)
  const whole = desk.ask({ kind: 'sellAtPrice', code: CODE, price: 70_000, slices: 1 })
  expect(whole).toMatchObject({ ok: false, code: 'CONFLICT' })
  const inTwo = desk.ask({ kind: 'sellAtPrice', code: CODE, price: 70_000, slices: 2 })
  expect(inTwo).toMatchObject({ ok: true, orderIds: [1, 2] })
})

test('‘rest at target’ is measured lot by lot', () => {
  const desk = open({ personOrderAmount: 150_000 }).hold([3, 2, 70_000])
  expect(desk.ask({ kind: 'sellStock', code: CODE })).toMatchObject({ ok: true, orderIds: [1, 2] })
})

test('a person’s sale that is too large cancels nothing that rests', () => {
  const desk = new Desk().hold([1, 2, 70_000]).quote(70_000).timer().accept(1)
  expect(desk.live).toEqual(['1 sell 2 @ 70900 of 1 open'])
  desk.limits = { ...desk.limits, defaults: { personOrderAmount: 139_999 } }
  expect(desk.ask({ kind: 'sellAtPrice', code: CODE, price: 70_000, slices: 1 })).toMatchObject({ ok: false })
  expect([desk.cancels, desk.live]).toEqual([[], ['1 sell 2 @ 70900 of 1 open']])
})
