import { afterEach, describe, expect, test } from 'vitest'
import { UNIVERSE, type Listing, type Sim, type SimOptions } from '../src/index.ts'
import { at, RawClient, stillSim } from './client.ts'

/** Issues under a warning or administration, and those of KONEX: traded in the regular session, not in the evening. */
const USUAL = '005930'
const WARNED = '000660'
const RISKY = '035420'
const ADMINISTRATIVE = '247540'
const ETF = '069500'
const KONEX: Listing = { code: '112190', name: 'KONEX 종목', market: 'KONEX', kind: 'stock', nxt: false, base: 5_000 }
const EVENING = '2026-11-20'

let sim: Sim
afterEach(() => sim.close())

async function open(time: string, more: SimOptions = {}, day = EVENING): Promise<RawClient> {
  sim = await stillSim({
    hours: 'krx',
    clock: { mode: 'manual', start: at(time, day) },
    universe: [...UNIVERSE, KONEX],
    happenings: [
      { kind: 'warned', code: WARNED, day: '20261120', as: 'warning' },
      { kind: 'warned', code: RISKY, day: '20261120', as: 'risk' },
      { kind: 'warned', code: ADMINISTRATIVE, day: '20261120', as: 'administrative' },
    ],
    ...more,
  })
  return RawClient.login(sim)
}

const order = (client: RawClient, code: string, division: string, venue = 'KRX') =>
  client.order({ code, division, venue, count: 1, price: sim.price(code) })

describe('the KRX after-market', () => {
  test.each([
    [USUAL, '0'],
    [WARNED, '1'],
    [RISKY, '1'],
    [ADMINISTRATIVE, '1'],
    [ETF, '1'],
    [KONEX.code, '1'],
  ])('%s at 17:00: %s', async (code, expected) => {
    const client = await open('17:00:00')
    expect((await order(client, code, '41')).rt_cd).toBe(expected)
  })

  test.each([USUAL, WARNED, RISKY, ADMINISTRATIVE, ETF, KONEX.code])('%s is taken at 10:00', async (code) => {
    const client = await open('10:00:00')
    expect((await order(client, code, '00')).rt_cd).toBe('0')
  })

  test.each([
    ['hours', '장운영시간이 아닙니다.(주문불가)'],
    ['issue', '[애프터마켓]거래불가 종목입니다.'],
  ] as const)('the refusal may name the %s', async (afterMarketRefusedAs, text) => {
    const client = await open('17:00:00', { assumptions: { afterMarketRefusedAs } })
    for (const code of [WARNED, ETF, KONEX.code]) {
      const reply = await order(client, code, '41')
      expect([reply.msg_cd, reply.msg1.trim()]).toEqual(['APBK0918', text])
    }
    // The kind of order is wrong for everything that is traded.
    expect((await order(client, USUAL, '00')).msg_cd).toBe('APBK3013')
  })

  test('SOR does not find a way round', async () => {
    const client = await open('17:00:00')
    expect((await order(client, WARNED, '41', 'SOR')).rt_cd).toBe('1')
  })

  test('an end of the designation, or a listing that is designated', async () => {
    const listed = UNIVERSE.map((listing) =>
      listing.code === USUAL ? { ...listing, warned: 'warning' as const } : listing,
    )
    const client = await open('17:00:00', {
      universe: listed,
      happenings: [
        { kind: 'warned', code: WARNED, day: '20261110', as: 'warning' },
        { kind: 'warned', code: WARNED, day: '20261120', as: null },
      ],
    })
    expect((await order(client, USUAL, '41')).rt_cd).toBe('1')
    expect((await order(client, WARNED, '41')).rt_cd).toBe('0')
  })
})

test('NXT drops what is under administration and stops what is warned', async () => {
  const client = await open('10:00:00')
  expect((await order(client, USUAL, '00', 'NXT')).rt_cd).toBe('0')
  for (const code of [WARNED, RISKY, ADMINISTRATIVE]) {
    expect((await order(client, code, '00', 'NXT')).msg1).toContain('NXT')
  }
})

test.each([
  [USUAL, '55 00 N', '00 N', 'N YN'],
  [WARNED, '53 02 N', '02 N', 'N YY'],
  [RISKY, '52 03 N', '03 N', 'N YY'],
  [ADMINISTRATIVE, '51 00 Y', '00 Y', 'Y NN'],
])('the fields of %s: %s, %s, %s', async (code, price, price2, info) => {
  const client = await open('10:00:00')
  const about = { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: code }
  const [a, b, c] = [
    (await client.call('price', about)).output[0],
    (await client.call('price2', about)).output[0],
    (await client.call('stockInfo', { PRDT_TYPE_CD: '300', PDNO: code })).output[0],
  ]
  expect(`${a?.['iscd_stat_cls_code']} ${a?.['mrkt_warn_cls_code']} ${a?.['mang_issu_cls_code']}`).toBe(price)
  expect(`${b?.['mrkt_warn_cls_code']} ${b?.['mang_issu_yn']}`).toBe(price2)
  expect(`${c?.['admn_item_yn']} ${c?.['cptt_trad_tr_psbl_yn']}${c?.['nxt_tr_stop_yn']}`).toBe(info)
})

test('the last days before a delisting: a flag, no NXT, no evening; caution alone changes nothing', async () => {
  const client = await open('17:00:00')
  const about = { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: USUAL }
  sim.setWarning(USUAL, 'caution')
  expect((await order(client, USUAL, '41')).rt_cd).toBe('0')
  expect((await client.call('price', about)).output[0]).toMatchObject({ iscd_stat_cls_code: '54', invt_caful_yn: 'Y' })
  sim.setWarning(USUAL, 'liquidation')
  expect((await order(client, USUAL, '41')).rt_cd).toBe('1')
  expect((await client.call('price', about)).output[0]).toMatchObject({ iscd_stat_cls_code: '00', sltr_yn: 'Y' })
  expect((await client.call('price2', about)).output[0]).toMatchObject({ sltr_yn: 'Y', invt_caful_yn: 'N' })
})

test('a designation begins with its day, and not before', async () => {
  const client = await open('17:00:00', {}, '2026-11-19')
  expect((await order(client, WARNED, '41')).rt_cd).toBe('0')
  const about = { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: WARNED }
  await sim.clock.advance(12 * 3_600_000)
  expect((await client.call('price', about)).output[0]).toMatchObject({ iscd_stat_cls_code: '53' })
})
