import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { at, RawClient, stillSim, type Row } from './client.ts'

const STOCK = '005930'
const KOSDAQ = '247540'
const ETF = '069500'
const CODES = [STOCK, KOSDAQ, ETF] as const
const BASE = { [STOCK]: 70_000, [KOSDAQ]: 198_000, [ETF]: 75_000 }
const ME = demoCredentials(0)
const DAY = 86_400_000
const CASH = 20_000_000

let sim: Sim
let client: RawClient
const open = async (options: SimOptions = {}): Promise<void> => {
  sim = await stillSim({ accounts: [{ credentials: ME, cash: CASH }], ...options })
  for (const code of CODES) sim.setBase(code, BASE[code])
  client = await RawClient.login(sim)
}
beforeEach(() => open())
afterEach(() => sim.close())

const text = (row: Row | undefined, name: string): number => Number(row?.[name])
const summary = async (): Promise<Row> => (await client.balance()).output2[0] ?? {}
const orderableCash = async (): Promise<number> =>
  text((await client.call('margin')).output[0], 'stck_cash_ord_psbl_amt')

/** Brokerage 0.015 %, tax 0.2 % of stock sales of 2026, both cut to a won per order; an ETF is sold without tax. */
const costsOf = (code: string, side: string, amount: number): number =>
  Math.floor((amount * 15) / 100_000) + (side === 'sell' && code !== ETF ? Math.floor((amount * 2) / 1_000) : 0)

describe('what a trade costs', () => {
  test.each<[string, 'buy' | 'sell', number, number, number]>([
    [STOCK, 'buy', 10, 70_000, 105],
    [STOCK, 'buy', 1, 70_000, 10],
    [STOCK, 'sell', 10, 69_900, 104 + 1_398],
    [KOSDAQ, 'sell', 1, 197_900, 29 + 395],
    [ETF, 'buy', 3, 75_000, 33],
    [ETF, 'sell', 3, 74_995, 33],
  ])('%s %s %i at %i: %i won', async (code, side, count, price, expected) => {
    sim.setHolding(ME.accountNumber, code, 100, 1_000)
    await client.order({ code, side, count, price })
    const { prvs_rcdl_excc_amt: cash = '', thdt_tlex_amt: costs = '' } = await summary()
    expect(Number(costs)).toBe(expected)
    expect(Number(cash)).toBe(CASH + (side === 'buy' ? -1 : 1) * count * price - expected)
  })

  test('many fills of one order cost no more than one', async () => {
    await client.order({ count: 30, price: 69_900 })
    for (let n = 0; n < 30; n++) sim.setPrice(STOCK, 69_900, { count: 1, aggressor: 'sell' })
    expect(text(await summary(), 'thdt_tlex_amt')).toBe(costsOf(STOCK, 'buy', 30 * 69_900))
  })
})

const days = async (): Promise<number[]> => {
  const row = await summary()
  return ['dnca_tot_amt', 'nxdy_excc_amt', 'prvs_rcdl_excc_amt'].map((name) => text(row, name))
}
const nextDay = async (n = 1): Promise<void> => {
  await sim.clock.advance(n * DAY)
  await client.renew()
}

describe('settlement', () => {
  test.each<[string, string, string[], number]>([
    ['Monday’s on Wednesday', '2026-11-16', [], 2],
    ['Thursday’s on Monday', '2026-11-19', [], 4],
    ['Friday’s on Tuesday', '2026-11-20', [], 4],
    ['over a closed Monday on Wednesday', '2026-11-20', ['20261123'], 5],
    ['before Christmas over the weekend', '2026-12-24', ['20261225'], 5],
    ['at the end of the year, with two closed days', '2026-12-30', ['20261231', '20270101'], 6],
  ])('%s', async (_name, day, closed, due) => {
    await sim.close()
    const clock = { mode: 'manual', start: at('10:00:00', day) } as const
    await open({ hours: 'krx', clock, calendar: { closed } })
    await client.order({ count: 10, price: 70_000 })
    const after = CASH - 700_105
    for (let n = 0; n < due; n++) {
      expect((await days())[0]).toBe(CASH)
      expect((await days())[2]).toBe(after)
      await nextDay()
    }
    expect(await days()).toEqual([after, after, after])
  })

  test('the proceeds of a sale can be spent at once, and count as deposit two days later', async () => {
    await sim.close()
    const holdings = [{ code: STOCK, count: 10, averagePrice: 60_000 }]
    await open({ hours: 'krx', accounts: [{ credentials: ME, cash: 0, holdings }] })
    expect((await client.order({ count: 1, price: 70_000 })).msg_cd).toBe('APBK0952')
    await client.order({ side: 'sell', count: 10, price: 69_900 })
    const proceeds = 699_000 - 104 - 1_398
    expect([await orderableCash(), await days()]).toEqual([proceeds, [0, 0, proceeds]])
    expect((await client.order({ code: ETF, count: 9, price: 75_000 })).rt_cd).toBe('0')
    expect((await client.order({ code: ETF, count: 1, price: 75_000 })).msg_cd).toBe('APBK0952')
    await nextDay(4)
    const rest = proceeds - 675_000 - 101
    expect(await days()).toEqual([rest, rest, rest])
  })
})

const orderOf = fc.record({
  kind: fc.constant('order' as const),
  code: fc.constantFrom(...CODES),
  side: fc.constantFrom('buy' as const, 'buy' as const, 'sell' as const),
  division: fc.constantFrom('00', '00', '01', '03', '04', '11', '12', '13', '16', '21', '23'),
  count: fc.integer({ min: 1, max: 90 }),
  ticks: fc.integer({ min: -8, max: 8 }),
  venue: fc.constantFrom('KRX', 'KRX', 'NXT', 'SOR'),
})
const change = fc.record({
  kind: fc.constant('change' as const),
  n: fc.nat(30),
  ticks: fc.option(fc.integer({ min: -8, max: 8 }), { nil: null }),
  count: fc.option(fc.integer({ min: 1, max: 40 }), { nil: null }),
})
const move = fc.record({
  kind: fc.constant('move' as const),
  code: fc.constantFrom(...CODES),
  ticks: fc.integer({ min: -10, max: 10 }),
  count: fc.integer({ min: 1, max: 60 }),
  aggressor: fc.constantFrom('buy' as const, 'sell' as const),
})
const pass = fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(500, 5_000, DAY) })
const steps = fc.array(fc.oneof({ weight: 5, arbitrary: orderOf }, change, move, pass), { minLength: 5, maxLength: 25 })
type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never

/** ETFs move by 5 won from 2,000 on, these stocks by 100. */
const priceAt = (code: string, ticks: number): number => {
  const base = code === STOCK ? BASE[STOCK] : code === ETF ? BASE[ETF] : BASE[KOSDAQ]
  return base + ticks * (code === ETF ? 5 : 100)
}

async function perform(step: Step): Promise<void> {
  if (step.kind === 'order') {
    const { code, side, division, count, ticks, venue } = step
    const priced = ['00', '11', '12'].includes(division)
    await client.order({ code, side, division, count, price: priced ? priceAt(code, ticks) : 0, venue })
  }
  if (step.kind === 'change') {
    const order = sim.orders(ME.accountNumber).at(-1 - step.n)
    const price = step.ticks === null || !order ? {} : { price: priceAt(order.code, step.ticks) }
    const count = step.count === null ? {} : { count: step.count }
    if (order) await client.change(order.odno, { ...price, ...count, venue: order.venue })
  }
  if (step.kind === 'move') {
    const { code, ticks, count, aggressor } = step
    sim.setPrice(code, priceAt(code, ticks), { count, aggressor })
  }
  if (step.kind === 'pass') {
    await sim.clock.advance(step.ms)
    // A day gives new base prices; the tests go on around their own.
    if (step.ms === DAY) for (const code of CODES) sim.setBase(code, BASE[code])
  }
}

/** The books of an outsider, from the list of orders alone: cash and shares after everything has settled. */
async function outsidersBooks(): Promise<{ cash: number; shares: Map<string, number> }> {
  let cash = CASH
  const shares = new Map<string, number>()
  const fields = { INQR_STRT_DT: '20260901', INQR_END_DT: '20271231' }
  let reply = await client.executions(fields)
  for (;;) {
    for (const row of reply.output1) {
      const [count, amount] = [text(row, 'tot_ccld_qty'), text(row, 'tot_ccld_amt')]
      const code = row['pdno'] ?? ''
      const side = row['sll_buy_dvsn_cd'] === '01' ? 'sell' : 'buy'
      cash += (side === 'buy' ? -amount : amount) - costsOf(code, side, amount)
      shares.set(code, (shares.get(code) ?? 0) + (side === 'buy' ? count : -count))
    }
    if (reply.cont !== 'F' && reply.cont !== 'M') return { cash, shares }
    reply = await client.executions({ ...fields, CTX_AREA_NK100: String(reply['ctx_area_nk100']) }, { tr_cont: 'N' })
  }
}

async function expectSoundBooks(): Promise<void> {
  const { cash, shares } = await outsidersBooks()
  const { output1, output2 } = await client.balance()
  expect(text(output2[0], 'prvs_rcdl_excc_amt')).toBe(cash)
  expect(cash).toBeGreaterThanOrEqual(0)
  for (const [code, count] of shares) {
    const row = output1.find(({ pdno }) => pdno === code)
    expect(text(row ?? { hldg_qty: '0' }, 'hldg_qty')).toBe(count)
  }
  let reserved = 0
  for (const row of (await client.call('openOrders', { INQR_DVSN_1: '0', INQR_DVSN_2: '2' })).output) {
    if (row['ord_dvsn_cd'] === '00') reserved += text(row, 'psbl_qty') * text(row, 'ord_unpr') * 1.00015
  }
  // Cash that could still be spent, and what waiting limits already need, never exceed the cash there is.
  expect((await orderableCash()) + Math.floor(reserved)).toBeLessThanOrEqual(cash)
  for (const row of output1) {
    expect(text(row, 'ord_psbl_qty')).toBeGreaterThanOrEqual(0)
    expect(text(row, 'ord_psbl_qty')).toBeLessThanOrEqual(text(row, 'hldg_qty'))
  }
  for (const row of (await client.executions()).output1) {
    if (row['orgn_odno'] !== '0000000000') continue
    const parts = ['tot_ccld_qty', 'rmn_qty', 'cncl_cfrm_qty', 'rjct_qty'].map((name) => text(row, name))
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(text(row, 'ord_qty'))
    expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)
  }
}

const needs = (price: number): number => Math.ceil(100 * price * 1.00015)

describe('a modification that costs more', () => {
  const full = { count: 100, price: 69_000 }
  test('is refused when the brokerage of the dearer price is not there', async () => {
    sim.setCash(ME.accountNumber, needs(69_000) + 100 * 1_000)
    const { output } = await client.order(full)
    expect(await client.change(output[0]?.['ODNO'] ?? '', { price: 70_000 })).toMatchObject({ msg_cd: 'APBK0952' })
    // The two parts of the reserve are each rounded up to a won.
    sim.setCash(ME.accountNumber, needs(70_000) + 1)
    expect((await client.change(output[0]?.['ODNO'] ?? '', { price: 70_000 })).rt_cd).toBe('0')
    expect(await orderableCash()).toBeLessThanOrEqual(2)
  })

  test('holds its money while it is on its way, and gives it back when it comes too late', async () => {
    await sim.close()
    await open({ latency: { exchange: [1_000, 1_000] } })
    const spare = 300_000
    sim.setCash(ME.accountNumber, needs(69_000) + spare)
    const { output } = await client.order(full)
    await sim.clock.advance(1_000)
    expect((await client.change(output[0]?.['ODNO'] ?? '', { price: 69_200 })).rt_cd).toBe('0')
    expect(await orderableCash()).toBe(needs(69_000) + spare - needs(69_200))
    sim.setPrice(STOCK, 69_000, { aggressor: 'sell' })
    await sim.clock.advance(1_000)
    expect(sim.liveOrders(ME.accountNumber)).toEqual([])
    expect(await orderableCash()).toBe(needs(69_000) + spare - 6_900_000 - 1_035)
  })
})

describe('over any sequence of orders, changes, prices and days', () => {
  test.each<[string, SimOptions]>([
    ['when everything happens at once', {}],
    ['when orders take their time to the exchange', { latency: { exchange: [400, 4_000] } }],
  ])('no won and no share is made or lost, and nothing goes below zero: %s', async (_name, options) => {
    const property = fc.asyncProperty(steps, async (sequence) => {
      await sim.close()
      await open(options)
      for (const [n, step] of sequence.entries()) {
        await perform(step)
        if (step.kind === 'pass') await client.renew()
        if (n % 4 === 3) await expectSoundBooks()
      }
      await expectSoundBooks()
    })
    await expect(fc.assert(property, { numRuns: 12 })).resolves.toBeUndefined()
  })

  test('what psbl-order says can be bought is taken, and one share more is not', async () => {
    const prices = fc.record({
      cash: fc.integer({ min: 70_000, max: 50_000_000 }),
      ticks: fc.integer({ min: -9, max: 9 }),
    })
    const property = fc.asyncProperty(prices, async ({ cash, ticks }) => {
      sim.setCash(ME.accountNumber, cash)
      const price = priceAt(STOCK, -10 + ticks)
      const fields = { PDNO: STOCK, ORD_DVSN: '00', ORD_UNPR: String(price) }
      const count = text((await client.call('buyable', fields)).output[0], 'nrcvb_buy_qty')
      expect((await client.order({ count: count + 1, price })).msg_cd).toBe('APBK0952')
      if (count === 0) return
      const { output, rt_cd } = await client.order({ count, price })
      expect(rt_cd).toBe('0')
      await client.change(output[0]?.['ODNO'] ?? '')
    })
    await fc.assert(property, { numRuns: 40 })
  })
})
