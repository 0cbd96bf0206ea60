import { expect, test } from 'vitest'
import { CODE, Desk, ISSUE, heldLot } from '../../test/desk.ts'
import { buy, type Case, DOUBTFUL, LIVE_BUY, order, sell } from '../../test/doubtful.ts'
import { kstInstant } from '../krx/kst.ts'
import type { Fact } from './facts.ts'
import { gate, GATE } from './gate.ts'

/** A desk whose every order passes: lot 1 of two shares, a fresh price. */
const open = (settings = {}): Desk => new Desk({ autoSell: false, ...settings }).hold([1, 2, 70_000]).quote(70_000)

const nothing = (): void => {}
const noLimits = (desk: Desk) => desk.quote(70_000, { band: null })
const SUSPECTED: Fact = { kind: 'otherServerSuspected', signs: ['key'], text: '확인해 주세요.', at: 0 }
const PART = { status: 'cancelled', filledCount: 1, filledAmount: 70_000 } as const
const CASES: Case[] = [
  ...DOUBTFUL,
  ['a plain buy', null, nothing, buy],
  ['a plain sell', null, nothing, sell],
  ['no key', 'authorised', (desk) => desk.do({ kind: 'authorised', authorised: false }), buy],
  ['server halts: sell', 'stop', (desk) => (desk.serverStop = 'halt'), sell],
  ['server reduces: buy', 'stop', (desk) => (desk.serverStop = 'reduce'), buy],
  ['server reduces: sell', null, (desk) => (desk.serverStop = 'reduce'), sell],
  ['user halts', 'stop', (desk) => desk.putFacts({ kind: 'userStopped', stop: 'halt', at: 0 }), sell],
  ['user reduces', 'stop', (desk) => desk.putFacts({ kind: 'userStopped', stop: 'reduce', at: 0 }), buy],
  ['stock halts', 'stop', (desk) => desk.putFacts({ kind: 'stockStopped', code: CODE, stop: 'halt', at: 0 }), sell],
  [
    'halted, also for a person',
    'stop',
    (desk) => (desk.serverStop = 'halt'),
    (desk) => sell(desk, { origin: 'person' }),
  ],
  ['another server may trade it', 'otherServer', (desk) => desk.putFacts(SUSPECTED), sell],
  ['it may: a person', 'otherServer', (desk) => desk.putFacts(SUSPECTED), (desk) => sell(desk, { origin: 'person' })],
  ['no time: a person', 'timeKnown', (desk) => (desk.isTimeUnknown = true), (desk) => sell(desk, { origin: 'person' })],
  ['at night', 'session', (desk) => (desk.now = kstInstant('20261116', 210_000)), sell],
  ['a second before the close', null, (desk) => (desk.now = kstInstant('20261116', 152_959)), sell],
  ['at the close', 'session', (desk) => (desk.now = kstInstant('20261116', 153_000)), sell],
  ['halted issue', 'halted', (desk) => desk.quote(70_000, { halted: true }), sell],
  ['designated: buy', 'designated', (desk) => desk.quote(70_000, { statuses: ['warning'] }), buy],
  ['never a price: buy', 'fresh', (desk) => desk.quotes.clear(), buy],
  ['never a price: sell', null, (desk) => desk.quotes.clear(), sell],
  ['first price after a gap', 'fresh', (desk) => desk.quote(70_000, { live: false }), buy],
  ['price exactly as old as allowed', null, (desk) => desk.wait(5_000), buy],
  ['one ms older', 'fresh', (desk) => desk.wait(5_001), buy],
  ['a trade from the future', 'fresh', (desk) => desk.wait(-5_001), buy],
  ['old price: a person', null, (desk) => desk.wait(60_000), (desk) => buy(desk, { origin: 'person' })],
  ['not armed: buy', 'armed', (desk) => desk.do({ kind: 'linked' }), buy],
  ['not armed: automatic sell', 'armed', (desk) => desk.do({ kind: 'linked' }), sell],
  [
    'not armed: a person sells',
    null,
    (desk) => desk.do({ kind: 'linked' }),
    (desk) => sell(desk, { origin: 'person' }),
  ],
  ['in doubt: buy', 'reconciled', (desk) => desk.read([], [[5, 70_000]]), buy],
  ['in doubt, more at the broker: sell', null, (desk) => desk.read([], [[5, 70_000]]), sell],
  ['in doubt, fewer at the broker: sell', 'reconciled', (desk) => desk.read([], [[1, 70_000]]), sell],
  [
    'in doubt, fewer: a person',
    null,
    (desk) => desk.read([], [[1, 70_000]]),
    (desk) => sell(desk, { origin: 'person' }),
  ],
  ['mismatch: buy', 'reconciled', (desk) => block(desk, 'mismatch'), buy],
  [
    'mismatch: a person buys',
    'reconciled',
    (desk) => block(desk, 'mismatch'),
    (desk) => buy(desk, { origin: 'person' }),
  ],
  ['mismatch, surplus: sell', null, (desk) => block(desk, 'mismatch'), sell],
  ['mismatch, short: sell', 'reconciled', (desk) => block(desk, 'mismatch', true), sell],
  [
    'mismatch, short: a person',
    null,
    (desk) => block(desk, 'mismatch', true),
    (desk) => sell(desk, { origin: 'person' }),
  ],
  ['rejects: sell', 'reconciled', (desk) => block(desk, 'rejects'), sell],
  ['ambiguous: sell', 'reconciled', (desk) => block(desk, 'ambiguous'), sell],
  ['no whole share', 'size', nothing, (desk) => buy(desk, { count: 0 })],
  ['part of a share', 'size', nothing, (desk) => buy(desk, { count: 1.5 })],
  ['off the grid', 'grid', nothing, (desk) => buy(desk, { price: 69_950 })],
  ['price zero', 'grid', nothing, (desk) => sell(desk, { price: 0 })],
  ['at the upper limit', null, nothing, (desk) => sell(desk, { price: 91_000 })],
  ['a tick above it', 'band', nothing, (desk) => sell(desk, { price: 91_100 })],
  ['at the lower limit', null, nothing, (desk) => buy(desk, { price: 49_000 })],
  ['a tick below it', 'band', nothing, (desk) => buy(desk, { price: 48_950 })],
  ['no limits known: buy', 'limitsRead', noLimits, buy],
  ['no limits known: sell', null, noLimits, (desk) => sell(desk, { price: 99_900 })],
  ['market order in the session', null, nothing, (desk) => sell(desk, { origin: 'person', type: 'market', price: 0 })],
  [
    'market order after it',
    'marketType',
    afterMarket,
    (desk) => sell(desk, { origin: 'person', type: 'market', price: 0 }),
  ],
  ['at maxBuyPrice', null, nothing, (desk) => buy(desk, { price: 75_000 })],
  ['a tick above maxBuyPrice', 'maxBuyPrice', nothing, (desk) => buy(desk, { price: 75_100 })],
  ['a person above it', 'maxBuyPrice', nothing, (desk) => buy(desk, { price: 75_100, origin: 'person' })],
  ['no maxBuyPrice', null, nothing, (desk) => buy(desk, { price: 75_100 }), { maxBuyPrice: null, autoBuy: false }],
  ['exactly the cap: lot 140,000 + 140,000', null, nothing, buy, { maxBuyAmount: 280_000 }],
  ['a won less', 'maxBuyAmount', nothing, buy, { maxBuyAmount: 279_999 }],
  [
    'a live buy counts against the cap',
    'maxBuyAmount',
    (desk) => order(desk, LIVE_BUY),
    buy,
    { maxBuyAmount: 419_999 },
  ],
  ['and a won more is enough', 'oneBuy', (desk) => order(desk, LIVE_BUY), buy, { maxBuyAmount: 420_000 }],
  ['at the target', null, nothing, sell],
  ['a tick below it', 'target', nothing, (desk) => sell(desk, { price: 70_800 })],
  ['a tick below: a person', null, nothing, (desk) => sell(desk, { price: 70_800, origin: 'person' })],
  [
    'below the average target',
    'target',
    nothing,
    (desk) => sell(desk, { price: 70_800 }),
    { autoSellWithAvgPrice: true },
  ],
  ['below the lowest sell price', 'target', nothing, sell, { useMinSellPrice: true, minSellPrice: 71_000 }],
  ['exactly the order limit', null, (desk) => limit(desk, { orderAmount: 140_000 }), buy],
  ['a won less', 'orderAmount', (desk) => limit(desk, { orderAmount: 139_999 }), buy],
  ['order limit: sells are free', null, (desk) => limit(desk, { orderAmount: 1 }), sell],
  ['exactly the daily limit', null, (desk) => limit(desk, { dailyBuyAmount: 140_000 }), buy],
  ['a won less', 'dailyBuyAmount', (desk) => limit(desk, { dailyBuyAmount: 139_999 }), buy],
  [
    'live buys of the day count at their worst',
    'dailyBuyAmount',
    (desk) => (order(desk, { ...LIVE_BUY, code: '000660' }), limit(desk, { dailyBuyAmount: 279_999 })),
    buy,
  ],
  [
    'and a won more is enough',
    null,
    (desk) => (order(desk, { ...LIVE_BUY, code: '000660' }), limit(desk, { dailyBuyAmount: 280_000 })),
    buy,
  ],
  [
    'of ended buys only what was filled counts',
    null,
    (desk) => (order(desk, { ...LIVE_BUY, ...PART }), limit(desk, { dailyBuyAmount: 210_000 })),
    buy,
  ],
  [
    'and a won less is too little',
    'dailyBuyAmount',
    (desk) => (order(desk, { ...LIVE_BUY, ...PART }), limit(desk, { dailyBuyAmount: 209_999 })),
    buy,
  ],
  ['3 % from the last trade', null, (desk) => limit(desk.quote(67_962), { collarPercent: 3 }), buy],
  ['a won more', 'collar', (desk) => limit(desk.quote(67_961), { collarPercent: 3 }), buy],
  [
    'far off: a person',
    null,
    (desk) => limit(desk.quote(60_000), { collarPercent: 3 }),
    (desk) => buy(desk, { origin: 'person' }),
  ],
  ['the last free order of the minute', null, (desk) => (order(desk, {}), limit(desk, { ordersPerMinute: 2 })), buy],
  ['one more', 'ordersPerMinute', (desk) => (order(desk, {}), limit(desk, { ordersPerMinute: 1 })), buy],
  [
    'a minute later',
    null,
    (desk) => (order(desk, {}), limit(desk.wait(60_000).quote(70_000), { ordersPerMinute: 1 })),
    buy,
  ],
  ['an order without a verdict: buy', 'unknown', (desk) => order(desk, { status: 'unknown' }), buy],
  ['an order without a verdict: sell', 'unknown', (desk) => order(desk, { status: 'unknown', side: 'buy' }), sell],
  [
    'an order without a verdict: a person',
    'unknown',
    (desk) => order(desk, { status: 'unknown' }),
    (desk) => sell(desk, { origin: 'person' }),
  ],
  ['a buy is on its way', 'oneBuy', (desk) => order(desk, { side: 'buy', status: 'intended' }), buy],
  ['a buy is open', 'oneBuy', (desk) => order(desk, { side: 'buy' }), buy],
  ['a buy is being cancelled', 'oneBuy', (desk) => order(desk, { side: 'buy', status: 'cancelling' }), buy],
  ['a buy has ended', null, (desk) => order(desk, { side: 'buy', status: 'cancelled' }), buy],
  ['a buy of another stock', null, (desk) => order(desk, { side: 'buy', code: '000660' }), buy],
  ['the lot is in an order', 'oneOrderPerLot', (desk) => order(desk, { lots: [{ lotId: 1, count: 2 }] }), sell],
  ['another lot is', null, (desk) => order(desk, { lots: [{ lotId: 2, count: 2 }] }), sell],
  ['more than the lot has', 'booked', nothing, (desk) => sell(desk, { count: 3 })],
  ['less than the lot has', 'booked', nothing, (desk) => sell(desk, { count: 1 })],
  ['a lot that is not there', 'booked', nothing, (desk) => sell(desk, { lotIds: [1, 7] })],
  ['a lot that still grows', 'booked', (desk) => grow(desk), (desk) => sell(desk, { origin: 'person' })],
  ['nineteen orders unsent, and a sale', null, (desk) => unsent(desk, 19), sell],
  ['twenty, and a sale', 'queue', (desk) => unsent(desk, 20), sell],
  ['one unsent before an automatic buy on paper', null, (desk) => unsent(desk, 1), buy],
  ['two on paper', 'queue', (desk) => unsent(desk, 2), buy],
  ['five on the real host', null, (desk) => ((desk.env = 'real'), unsent(desk, 5)), buy],
  ['six on the real host', 'queue', (desk) => ((desk.env = 'real'), unsent(desk, 6)), buy],
]

function block(desk: Desk, code: 'mismatch' | 'rejects' | 'ambiguous', short = false): void {
  desk.putFacts({
    kind: 'stockBlocked',
    code: CODE,
    blocked: { code, short, text: '확인이 필요해 멈췄습니다.', at: 0 },
    at: 0,
  })
}

const limit = (desk: Desk, limits: object): void => void (desk.limits = { ...desk.limits, ...limits })

function afterMarket(desk: Desk): void {
  desk.choose({ afterMarket: true }).env = 'real'
  desk.now = kstInstant('20261116', 170_000)
}

const grow = (desk: Desk): void =>
  void desk.putFacts({ kind: 'lotBought', code: CODE, lot: { ...heldLot(1, 2, 70_000), buyOrderId: 5 }, at: 0 })

function unsent(desk: Desk, count: number): void {
  for (let id = 100; id < 100 + count; id++) order(desk, { id, code: '000660', status: 'intended', createdAt: 0 })
}

test.each(CASES)('%s → %s', (_name, check, set, propose, settings) => {
  const desk = open(settings)
  set(desk)
  const gateResult = gate(desk.account, desk.ctx, propose(desk))
  expect(gateResult.ok ? null : gateResult.reason.code).toBe(check)
  expect(gateResult.ok || gateResult.reason.text.length > 5).toBe(true)
})

test('every check of the gate refuses in some case above', () => {
  // These have tests of their own (corporate-action.test.ts, held-buys.test.ts, refusals.test.ts, shadow.test.ts, limits/refuse.test.ts).
  const own = 'shadow frozen pause refusedNow heldBack personOrderAmount sellCollar lossAmount positionAmount'
  const refused = new Set<string | null>([...CASES.map(([, check]) => check), ...own.split(' ')])
  expect(GATE.map((check) => check.name).filter((name) => !refused.has(name))).toEqual([])
})

test('an ETF has its own grid', () => {
  const desk = open()
  desk.putFacts({ kind: 'issueChanged', code: CODE, name: 'KODEX', issue: { ...ISSUE, kind: 'etf' }, at: 0 })
  expect(gate(desk.account, desk.ctx, buy(desk, { price: 69_995 })).ok).toBe(true)
})
