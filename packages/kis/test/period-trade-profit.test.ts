import { describe, expect, test } from 'vitest'
import { ProtocolError, RefusedError } from '../src/index.ts'
import { asking, bad, ok, type Reply } from './broker.ts'

/** A row as the portal's workbook lists its fields: the code in twelve characters. */
const ROW = {
  trad_dt: '20261116',
  pdno: '00000A005930',
  prdt_name: '삼성전자',
  trad_dvsn_name: '현금',
  loan_dt: '',
  hldg_qty: '0',
  pchs_unpr: '70000',
  buy_qty: '0',
  buy_amt: '0',
  sll_pric: '72000',
  sll_qty: '4',
  sll_amt: '288000',
  rlzt_pfls: '7381',
  pfls_rt: '2.63607143',
  fee: '43',
  tl_tax: '576',
  loan_int: '0',
}
const page = (rows: object[], cont: string, cursor = ''): Reply => ({
  cont,
  body: ok({ output1: rows, output2: {}, ctx_area_fk100: 'fk', ctx_area_nk100: cursor }),
})
const ask = (answer: (nth: number) => Reply) =>
  asking(
    (_seen, nth) => answer(nth),
    (rest) => rest.periodTradeProfit('20260101', '20261116'),
  )

describe('gain by day and stock', () => {
  test('in our own words, with the code of six characters', async () => {
    const { value, seen } = await ask(() => page([ROW], 'D'))
    expect(value).toEqual([
      {
        day: '20261116',
        code: '005930',
        name: '삼성전자',
        soldCount: 4,
        buyAmount: 0,
        sellAmount: 288_000,
        gainAmount: 7_381,
        fee: 43,
        tax: 576,
      },
    ])
    expect(seen[0]?.trId).toBe('TTTC8715R')
    expect(seen[0]?.query).toMatchObject({ INQR_STRT_DT: '20260101', INQR_END_DT: '20261116', SORT_DVSN: '01' })
  })

  test('all pages, the oldest day first, and rows of one day in their order', async () => {
    const later = { ...ROW, trad_dt: '20261117' }
    const pages = [
      page([later, ROW], 'F', 'second'),
      page(
        [
          { ...ROW, pdno: '000660' },
          { ...later, rlzt_pfls: '-9' },
        ],
        'D',
      ),
    ]
    const { value, seen } = await ask((nth) => pages[nth - 1] ?? 'hang')
    expect(value?.map(({ day, code, gainAmount }) => [day, code, gainAmount])).toEqual([
      ['20261116', '005930', 7_381],
      ['20261116', '000660', 7_381],
      ['20261117', '005930', 7_381],
      ['20261117', '005930', -9],
    ])
    expect(seen[1]?.query['CTX_AREA_NK100']).toBe('second')
  })

  test('nothing sold is an empty list; no list is none', async () => {
    expect((await ask(() => page([], 'D'))).value).toEqual([])
    expect((await ask(() => ({ body: ok({ output2: {} }) }))).error).toBeInstanceOf(ProtocolError)
  })

  test('a refusal stays one, also on the second page', async () => {
    const refused: Reply = { body: bad('OPSQ2002', '조회 기간을 확인하십시오.') }
    expect((await ask(() => refused)).error).toBeInstanceOf(RefusedError)
    const second = await ask((nth) => (nth === 1 ? page([ROW], 'F', 'second') : refused))
    expect([second.value, second.error instanceof RefusedError]).toEqual([null, true])
  })
})
