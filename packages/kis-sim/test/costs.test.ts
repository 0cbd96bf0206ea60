import { costs, type Market } from '@digger/core'
import * as fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { costsOf, incomeTax } from '../src/ledger/costs.ts'
import { Decisions } from '../src/runtime/decisions.ts'
import { at, RawClient, stillSim, type Row } from './client.ts'

/** Fees, taxes and dividends, and that every call that shows money shows the same. */
const CODE = '005930'
const KOSDAQ_CODE = '086520'
const DOMESTIC_ETF = '069500'
const FOREIGN_ETF = '360750'
const ME = demoCredentials(0)
const NUMBER = ME.accountNumber
const LAWFUL = { taxTruncation: 'each', etfIncomeTax: 'withheld' } as const

let sim: Sim
afterEach(() => sim.close())

async function open(options: SimOptions = {}): Promise<RawClient> {
  sim = await stillSim({ accounts: [{ credentials: ME, cash: 10_000_000 }], ...options })
  return RawClient.login(sim)
}

/** Sells what was bought at an average, and what the four calls say it cost. */
async function sell(client: RawClient, code: string, count: number, average: number, price: number) {
  sim.setHolding(NUMBER, code, count, average)
  sim.setPrice(code, price, { aggressor: 'sell' })
  await client.order({ side: 'sell', code, count, price })
  const { deposit, settled } = sim.cash(NUMBER)
  const days = { INQR_STRT_DT: '20261120', INQR_END_DT: '20261120' }
  const balance = (await client.balance()).output2[0] ?? {}
  const [ofStock] = (await client.call('periodTradeProfit', { ...days, SORT_DVSN: '00', PDNO: code })).output1
  const [ofDay] = (await client.call('periodProfit', { ...days, SORT_DVSN: '00', PDNO: '' })).output1
  const total = (await client.executions(days)).output2[0]?.['prsm_tlex_smtl']
  expect(balance['prvs_rcdl_excc_amt']).toBe(String(settled))
  expect(settled - deposit).toBe(count * price - Number(total))
  expect(balance['thdt_tlex_amt']).toBe(total)
  expect(Number(ofStock?.['fee']) + Number(ofStock?.['tl_tax'])).toBe(Number(total))
  expect(ofDay).toMatchObject({ fee: ofStock?.['fee'], tl_tax: ofStock?.['tl_tax'] })
  expect(Number(ofStock?.['rlzt_pfls'])).toBe(count * (price - average) - Number(total))
  return `${ofStock?.['fee']} ${ofStock?.['tl_tax']}`
}

describe('what a sale costs', () => {
  test.each<[string, SimOptions['assumptions'], string, number, number, number, string]>([
    // 699,000: 349.5 transaction tax and 1,048.5 rural tax.
    ['KOSPI, each tax cut', { taxTruncation: 'each' }, CODE, 5, 130_000, 139_800, '104 1397'],
    ['KOSPI, their sum cut', { taxTruncation: 'together' }, CODE, 5, 130_000, 139_800, '104 1398'],
    ['KOSDAQ has one tax', { taxTruncation: 'each' }, KOSDAQ_CODE, 1, 100_000, 155_700, '23 311'],
    ['a domestic ETF none', LAWFUL, DOMESTIC_ETF, 10, 70_000, 75_000, '112 0'],
    // 5,555 won earned: 777.7 income tax and 77.77 local tax.
    ['a foreign ETF 14 % and 1.4 % of its gain', LAWFUL, FOREIGN_ETF, 11, 24_500, 25_005, '41 854'],
    ['the same, their sum cut', { etfIncomeTax: 'withheld' }, FOREIGN_ETF, 11, 24_500, 25_005, '41 855'],
    ['a foreign ETF nothing of its loss', LAWFUL, FOREIGN_ETF, 11, 25_500, 25_005, '41 0'],
    ['a foreign ETF nothing, by default', {}, FOREIGN_ETF, 11, 24_500, 25_005, '41 0'],
  ])('%s', async (_name, assumptions, code, count, average, price, expected) => {
    const client = await open({ assumptions: { ...assumptions } })
    expect(await sell(client, code, count, average, price)).toBe(expected)
  })

  test.each([
    [0, '0'],
    [0.0036396, '25'],
    [0.5, '3495'],
  ])('an account that pays %d percent pays %s won of 699,000', async (brokeragePercent, fee) => {
    const client = await open({ accounts: [{ credentials: ME, brokeragePercent }] })
    expect(await sell(client, CODE, 5, 130_000, 139_800)).toBe(`${fee} 1398`)
  })

  test('in parts as much as at once: cut once per order', async () => {
    const client = await open({ assumptions: LAWFUL })
    sim.setHolding(NUMBER, FOREIGN_ETF, 33, 24_500)
    await client.order({ side: 'sell', code: FOREIGN_ETF, count: 33, price: 25_010 })
    for (let n = 0; n < 33; n++) sim.setPrice(FOREIGN_ETF, 25_010, { count: 1 })
    const [order] = sim.orders(NUMBER)
    expect(order).toMatchObject({ filledCount: 33, tax: Math.floor(16_830 * 0.14) + Math.floor(16_830 * 0.014) })
  })
})

test('the two tables of costs, typed twice, agree on what both count', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000_000 }),
      fc.constantFrom<Market>('KOSPI', 'KOSDAQ', 'KONEX'),
      fc.constantFrom('stock' as const, 'etf' as const),
      fc.constantFrom('buy' as const, 'sell' as const),
      fc.constantFrom('20230601', '20240601', '20250601', '20260102', '20271231'),
      (amount, market, kind, side, day) => {
        const issue = { code: CODE, market, kind, nxt: true }
        const assumptions = { taxTruncation: 'together', etfIncomeTax: 'none' } as const
        expect(costsOf({ side, amount, soldCost: 0, issue, day, brokerage: null }, new Decisions(assumptions))).toEqual(
          costs({ side, amount, market, kind, day }),
        )
      },
    ),
  )
})

test('a tax that is cut in parts is at most a won below one that is not', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 1_000_000_000 }), (won) => {
      const [each, together] = [
        incomeTax(won, new Decisions(LAWFUL)),
        incomeTax(won, new Decisions({ ...LAWFUL, taxTruncation: 'together' })),
      ]
      expect(together - each).toBeGreaterThanOrEqual(0)
      expect(together - each).toBeLessThanOrEqual(1)
      expect(each).toBeGreaterThanOrEqual(0)
    }),
  )
})

const goTo = (time: string, day: string): Promise<void> => sim.clock.advance(at(time, day) - sim.clock.now())
const money = async (client: RawClient): Promise<Row> => {
  await client.renew()
  const { dnca_tot_amt, prvs_rcdl_excc_amt, tot_evlu_amt } = (await client.balance()).output2[0] ?? {}
  return { dnca_tot_amt: String(dnca_tot_amt), prvs: String(prvs_rcdl_excc_amt), total: String(tot_evlu_amt) }
}

describe('a dividend', () => {
  const dividend = { kind: 'dividend', code: CODE, exDay: '20261123', payDay: '20261127', won: 361 } as const
  const FRIDAY = '2026-11-20'
  const start = (time: string, day = FRIDAY) =>
    ({ hours: 'krx', clock: { mode: 'manual', start: at(time, day) } }) as const
  test('is in the deposit on its day, less tax, and can be spent', async () => {
    const client = await open({ ...start('10:00:00'), happenings: [dividend], assumptions: LAWFUL })
    sim.setHolding(NUMBER, CODE, 100, 158_600)
    await goTo('08:59:59', '2026-11-27')
    expect(await money(client)).toMatchObject({ dnca_tot_amt: '10000000' })
    await goTo('09:00:00', '2026-11-27')
    // 36,100 won, less 5,054 and 505.
    expect(await money(client)).toEqual({ dnca_tot_amt: '10030541', prvs: '10030541', total: '25890541' })
    const buyable = await client.call('buyable', { PDNO: CODE, ORD_DVSN: '00', ORD_UNPR: '158600' })
    expect(buyable.output[0]).toMatchObject({ ord_psbl_cash: '10030541' })
    expect((await client.call('accountBalance', {})).output2[0]).toMatchObject({ dncl_amt: '10030541' })
    expect(sim.trueEvents(NUMBER).at(-1)).toMatchObject({ kind: 'dividend', count: 100, won: 30_541, tax: 5_559 })
  })

  test('belongs to who held the shares when the ex-day began', async () => {
    const client = await open({ ...start('10:00:00'), happenings: [dividend] })
    sim.setHolding(NUMBER, CODE, 10, 158_600)
    sim.setHolding(NUMBER, KOSDAQ_CODE, 10, 155_800)
    await client.order({ side: 'sell', count: 4, division: '01' })
    await goTo('10:00:00', '2026-11-23')
    await client.renew()
    // Six are entitled, whatever is done with them now.
    await client.order({ side: 'sell', count: 6, division: '01' })
    await client.order({ side: 'buy', count: 1, division: '01' })
    await goTo('10:00:00', '2026-11-27')
    expect(sim.trueEvents(NUMBER).filter((fact) => fact.kind === 'dividend')).toMatchObject([{ count: 6 }])
  })

  test('that falls on a closed day is paid on the next open one, and nobody without shares is paid', async () => {
    await open({ ...start('10:00:00'), happenings: [{ ...dividend, payDay: '20261128' }] })
    await goTo('23:59:59', '2026-11-30')
    expect(sim.cash(NUMBER).deposit).toBe(10_000_000)
    sim.happen({ ...dividend, exDay: '20261201', payDay: '20261205' })
    sim.setHolding(NUMBER, CODE, 1, 158_600)
    await goTo('08:59:59', '2026-12-07')
    expect(sim.cash(NUMBER).deposit).toBe(10_000_000)
    await goTo('09:00:00', '2026-12-07')
    expect(sim.cash(NUMBER).deposit).toBe(10_000_000 + 361 - 55)
  })

  test('is paid once, over restarts, and also when the market was away on its day', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'kis-sim-'))
    const holdings = [{ code: CODE, count: 100, averagePrice: 158_600 }]
    const options = { stateDir, happenings: [dividend], accounts: [{ credentials: ME, cash: 0, holdings }] }
    await open({ ...start('10:00:00'), ...options })
    await sim.close()
    for (let n = 0; n < 2; n++) {
      await open({ ...start('10:00:00', '2026-11-30'), ...options })
      expect(sim.cash(NUMBER).deposit).toBe(36_100 - 5_559)
      await sim.close()
    }
    await open({ ...start('10:00:00', '2026-11-30'), ...options })
    rmSync(stateDir, { recursive: true })
  })

  test('is paid after its ex-day', async () => {
    await open()
    expect(() => sim.happen({ ...dividend, payDay: dividend.exDay })).toThrow('after its ex-day')
  })
})
