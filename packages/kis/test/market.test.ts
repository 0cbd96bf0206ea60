import { describe, expect, test } from 'vitest'
import { NotOfferedError, ProtocolError } from '../src/index.ts'
import { NOW, asking, bad, clientOf, ok, startBroker } from './broker.ts'
import type { Reply } from './broker.ts'

const PRICE = {
  stck_prpr: '70500',
  stck_sdpr: '70000',
  stck_oprc: '70100',
  stck_hgpr: '70800',
  stck_lwpr: '69900',
  stck_mxpr: '91000',
  stck_llam: '49000',
  acml_vol: '11540',
  aspr_unit: '100',
  iscd_stat_cls_code: '55',
  temp_stop_yn: 'N',
  rprs_mrkt_kor_name: 'KOSPI200',
}
test('order book: ten levels, empty ones left out', async () => {
  const output1 = { askp1: '70500', askp_rsqn1: '12', askp2: '0', askp_rsqn2: '0', bidp1: '70400', bidp_rsqn1: '7' }
  const { value } = await asking(
    () => ({ body: ok({ output1, output2: {} }) }),
    (rest) => rest.orderBook('005930'),
  )
  expect(value).toEqual({ asks: [{ price: 70_500, count: 12 }], bids: [{ price: 70_400, count: 7 }] })
})

test.each<[string, Record<string, unknown>]>([
  ['a price that is no number', { askp1: '70,500', askp_rsqn1: '12' }],
  ['half a share', { bidp1: '70400', bidp_rsqn1: '0.5' }],
  ['a list instead of a price', { askp10: ['1'] }],
])('order book with %s: a protocol error, like every other reply that cannot be read', async (_name, output1) => {
  const { error } = await asking(
    () => ({ body: ok({ output1 }) }),
    (rest) => rest.orderBook('005930'),
  )
  expect(error).toBeInstanceOf(ProtocolError)
})

test('buyable: cash alone, asked as a market order without a price', async () => {
  const output = { ord_psbl_cash: '1000000', nrcvb_buy_amt: '990000', nrcvb_buy_qty: '10', max_buy_qty: '25' }
  const { value, seen } = await asking(
    () => ({ body: ok({ output }) }),
    (rest) => rest.buyable('005930'),
  )
  expect(value).toEqual({ count: 10, price: 0, amount: 990_000, cash: 1_000_000, leftAt: NOW })
  expect(seen[0]?.query).toMatchObject({ ORD_DVSN: '01', ORD_UNPR: '', PDNO: '005930' })
})

test.each(['output', 'output1'])('sellable, whether in %s', async (key) => {
  const { value } = await asking(
    () => ({ body: ok({ [key]: { ord_psbl_qty: '4' } }) }),
    (rest) => rest.sellable('005930'),
  )
  expect(value).toBe(4)
})

const bar = (day: string, close: number, more = {}) => ({
  stck_bsop_date: day,
  stck_clpr: String(close),
  stck_oprc: '1',
  stck_hgpr: '2',
  stck_lwpr: '1',
  acml_vol: '9',
  mod_yn: 'N',
  ...more,
})
const chart = (rows: object[]): Reply => ({
  body: ok({ output1: { hts_kor_isnm: '삼성전자', stck_prpr: '70500' }, output2: rows }),
})

const minute = (day: string, time: string) => ({
  stck_bsop_date: day,
  stck_cntg_hour: time,
  stck_prpr: '5',
  cntg_vol: '1',
})

describe('charts', () => {
  test('days come oldest first, over as many windows as it takes, without empty and made-up rows', async () => {
    const windows: Record<string, object[]> = {
      '20261116': [bar('20261116', 3, { acml_vol: '0', mod_yn: 'Y' }), bar('20261113', 2), {}],
      '20261112': [bar('20261112', 1), bar('20261001', 9)],
    }
    const { value, seen } = await asking(
      (call) => chart(windows[call.query['FID_INPUT_DATE_2'] ?? ''] ?? []),
      (rest) => rest.dayCandles('005930', '20261110', '20261116'),
    )
    expect(value?.map(({ day, close }) => [day, close])).toEqual([
      ['20261112', 1],
      ['20261113', 2],
    ])
    expect(seen[0]?.query['FID_ORG_ADJ_PRC']).toBe('0')
    expect(seen.map((call) => call.query['FID_INPUT_DATE_2'])).toEqual(['20261116', '20261112', '20261111'])
  })

  test.each(['20261115x', '20261131', '2026111'])('a bar of the day "%s" is a protocol error', async (day) => {
    const { error } = await asking(
      () => chart([bar(day, 2)]),
      (rest) => rest.dayCandles('005930', '20261110', '20261139'),
    )
    expect(error).toBeInstanceOf(ProtocolError)
  })

  test('minutes: today only, none ahead of now, none unfinished', async () => {
    const rows = [
      minute('20261116', '100100'),
      minute('20261116', '100000'),
      minute('20261116', '095900'),
      minute('20261116', '095800'),
      minute('20261113', '095700'),
    ]
    const { value } = await asking(
      () => ({ body: ok({ output2: rows }) }),
      (rest) => rest.minuteCandles('005930', '100000'),
    )
    expect(value?.map(({ time }) => time)).toEqual(['095800', '095900'])
  })
})

const someMinutes = (count: number, day = '20261113'): object[] =>
  Array.from({ length: count }, (_, n) => {
    const at = 15 * 60 + 30 - n
    return minute(day, `${String(Math.floor(at / 60)).padStart(2, '0')}${String(at % 60).padStart(2, '0')}00`)
  })
const pastMinutes = (rows: object[], env: 'real' | 'paper' = 'real') =>
  asking(
    () => ({ body: ok({ output2: rows }) }),
    (rest) => rest.pastMinutes('005930', '20261113', '153000'),
    env,
  )

describe('minutes of an earlier day', () => {
  test('come oldest first; a whole page may have others before it', async () => {
    const { value, seen } = await pastMinutes(someMinutes(120))
    expect(value?.candles).toHaveLength(120)
    expect(value?.candles[0]).toMatchObject({ day: '20261113', time: '133100', close: 5, volume: 1 })
    expect(value?.candles.at(-1)?.time).toBe('153000')
    expect(value?.isLast).toBe(false)
    expect(seen[0]).toMatchObject({ trId: 'FHKST03010230' })
    expect(seen[0]?.query).toEqual({
      FID_COND_MRKT_DIV_CODE: 'J',
      FID_INPUT_ISCD: '005930',
      FID_INPUT_HOUR_1: '153000',
      FID_INPUT_DATE_1: '20261113',
      FID_PW_DATA_INCU_YN: 'N',
      FID_FAKE_TICK_INCU_YN: '',
    })
  })

  test('of another day, which the broker gives silently, are left out, and so are those after the hour', async () => {
    const { value } = await pastMinutes([
      minute('20261113', '153100'),
      ...someMinutes(2),
      ...someMinutes(90, '20261112'),
      {},
    ])
    expect(value?.candles.map(({ time }) => time)).toEqual(['152900', '153000'])
    expect(value?.isLast).toBe(true)
    expect((await pastMinutes(someMinutes(120, '20261112'))).value).toEqual({ candles: [], isLast: true })
  })

  test('on paper there is no such call, and nothing is sent', async () => {
    const { error, seen } = await pastMinutes(someMinutes(3), 'paper')
    expect(error).toBeInstanceOf(NotOfferedError)
    expect(seen).toEqual([])
  })
})

const info = (changes: object): Reply => ({
  body: ok({
    output: {
      pdno: '00000A005930',
      prdt_name: '삼성전자보통주',
      prdt_abrv_name: '삼성전자',
      mket_id_cd: 'STK',
      scty_grp_id_cd: 'ST',
      tr_stop_yn: 'N',
      cptt_trad_tr_psbl_yn: 'Y',
      nxt_tr_stop_yn: 'N',
      ...changes,
    },
  }),
})

const onPaper = (changes: object) =>
  asking(
    (seen) =>
      seen.path.endsWith('inquire-price')
        ? { body: ok({ output: { ...PRICE, ...changes } }) }
        : { body: ok({ output1: { hts_kor_isnm: '어떤 종목' }, output2: [] }) },
    (rest) => rest.stockInfo('123456'),
    'paper',
  )

describe('stock info', () => {
  test.each<[string, object, object]>([
    ['a stock on both exchanges', {}, { name: '삼성전자', kind: 'stock', market: 'KOSPI', nxt: true, halted: false }],
    ['halted on NXT', { nxt_tr_stop_yn: 'Y' }, { nxt: false }],
    ['an ETF', { scty_grp_id_cd: 'EF', cptt_trad_tr_psbl_yn: 'N' }, { kind: 'etf', nxt: false }],
    ['an ETF of another country’s', { scty_grp_id_cd: 'FE' }, { kind: 'etf' }],
    ['KOSDAQ', { mket_id_cd: 'KSQ' }, { market: 'KOSDAQ' }],
    ['halted', { tr_stop_yn: 'Y' }, { halted: true }],
  ])('%s', async (_name, changes, expected) => {
    const { value } = await asking(
      () => info(changes),
      (rest) => rest.stockInfo('005930'),
    )
    expect(value).toMatchObject({ code: '005930', ...expected })
  })

  test('no such product: null', async () => {
    const { value } = await asking(
      () => ({ body: bad('KIOK0560', '없음', '7') }),
      (rest) => rest.stockInfo('999999'),
    )
    expect(value).toBeNull()
  })

  test.each<[string, object, object]>([
    ['a KOSDAQ stock', { rprs_mrkt_kor_name: 'KOSDAQ' }, { kind: 'stock', market: 'KOSDAQ', nxt: false }],
    ['an ETF, recognised by its tick', { stck_prpr: '35980', aspr_unit: '5' }, { kind: 'etf', market: 'KOSPI' }],
  ])('on paper %s is pieced together', async (_name, changes, expected) => {
    expect((await onPaper(changes)).value).toMatchObject({ name: '어떤 종목', ...expected })
  })

  test('on paper a code without a price is unknown', async () => {
    expect(await onPaper({ stck_prpr: '0' })).toMatchObject({ value: null, error: null })
  })
})

test('holidays and period profit are not offered on paper, and nothing is sent', async () => {
  await using broker = await startBroker(() => undefined)
  const { rest } = clientOf(broker.url, { env: 'paper' })
  await expect(rest.holidays('20261116')).rejects.toThrow(NotOfferedError)
  await expect(rest.periodProfit('20261101', '20261116')).rejects.toThrow(NotOfferedError)
  await expect(rest.periodTradeProfit('20261101', '20261116')).rejects.toThrow(NotOfferedError)
  expect(broker.seen).toEqual([])
  await rest.close()
})

test('holidays: open days by opnd_yn, not by the banking calendar', async () => {
  const output = [
    { bass_dt: '20261116', bzdy_yn: 'Y', tr_day_yn: 'Y', opnd_yn: 'Y' },
    { bass_dt: '20261231', bzdy_yn: 'Y', tr_day_yn: 'Y', opnd_yn: 'N' },
  ]
  const { value } = await asking(
    () => ({ cont: 'M', body: ok({ output }) }),
    (rest) => rest.holidays('20261116'),
  )
  expect(value).toEqual([
    { day: '20261116', open: true },
    { day: '20261231', open: false },
  ])
})
