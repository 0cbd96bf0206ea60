import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim } from '../src/index.ts'
import { RawClient, stillSim, type Row } from './client.ts'
import { OFFICIAL_COLUMNS } from './official-columns.ts'

const CODE = '005930'
const MARKET = { FID_COND_MRKT_DIV_CODE: 'J' }
const FIELDS: Readonly<Record<keyof typeof OFFICIAL_COLUMNS, Row>> = {
  price: { ...MARKET, FID_INPUT_ISCD: CODE },
  price2: { ...MARKET, FID_INPUT_ISCD: CODE },
  stockInfo: { PDNO: CODE, PRDT_TYPE_CD: '300' },
  productInfo: { PDNO: CODE, PRDT_TYPE_CD: '300' },
  margin: { CMA_EVLU_AMT_ICLD_YN: 'N', WCRC_FRCR_DVSN_CD: '02', FWEX_CTRT_FRCR_DVSN_CD: '02' },
}

let sim: Sim
let client: RawClient
beforeEach(async () => {
  sim = await stillSim({ accounts: [{ credentials: demoCredentials(0), cash: 1_000_000 }] })
  client = await RawClient.login(sim)
})
afterEach(() => sim.close())

/** What a typed client reads: an object whose every column is there, as text. */
test.each(['price', 'price2', 'stockInfo', 'productInfo', 'margin'] as const)(
  '%s has every official column',
  async (name) => {
    const { output } = await client.call(name, FIELDS[name])
    const columns = Object.keys(output[0] ?? {})
    expect(OFFICIAL_COLUMNS[name].filter((column) => !columns.includes(column))).toEqual([])
  },
)

test.each(['price', 'price2'] as const)('%s of an unknown code has them, too', async (name) => {
  const { output } = await client.call(name, { ...MARKET, FID_INPUT_ISCD: '999999' })
  expect(Object.keys(output[0] ?? {})).toEqual(expect.arrayContaining([...OFFICIAL_COLUMNS[name]]))
})

describe('what the exchange knows stands in them', () => {
  test('inquire-price-2 measures the price from open, high and low', async () => {
    sim.setBase(CODE, 100_000)
    for (const price of [102_000, 105_000, 98_000, 101_000]) sim.setPrice(CODE, price)
    expect((await client.call('price2', FIELDS.price2)).output[0]).toMatchObject({
      stck_prpr: '101000',
      oprc_vrss_prpr: '-1000',
      oprc_vrss_prpr_sign: '5',
      prdy_clpr_vrss_oprc_rate: '2.00',
      hgpr_vrss_prpr: '-4000',
      prdy_clpr_vrss_hgpr_rate: '5.00',
      lwpr_vrss_prpr: '3000',
      lwpr_vrss_prpr_sign: '2',
      prdy_clpr_vrss_lwpr_rate: '-2.00',
    })
  })

  test('before the first trade there is nothing to measure', async () => {
    expect((await client.call('price2', FIELDS.price2)).output[0]).toMatchObject({
      oprc_vrss_prpr: '0',
      prdy_clpr_vrss_lwpr_rate: '0.00',
      lwpr_vrss_prpr: '0',
    })
  })

  test('intgr-margin: what may be bought at most', async () => {
    expect((await client.call('margin', FIELDS.margin)).output[0]).toMatchObject({
      acmga_rt: '100',
      stck_cash_ord_psbl_amt: '1000000',
      stck_cash20_max_ord_psbl_amt: '1000000',
      stck_itgr_cash100_ord_psbl_amt: '1000000',
      usd_ord_psbl_amt: '0',
      ovrs_stck_itgr_mgna_dvsn_name: '',
    })
  })

  test('search-stock-info: shares listed, as inquire-price has them', async () => {
    const [info, quote] = [await client.call('stockInfo', FIELDS.stockInfo), await client.call('price', FIELDS.price)]
    expect(info.output[0]?.['lstg_stqt']).toBe(quote.output[0]?.['lstn_stcn'])
    expect(Number(info.output[0]?.['lstg_stqt'])).toBeGreaterThan(0)
  })
})
