import { describe, expect, test } from 'vitest'
import { ProtocolError } from '../src/index.ts'
import { NOW, asking, ok } from './broker.ts'
import type { Reply } from './broker.ts'

const HOLDING = {
  pdno: '005930',
  prdt_name: '삼성전자',
  hldg_qty: '4',
  ord_psbl_qty: '4',
  pchs_avg_pric: '69900.0000',
  pchs_amt: '279600',
  prpr: '70500',
  evlu_amt: '282000',
  evlu_pfls_amt: '2400',
  evlu_pfls_rt: '0.86',
}
const SUMS = [{ dnca_tot_amt: '10000000', prvs_rcdl_excc_amt: '9720361', scts_evlu_amt: '282000' }]

const balance = (rows: object[], sums: unknown = SUMS): Reply => ({
  cont: 'D',
  body: ok({ output1: rows, output2: sums }),
})

describe('balance', () => {
  test('the documented example', async () => {
    const { value, seen } = await asking(
      () => balance([HOLDING]),
      (rest) => rest.balance(),
    )
    expect(value).toEqual({
      holdings: [
        {
          code: '005930',
          name: '삼성전자',
          count: 4,
          sellableCount: 4,
          averagePrice: 69_900,
          buyAmount: 279_600,
          price: 70_500,
          gainAmount: 2_400,
          gainRatio: 0.86,
        },
      ],
      credit: [],
      unreadable: [],
      depositAmount: 9_720_361,
      stockValueAmount: 282_000,
      leftAt: NOW,
    })
    expect(seen[0]?.query).toMatchObject({ INQR_DVSN: '01', AFHR_FLPR_YN: 'N', CANO: '12345678', ACNT_PRDT_CD: '01' })
  })

  test('sold-out positions waiting for settlement are left out', async () => {
    const sold = { ...HOLDING, pdno: '000660', hldg_qty: '0', ord_psbl_qty: '0' }
    const { value } = await asking(
      () => balance([sold, HOLDING]),
      (rest) => rest.balance(),
    )
    expect(value?.holdings.map(({ code }) => code)).toEqual(['005930'])
  })

  test('sums as an object instead of an array of one', async () => {
    const { value } = await asking(
      () => balance([], SUMS[0]),
      (rest) => rest.balance(),
    )
    expect(value).toMatchObject({ holdings: [], depositAmount: 9_720_361 })
  })

  test.each<[string, Reply]>([
    ['no list', { body: ok({ output2: SUMS }) }],
    ['no sums', { body: ok({ output1: [] }) }],
    ['a row that is none', { body: ok({ output1: ['005930'], output2: SUMS }) }],
  ])('%s is an error, never a flat account', async (_name, reply) => {
    expect(
      (
        await asking(
          () => reply,
          (rest) => rest.balance(),
        )
      ).error,
    ).toBeInstanceOf(ProtocolError)
  })

  test.each<[string, object, object]>([
    ['no count', { hldg_qty: '' }, { code: '000660', what: 'hldg_qty is blank' }],
    ['a fraction of a share', { hldg_qty: '1.5' }, { code: '000660', what: 'hldg_qty is not whole: 1.5' }],
    ['no code', { pdno: ' ' }, { code: null, what: 'pdno is blank' }],
    ['an odd price', { prpr: 'n/a' }, { code: '000660', what: 'prpr is not a number: n/a' }],
  ])('a holding with %s is named beside the others, which stay', async (_name, change, named) => {
    const { value } = await asking(
      () => balance([{ ...HOLDING, pdno: '000660', ...change }, HOLDING]),
      (rest) => rest.balance(),
    )
    expect(value).toMatchObject({ holdings: [{ code: '005930', count: 4 }], unreadable: [named] })
  })

  test('of a position that was sold nothing else needs to be readable', async () => {
    const { value } = await asking(
      () => balance([{ pdno: '000660', hldg_qty: '0' }, HOLDING]),
      (rest) => rest.balance(),
    )
    expect(value).toMatchObject({ holdings: [{ code: '005930' }], unreadable: [] })
  })

  test.each([
    ['the stock itself', { hldg_qty: '1.5' }, true],
    ['a row without a code', { pdno: '' }, true],
    ['another stock', { pdno: '000660', hldg_qty: '1.5' }, false],
  ])('sellable on paper where %s cannot be read', async (_name, change, fails) => {
    const { value, error } = await asking(
      () => balance([{ ...HOLDING, ...change }, ...(fails ? [] : [HOLDING])]),
      (rest) => rest.sellable('005930'),
      'paper',
    )
    expect([value, error instanceof ProtocolError]).toEqual(fails ? [null, true] : [4, false])
  })

  test('sellable on paper is the balance’s figure, 0 for what is not held', async () => {
    const four = await asking(
      () => balance([HOLDING]),
      (rest) => rest.sellable('005930'),
      'paper',
    )
    const none = await asking(
      () => balance([HOLDING]),
      (rest) => rest.sellable('000660'),
      'paper',
    )
    expect([four.value, none.value]).toEqual([4, 0])
  })
})

const day = (trad_dt: string) => ({ trad_dt, buy_amt: '1', sll_amt: '2', rlzt_pfls: '-300', fee: '4', tl_tax: '5' })

test('period profit per day, oldest first, with its sums', async () => {
  const sums = { tot_rlzt_pfls: '-600', tot_fee: '8', tot_tltx: '10' }
  const { value } = await asking(
    () => ({ cont: 'D', body: ok({ output1: [day('20261116'), day('20261113')], output2: sums }) }),
    (rest) => rest.periodProfit('20261101', '20261116'),
  )
  expect(value).toMatchObject({ gainAmount: -600, fee: 8, tax: 10 })
  expect(value?.days[0]).toEqual({ day: '20261113', buyAmount: 1, sellAmount: 2, gainAmount: -300, fee: 4, tax: 5 })
})
