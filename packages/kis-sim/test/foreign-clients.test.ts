import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { RawClient, stillSim, type Row } from './client.ts'

const CODE = '005930'
const SAMSUNG = { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: CODE }
const ME = demoCredentials(0)

let sim: Sim
let client: RawClient
const begin = async (options: SimOptions = {}): Promise<void> => {
  sim = await stillSim(options)
  client = await RawClient.login(sim)
}
beforeEach(() => begin())
afterEach(() => sim.close())

const restart = async (options: SimOptions): Promise<void> => {
  await sim.close()
  await begin(options)
}

const Bars = z.array(z.object({ stck_bsop_date: z.string(), stck_hgpr: z.string(), stck_lwpr: z.string() }))

const dayBars = async (from: string, to: string, period = 'D') => {
  const fields = { FID_INPUT_DATE_1: from, FID_INPUT_DATE_2: to, FID_PERIOD_DIV_CODE: period, FID_ORG_ADJ_PRC: '0' }
  return Bars.parse((await client.call('dayChart', { ...SAMSUNG, ...fields })).output2)
}

/** Three trades, a minute apart. */
const trade = async (): Promise<void> => {
  for (const price of [158_500, 158_600, 158_700]) {
    sim.setPrice(CODE, price)
    await sim.clock.advance(60_000)
  }
}

/** Status of a quotation asked for at a path. */
const statusAt = async (path: string): Promise<number> => {
  const query = new URLSearchParams(SAMSUNG).toString()
  return (await fetch(`${sim.url}${path}?${query}`, { headers: { ...client.headers, tr_id: 'FHKST01010100' } })).status
}

/** Day and time of each row of today's minutes. */
const minutes = async (fields: Row): Promise<string[]> => {
  const { output2 } = await client.call('minuteChart', { ...SAMSUNG, FID_ETC_CLS_CODE: '', ...fields })
  return output2.map((row) => `${row['stck_bsop_date'] ?? ''} ${row['stck_cntg_hour'] ?? ''}`)
}

const quote = async (): Promise<Row> => (await client.call('price', SAMSUNG)).output[0] ?? {}

// python-kis refuses a quote whose dates are empty (pykis/api/stock/quote.py).
describe('highs and lows of inquire-price', () => {
  test.each([
    ['w52_hgpr', 'w52_lwpr', 'w52_hgpr_date', 'w52_lwpr_date', '20251121'],
    ['stck_dryy_hgpr', 'stck_dryy_lwpr', 'dryy_hgpr_date', 'dryy_lwpr_date', '20260101'],
  ])('%s and %s are those of the day bars', async (high, low, highDay, lowDay, from) => {
    const pages = [
      await dayBars(from, '20260331'),
      await dayBars('20260401', '20260731'),
      await dayBars('20260801', '20261231'),
    ]
    const bars = pages.flat()
    const highest = Math.max(...bars.map((bar) => Number(bar.stck_hgpr)))
    const lowest = Math.min(...bars.map((bar) => Number(bar.stck_lwpr)))
    const output = await quote()
    expect([Number(output[high]), Number(output[low])]).toEqual([highest, lowest])
    expect(
      bars.find((bar) => Number(bar.stck_hgpr) === highest && bar.stck_bsop_date === output[highDay]),
    ).toBeDefined()
    expect(bars.find((bar) => Number(bar.stck_lwpr) === lowest && bar.stck_bsop_date === output[lowDay])).toBeDefined()
  })

  test('a trade of today above all of them is the new high, with today’s date and its distance', async () => {
    const before = await quote()
    const price = Number(before['w52_hgpr']) + 1_000
    sim.setBase(CODE, price)
    sim.setPrice(CODE, price)
    sim.setPrice(CODE, price * 0.9)
    expect(await quote()).toMatchObject({
      w52_hgpr: String(price),
      w52_hgpr_date: '20261120',
      w52_hgpr_vrss_prpr_ctrt: '-10.00',
      d250_hgpr: String(price),
      d250_hgpr_date: '20261120',
      stck_dryy_hgpr: String(price),
      dryy_hgpr_date: '20261120',
    })
  })

  test('an unknown code has none', async () => {
    const { output } = await client.call('price', { ...SAMSUNG, FID_INPUT_ISCD: '999999' })
    expect(output[0]).toMatchObject({ w52_hgpr: '0', w52_hgpr_date: '' })
  })
})

describe('history goes back ten years', () => {
  test('a month of two years ago has its weekdays', async () => {
    expect(await dayBars('20240701', '20240731')).toHaveLength(23)
  })

  test('before them there is nothing', async () => {
    expect(await dayBars('20161121', '20161231')).not.toEqual([])
    expect(await dayBars('20130101', '20151231')).toEqual([])
  })

  test('years are joined', async () => {
    expect((await dayBars('19900101', '20261231', 'Y')).map((bar) => bar.stck_bsop_date.slice(0, 4))).toEqual(
      Array.from({ length: 11 }, (_, n) => String(2026 - n)),
    )
  })
})

// What python-kis asks when no country is given, and how it finds out that a code exists nowhere.
describe('shares of other countries', () => {
  const nobody = { CANO: ME.accountNumber.slice(0, 8), ACNT_PRDT_CD: ME.accountNumber.slice(8) }
  const ask = async (
    path: string,
    id: string,
    fields: Row = nobody,
  ): Promise<{ cont: string | null; body: unknown }> => {
    const query = new URLSearchParams(fields).toString()
    const reply = await fetch(`${sim.url}/uapi/${path}?${query}`, { headers: { ...client.headers, tr_id: id } })
    return { cont: reply.headers.get('tr_cont'), body: await reply.json() }
  }
  const pages = { ctx_area_fk200: ' '.repeat(200), ctx_area_nk200: ' '.repeat(200) }

  test.each<[string, string, object]>([
    [
      'inquire-present-balance',
      'CTRP6504R',
      {
        output1: [],
        output2: [{ crcy_cd: 'USD', frcr_dncl_amt_2: '0.000000', frst_bltn_exrt: '1384.60000000' }],
        output3: { tot_asst_amt: '0' },
      },
    ],
    ['inquire-balance', 'TTTS3012R', { ...pages, output1: [], output2: { tot_pftrt: '0.00' } }],
    ['inquire-nccs', 'TTTS3018R', { ...pages, output: [] }],
    ['inquire-ccnl', 'TTTS3035R', { ...pages, output: [] }],
    ['inquire-period-profit', 'TTTS3039R', { ...pages, output1: [], output2: { smtl_fee1: '0' } }],
  ])('%s is an empty last page', async (name, id, expected) => {
    const { cont, body } = await ask(`overseas-stock/v1/trading/${name}`, id)
    expect(body).toMatchObject({ rt_cd: '0', msg_cd: 'KIOK0560', ...expected })
    expect(cont).toBe('D')
  })

  test('every code is unknown: its price is an empty text', async () => {
    const fields = { AUTH: '', EXCD: 'NAS', SYMB: 'NVDA' }
    const { body } = await ask('overseas-price/v1/quotations/price', 'HHDFS00000300', fields)
    expect(body).toMatchObject({ rt_cd: '0', msg_cd: 'MCA00000', output: { last: '', base: '', ordy: '' } })
  })

  test('another account is refused there, too', async () => {
    const { body } = await ask('overseas-stock/v1/trading/inquire-nccs', 'TTTS3018R', { ...nobody, CANO: '99999999' })
    expect(body).toMatchObject({ rt_cd: '2', msg_cd: 'OPSQ2000' })
  })
})

describe('minutes of today', () => {
  const TRADED = ['20261120 100200', '20261120 100100', '20261120 100000']

  test('at or before midnight are the latest ones', async () => {
    await trade()
    expect(await minutes({ FID_INPUT_HOUR_1: '000000', FID_PW_DATA_INCU_YN: 'N' })).toEqual(TRADED)
  })

  test('or none, where the broker takes the hour by its word', async () => {
    await restart({ assumptions: { minutesAtMidnight: 'none' } })
    await trade()
    expect(await minutes({ FID_INPUT_HOUR_1: '000000', FID_PW_DATA_INCU_YN: 'N' })).toEqual([])
    expect(await minutes({ FID_INPUT_HOUR_1: '100100', FID_PW_DATA_INCU_YN: 'N' })).toEqual(TRADED.slice(1))
  })

  test('with past data the rest of the page is of the day before', async () => {
    await trade()
    const page = await minutes({ FID_INPUT_HOUR_1: '153000', FID_PW_DATA_INCU_YN: 'Y' })
    expect(page).toHaveLength(30)
    expect(page.slice(0, 4)).toEqual([...TRADED, '20261119 151900'])
    expect(page.at(-1)).toBe('20261119 145300')
    expect(await minutes({ FID_INPUT_HOUR_1: '100000', FID_PW_DATA_INCU_YN: 'N' })).toEqual(TRADED.slice(2))
  })

  test('of an earlier day with past data, too', async () => {
    const fields = { FID_INPUT_DATE_1: '20261119', FID_INPUT_HOUR_1: '090100', FID_PW_DATA_INCU_YN: 'Y' }
    const { output2 } = await client.call('minuteChartPast', { ...SAMSUNG, ...fields })
    expect(output2).toHaveLength(120)
    expect(output2.slice(0, 3).map((row) => [row['stck_bsop_date'], row['stck_cntg_hour']])).toEqual([
      ['20261119', '090100'],
      ['20261119', '090000'],
      ['20261118', '151900'],
    ])
  })
})

describe('a doubled slash in a path', () => {
  test.each([
    ['taken', 200],
    ['notFound', 404],
  ] as const)('is %s', async (doubledSlash, status) => {
    await restart({ assumptions: { doubledSlash } })
    expect(await statusAt('//uapi/domestic-stock/v1/quotations/inquire-price')).toBe(status)
    expect(await statusAt('/uapi/domestic-stock/v1/quotations/inquire-price')).toBe(200)
  })
})

describe('the balance by issue', () => {
  test('may be refused, as the broker announced; by loan date it is answered', async () => {
    const accounts = [{ credentials: ME, holdings: [{ code: CODE, count: 3, averagePrice: 150_000 }] }]
    await restart({ accounts, assumptions: { balanceByIssue: 'refused' } })
    expect(await client.balance({ INQR_DVSN: '02' })).toMatchObject({
      status: 200,
      rt_cd: '2',
      msg_cd: 'OPSQ2001',
      msg1: 'ERROR : INPUT INVALID_CHECK_INQR_DVSN'.padEnd(80),
    })
    expect((await client.balance({ INQR_DVSN: '01' })).output1).toMatchObject([{ pdno: CODE, hldg_qty: '3' }])
  })

  test('is answered otherwise', async () => {
    await restart({ assumptions: { balanceByIssue: 'answered' } })
    expect((await client.balance({ INQR_DVSN: '02' })).rt_cd).toBe('0')
  })
})
