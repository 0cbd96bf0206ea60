import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Happening, type Sim, type SimOptions } from '../src/index.ts'
import { at, RawClient, stillSim, type Row } from './client.ts'

/** The share becomes another one: base, limits, charts, holdings and what is announced beforehand. */
const CODE = '005930'
const ME = demoCredentials(0)
const NUMBER = ME.accountNumber
const FRIDAY = '2026-11-20'
const MONDAY = '2026-11-23'
/** 1:1 on Monday; the new shares come three weeks later. */
const BONUS = {
  kind: 'corporateAction',
  as: 'bonusIssue',
  code: CODE,
  exDay: '20261123',
  creditDay: '20261214',
  ratio: 2,
  paid: 0,
} as const
const SPLIT = { ...BONUS, as: 'split', ratio: 5, creditDay: BONUS.exDay } as const

let sim: Sim
afterEach(() => sim.close())

async function open(happening: Happening, options: SimOptions = {}): Promise<RawClient> {
  sim = await stillSim({
    hours: 'krx',
    clock: { mode: 'manual', start: at('10:00:00', FRIDAY) },
    accounts: [{ credentials: ME, cash: 10_000_000 }],
    happenings: [happening],
    ...options,
  })
  return RawClient.login(sim)
}

async function goTo(client: RawClient, time: string, day: string): Promise<void> {
  await sim.clock.advance(at(time, day) - sim.clock.now())
  await client.renew()
}

const holding = async (client: RawClient): Promise<Row> => {
  const [row] = (await client.balance()).output1
  return { count: String(row?.['hldg_qty']), average: String(row?.['pchs_avg_pric']), paid: String(row?.['pchs_amt']) }
}

async function priceOf(client: RawClient): Promise<Row> {
  const { stck_sdpr, stck_mxpr, stck_llam, stck_prpr } =
    (await client.call('price', { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: CODE })).output[0] ?? {}
  return {
    base: String(stck_sdpr),
    upper: String(stck_mxpr),
    lower: String(stck_llam),
    last: String(stck_prpr),
  }
}

describe('a bonus issue', () => {
  test('halves the base and the limits on its day, and the shares come weeks later', async () => {
    const client = await open(BONUS)
    sim.setHolding(NUMBER, CODE, 7, 140_000)
    sim.setPrice(CODE, 150_300)
    await goTo(client, '08:00:00', MONDAY)
    // 75,150 stands between two prices of the grid.
    expect(await priceOf(client)).toEqual({ base: '75200', upper: '97700', lower: '52700', last: '75200' })
    expect(await holding(client)).toMatchObject({ count: '7', paid: '980000' })
    // Nobody has another share to sell yet; what is sold meanwhile takes nothing of the right to the new ones.
    await goTo(client, '10:00:00', MONDAY)
    const reply = await client.order({ side: 'sell', count: 3, division: '01' })
    expect(reply.rt_cd).toBe('0')
    await goTo(client, '23:59:59', '2026-12-13')
    expect(await holding(client)).toMatchObject({ count: '4', paid: '560000' })
    await goTo(client, '08:00:00', '2026-12-14')
    expect(await holding(client)).toMatchObject({ count: '11', paid: '560000' })
    expect(sim.trueEvents(NUMBER).at(-1)).toMatchObject({ kind: 'credited', count: 7, cost: 0, won: 0 })
  })

  test('is taken at the new base: an order at the old price is outside the limits', async () => {
    const client = await open(BONUS)
    sim.setPrice(CODE, 150_000)
    await goTo(client, '09:30:00', MONDAY)
    const refused = await client.order({ count: 1, price: 150_000 })
    expect([refused.rt_cd, refused.msg1]).toEqual(['1', expect.stringContaining('하한가를 벗어난')])
    await client.order({ count: 1, price: 75_000 })
    expect(sim.liveOrders(NUMBER).length + sim.trueEvents(NUMBER).filter(({ kind }) => kind === 'filled').length).toBe(
      1,
    )
  })

  test('stands in the adjusted chart as if it had always been, and not in the traded one', async () => {
    const client = await open(BONUS)
    sim.setPrice(CODE, 150_000, { count: 10 })
    await goTo(client, '10:00:00', MONDAY)
    const close = async (FID_ORG_ADJ_PRC: string): Promise<unknown> => {
      const days = { FID_INPUT_DATE_1: '20261120', FID_INPUT_DATE_2: '20261120', FID_PERIOD_DIV_CODE: 'D' }
      const fields = { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: CODE, ...days, FID_ORG_ADJ_PRC }
      const [bar] = (await client.call('dayChart', fields)).output2
      return [bar?.['stck_clpr'], bar?.['acml_vol']]
    }
    expect([await close('0'), await close('1')]).toEqual([
      ['75000', '40'],
      ['150000', '20'],
    ])
  })
})

test.each<['down' | 'nearest' | 'up', string]>([
  ['down', '75100'],
  ['nearest', '75200'],
  ['up', '75200'],
])('a base between two prices goes %s', async (baseRounding, base) => {
  const client = await open(BONUS, { assumptions: { baseRounding } })
  sim.setPrice(CODE, 150_300)
  await goTo(client, '08:00:00', MONDAY)
  expect(await priceOf(client)).toMatchObject({ base })
})

test('a split is in the accounts on its own day, at the same cost', async () => {
  const client = await open(SPLIT)
  sim.setHolding(NUMBER, CODE, 7, 140_000)
  sim.setPrice(CODE, 150_000)
  await goTo(client, '08:00:00', MONDAY)
  expect(await priceOf(client)).toMatchObject({ base: '30000' })
  expect(await holding(client)).toEqual({ count: '35', average: '28000.0000', paid: '980000' })
})

test('of ten that become one, a part of a share is paid out at the base', async () => {
  const client = await open({ ...SPLIT, ratio: 0.1 })
  sim.setHolding(NUMBER, CODE, 25, 14_000)
  sim.setPrice(CODE, 150_000)
  await goTo(client, '08:00:00', MONDAY)
  expect(await holding(client)).toMatchObject({ count: '2', paid: '350000' })
  expect(sim.cash(NUMBER).deposit).toBe(10_000_000 + 750_000)
})

test('new shares for money: the base holds what comes in, and the holder pays', async () => {
  const rights = { ...BONUS, as: 'rightsIssue', ratio: 1.2, paid: 90_000 } as const
  const client = await open(rights)
  sim.setHolding(NUMBER, CODE, 10, 140_000)
  sim.setPrice(CODE, 150_000)
  await goTo(client, '08:00:00', MONDAY)
  // (150,000 + 0.2 × 90,000) ÷ 1.2
  expect(await priceOf(client)).toMatchObject({ base: '140000' })
  await goTo(client, '08:00:00', '2026-12-14')
  expect(await holding(client)).toMatchObject({ count: '12', paid: '1580000' })
  expect(sim.cash(NUMBER).deposit).toBe(10_000_000 - 180_000)
})

test('over a restart the shares come once, and the base of the day stays', async () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'kis-sim-'))
  const holdings = [{ code: CODE, count: 7, averagePrice: 140_000 }]
  const options: SimOptions = { stateDir, accounts: [{ credentials: ME, cash: 0, holdings }] }
  const client = await open(SPLIT, options)
  sim.setPrice(CODE, 150_000)
  await goTo(client, '10:00:00', MONDAY)
  await sim.close()
  const again = await open(SPLIT, { ...options, clock: { mode: 'manual', start: at('11:00:00', MONDAY) } })
  expect(await holding(again)).toMatchObject({ count: '35' })
  expect(await priceOf(again)).toMatchObject({ base: '30000' })
  rmSync(stateDir, { recursive: true })
})

describe('the depository announces', () => {
  const days = { CTS: '', F_DT: '20261101', T_DT: '20261231', SHT_CD: '' }
  test('a bonus issue with its ex-day, percent, and the day of the new shares', async () => {
    const client = await open(BONUS)
    const reply = await client.call('bonusIssues', days)
    expect([reply.cont, reply.output1]).toEqual([
      'E',
      [
        expect.objectContaining({
          record_date: '20261124',
          sht_cd: CODE,
          fix_rate: '100.00',
          right_dt: '20261123',
          list_date: '20261214',
        }),
      ],
    ])
    expect((await client.call('faceValueChanges', { ...days, MARKET_GB: '0' })).output1).toEqual([])
  })

  test('a split by its face values, padded with zeros, and days with slashes', async () => {
    const client = await open(SPLIT)
    expect((await client.call('faceValueChanges', { ...days, MARKET_GB: '0' })).output1).toEqual([
      {
        record_date: '20261124',
        sht_cd: CODE,
        isin_name: '삼성전자',
        inter_bf_face_amt: '000005000',
        inter_af_face_amt: '000001000',
        td_stop_dt: '2026/11/18 ~ 2026/11/22',
        list_dt: '2026/11/23',
      },
    ])
  })

  test('only what was asked for: a code, and record days', async () => {
    const client = await open(BONUS)
    const asked = async (more: Record<string, string>): Promise<number> =>
      (await client.call('bonusIssues', { ...days, ...more })).output1.length
    expect(await asked({ SHT_CD: CODE })).toBe(1)
    expect(await asked({ SHT_CD: '000660' })).toBe(0)
    expect(await asked({ T_DT: '20261123' })).toBe(0)
    expect(await asked({ F_DT: '20261124', T_DT: '20261124' })).toBe(1)
  })

  test('new shares for money and dividends in shares on lists of their own', async () => {
    const client = await open({ ...BONUS, as: 'rightsIssue', ratio: 1.2, paid: 90_000 })
    sim.happen({ ...BONUS, as: 'stockDividend', code: '000660', ratio: 1.05 })
    expect((await client.call('paidInCapital', { ...days, GB1: '2' })).output1).toMatchObject([
      { sht_cd: CODE, fix_rate: ' 20.00', fix_price: '   90000', list_date: '2026/12/14' },
    ])
    expect((await client.call('dividends', { ...days, GB1: '0', HIGH_GB: '' })).output1).toMatchObject([
      { sht_cd: '000660', stk_divi_rate: '  5.00', per_sto_divi_amt: '000000000000', stk_div_pay_dt: '2026/12/14' },
    ])
  })
})

test('shares are credited on the ex-day or later', async () => {
  await open(BONUS)
  expect(() => sim.happen({ ...BONUS, creditDay: '20261120' })).toThrow('on the ex-day or later')
})
