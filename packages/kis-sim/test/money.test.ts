import * as fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { at, RawClient, stillSim, type Row } from './client.ts'

const CODE = '005930'
const ME = demoCredentials(0)

let sim: Sim
afterEach(() => sim.close())

async function market(options: SimOptions = {}): Promise<RawClient> {
  sim = await stillSim(options)
  sim.setBase(CODE, 70_000)
  return RawClient.login(sim)
}

const summary = async (client: RawClient): Promise<Row> => (await client.balance()).output2[0] ?? {}

test('the worked example: 4 bought at 69,900 of 10,000,000 won, valued at 70,500', async () => {
  const account = { credentials: ME, cash: 10_000_000, brokeragePercent: 0.0140527 }
  const client = await market({ accounts: [account] })
  sim.setPrice(CODE, 69_900)
  await client.order({ count: 4, price: 69_900 })
  sim.setPrice(CODE, 70_500)
  const { output1, output2 } = await client.balance()
  expect(output1).toMatchObject([
    {
      pdno: CODE,
      prdt_name: '삼성전자',
      thdt_buyqty: '4',
      hldg_qty: '4',
      ord_psbl_qty: '4',
      pchs_avg_pric: '69900.0000',
      pchs_amt: '279600',
      prpr: '70500',
      evlu_amt: '282000',
      evlu_pfls_amt: '2400',
      evlu_pfls_rt: '0.86',
      evlu_erng_rt: '0.85836910',
      fltt_rt: '0.71428571',
      bfdy_cprs_icdc: '500',
    },
  ])
  expect(output2).toMatchObject([
    {
      dnca_tot_amt: '10000000',
      nxdy_excc_amt: '10000000',
      prvs_rcdl_excc_amt: '9720361',
      thdt_buy_amt: '279600',
      thdt_tlex_amt: '39',
      scts_evlu_amt: '282000',
      tot_evlu_amt: '10002361',
      evlu_pfls_smtl_amt: '2400',
    },
  ])
  expect((await client.executions()).output2[0]).toMatchObject({ prsm_tlex_smtl: '39' })
})

describe('settlement', () => {
  test('money moves two business days after the trade, over a weekend', async () => {
    // A Thursday: settlement is on Monday.
    const client = await market({ hours: 'krx', clock: { mode: 'manual', start: at('10:00:00', '2026-11-12') } })
    await client.order({ count: 10, price: 70_000 })
    const spent = 700_000 + 105
    expect(await summary(client)).toMatchObject({ dnca_tot_amt: '100000000', nxdy_excc_amt: '100000000' })
    await sim.clock.advance(86_400_000)
    // Friday: the next business day is the settlement day.
    await client.renew()
    const friday = {
      dnca_tot_amt: '100000000',
      nxdy_excc_amt: String(100_000_000 - spent),
      bfdy_buy_amt: '700000',
      thdt_buy_amt: '0',
    }
    expect(await summary(client)).toMatchObject(friday)
    await sim.clock.advance(3 * 86_400_000)
    await client.renew()
    expect(await summary(client)).toMatchObject({ dnca_tot_amt: String(100_000_000 - spent) })
  })

  test('sale proceeds buy again at once; a sold-out row stays until they settle', async () => {
    const client = await market({
      accounts: [{ credentials: ME, cash: 0, holdings: [{ code: CODE, count: 10, averagePrice: 60_000 }] }],
    })
    await client.order({ side: 'sell', count: 10, division: '01' })
    // 699,000 at the bid, less 0.015 % and 0.2 %.
    const free = 699_000 - 104 - 1_398
    expect(sim.cash(ME.accountNumber)).toEqual({ deposit: 0, settled: free, orderable: free })
    expect((await client.balance()).output1).toMatchObject([{ pdno: CODE, hldg_qty: '0' }])
    await sim.clock.advance(3 * 86_400_000)
    await client.renew()
    expect((await client.balance()).output1).toEqual([])
    expect((await client.balance()).msg_cd).toBe('KIOK0560')
  })
})

const buyable = async (client: RawClient, division: string, price = ''): Promise<Row> =>
  (await client.call('buyable', { PDNO: CODE, ORD_DVSN: division, ORD_UNPR: price })).output[0] ?? {}

describe('buying power', () => {
  test('a market order counts at the upper limit; a limit without a price counts nothing', async () => {
    const client = await market({ accounts: [{ credentials: ME, cash: 1_000_000 }] })
    expect(await buyable(client, '01')).toMatchObject({
      psbl_qty_calc_unpr: '91000',
      nrcvb_buy_qty: '10',
      ord_psbl_cash: '1000000',
    })
    expect(await buyable(client, '00')).toMatchObject({ nrcvb_buy_qty: '0' })
    expect(await buyable(client, '00', '70000')).toMatchObject({ nrcvb_buy_qty: '14' })
  })

  test('credit shows in max, never in the number without credit', async () => {
    const client = await market({ accounts: [{ credentials: ME, cash: 1_000_000, marginPercent: 20 }] })
    expect(await buyable(client, '00', '70000')).toMatchObject({
      nrcvb_buy_qty: '14',
      max_buy_qty: '71',
      max_buy_amt: '5000000',
    })
  })

  test('a waiting buy keeps its money back, a cancelled one gives it back', async () => {
    const client = await market({ accounts: [{ credentials: ME, cash: 1_000_000 }] })
    const { output } = await client.order({ count: 10, price: 69_000 })
    expect(await buyable(client, '01')).toMatchObject({ ord_psbl_cash: String(1_000_000 - 690_104) })
    await client.change(output[0]?.['ODNO'] ?? '')
    expect(await buyable(client, '01')).toMatchObject({ ord_psbl_cash: '1000000' })
  })

  test('shares in live sales are not sellable', async () => {
    const client = await market({
      accounts: [{ credentials: ME, holdings: [{ code: CODE, count: 10, averagePrice: 60_000 }] }],
    })
    await client.order({ side: 'sell', count: 4, price: 75_000 })
    expect((await client.call('sellable', { PDNO: CODE })).output[0]).toMatchObject({
      cblc_qty: '10',
      ord_psbl_qty: '6',
    })
    expect((await client.balance()).output1[0]).toMatchObject({ hldg_qty: '10', ord_psbl_qty: '6' })
    expect((await client.call('openOrders', { INQR_DVSN_1: '0', INQR_DVSN_2: '0' })).output).toMatchObject([
      { pdno: CODE, psbl_qty: '4' },
    ])
  })
})

test('realised gain per day and per stock, after costs', async () => {
  const client = await market()
  await client.order({ count: 10, price: 70_000 })
  sim.setPrice(CODE, 72_000, { aggressor: 'sell' })
  await client.order({ side: 'sell', count: 4, price: 72_000 })
  const days = {
    INQR_STRT_DT: '20261101',
    INQR_END_DT: '20261130',
    SORT_DVSN: '00',
    INQR_DVSN: '00',
    CBLC_DVSN: '00',
    PDNO: '',
  }
  // Bought 700,000 (fee 105); sold 288,000 that cost 280,000 (fee 43, tax 576).
  const daily = await client.call('periodProfit', days)
  const row = {
    trad_dt: '20261120',
    buy_amt: '700000',
    sll_amt: '288000',
    fee: '148',
    tl_tax: '576',
    rlzt_pfls: String(8_000 - 148 - 576),
  }
  expect(daily.output1).toMatchObject([row])
  expect(daily.output2[0]).toMatchObject({
    buy_qty_smtl: '10',
    tot_fee: '148',
    tot_tltx: '576',
    tot_rlzt_pfls: row.rlzt_pfls,
  })
  const perStock = await client.call('periodTradeProfit', days)
  expect(perStock.output1).toMatchObject([
    { pdno: '000000005930', sll_qty: '4', pchs_unpr: '70000', sll_pric: '72000' },
  ])
  expect(perStock.output2[0]).toHaveProperty('buyqty_smtl', '10')
})

test('no won and no share is ever lost or made, whatever is traded', async () => {
  const order = fc.record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    division: fc.constantFrom('00', '01', '03', '11'),
    count: fc.integer({ min: 1, max: 60 }),
    price: fc.integer({ min: 690, max: 710 }).map((n) => n * 100),
  })
  const step = fc.oneof(
    fc.record({ kind: fc.constant('order' as const), order }),
    fc.record({
      kind: fc.constant('price' as const),
      price: fc.integer({ min: 690, max: 710 }).map((n) => n * 100),
      count: fc.integer({ min: 1, max: 40 }),
    }),
    fc.record({ kind: fc.constant('cancel' as const), n: fc.nat(10) }),
  )
  sim = await stillSim()
  const client = await RawClient.login(sim)
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
    sim.setBase(CODE, 70_000)
    sim.setCash(ME.accountNumber, 10_000_000)
    sim.setHolding(ME.accountNumber, CODE, 50, 65_000)
    const before = sim.trueEvents(ME.accountNumber).length
    for (const s of steps) {
      if (s.kind === 'order') await client.order(s.order)
      else if (s.kind === 'price') sim.setPrice(CODE, s.price, { count: s.count, aggressor: 'sell' })
      else await client.change(sim.orders(ME.accountNumber)[s.n]?.odno ?? '0000000000')
    }
    let [cash, shares] = [10_000_000, 50]
    for (const fact of sim.trueEvents(ME.accountNumber).slice(before)) {
      if (fact.kind !== 'filled') continue
      const sign = fact.side === 'buy' ? -1 : 1
      cash += sign * fact.price * fact.count - fact.fee - fact.tax
      shares -= sign * fact.count
    }
    expect(sim.cash(ME.accountNumber).settled).toBe(cash)
    expect(cash).toBeGreaterThanOrEqual(0)
    expect(sim.holdings(ME.accountNumber).find((h) => h.code === CODE)?.count ?? 0).toBe(shares)
    const whole = sim.orders(ME.accountNumber).filter((o) => o.change === null)
    expect(whole.map((o) => o.filledCount + o.cancelledCount + o.rejectedCount + o.expiredCount + o.remaining)).toEqual(
      whole.map((o) => o.count),
    )
    for (const o of sim.liveOrders(ME.accountNumber)) await client.change(o.odno)
  })
  await fc.assert(property, { numRuns: 40 })
})
