import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim } from '../src/index.ts'
import { at, RawClient, stillSim, type OrderText } from './client.ts'

const CODE = '005930'
const [FIRST, SECOND] = [demoCredentials(0), demoCredentials(1)]

let sim: Sim
let client: RawClient
let other: RawClient

const open = async (options: Parameters<typeof stillSim>[0] = {}): Promise<void> => {
  sim = await stillSim(options)
  sim.setBase(CODE, 70_000)
  client = await RawClient.login(sim)
  other = await RawClient.login(sim, SECOND)
}
beforeEach(() => open())
afterEach(() => sim.close())

/** Filled count and remainder of the account's orders, in order. */
const states = (of = FIRST): string[] =>
  sim
    .orders(of.accountNumber)
    .map((o) => `${o.filledCount}@${o.filledCount ? o.filledAmount / o.filledCount : 0} +${o.remaining}`)

describe('matching with the market', () => {
  test.each<[string, OrderText, string]>([
    ['a limit at the ask trades at once', { count: 10, price: 70_000 }, '10@70000 +0'],
    ['a limit above the ask pays the ask', { count: 10, price: 70_500 }, '10@70000 +0'],
    ['a limit below waits', { count: 10, price: 69_900 }, '0@0 +10'],
    ['a market order trades at once', { count: 10, division: '01' }, '10@70000 +0'],
    ['a best order takes the opposite best', { count: 10, division: '03' }, '10@70000 +0'],
    ['a top order joins the own side', { count: 10, division: '04' }, '0@0 +10'],
    ['IOC below the ask is cancelled', { count: 10, price: 69_900, division: '11' }, '0@0 +0'],
    ['FOK that fits trades whole', { count: 10, price: 70_000, division: '12' }, '10@70000 +0'],
    ['a midpoint order trades between the quotes', { count: 10, division: '21' }, '10@69950 +0'],
  ])('%s', async (_name, order, expected) => {
    expect((await client.order(order)).rt_cd).toBe('0')
    expect(states()).toEqual([expected])
  })

  test('FOK beyond what is offered trades nothing, IOC what there is', async () => {
    sim.setCash(FIRST.accountNumber, 10_000_000_000)
    await client.order({ count: 5_000, price: 70_000, division: '12' })
    await client.order({ count: 5_000, price: 70_000, division: '11' })
    const [fok, ioc] = sim.orders(FIRST.accountNumber)
    expect([fok?.filledCount, fok?.cancelledCount]).toEqual([0, 5_000])
    expect(ioc?.filledCount).toBeGreaterThan(0)
    expect((ioc?.filledCount ?? 0) + (ioc?.cancelledCount ?? 0)).toBe(5_000)
  })

  test.each([
    ['touched: shares of that trade only', 69_900, 4, '4@69900 +6'],
    ['touched by a large trade: all of it', 69_900, 50, '10@69900 +0'],
    ['traded through: all of it, at its own price', 66_000, 1, '10@69900 +0'],
    ['not reached', 69_950, 50, '0@0 +10'],
  ])('a waiting buy is %s', async (_name, price, count, expected) => {
    await client.order({ count: 10, price: 69_900 })
    sim.setPrice(CODE, price, { count, aggressor: 'sell' })
    expect(states()).toEqual([expected])
  })

  test('a waiting sell fills when the market comes up to it', async () => {
    sim.setHolding(FIRST.accountNumber, CODE, 10, 60_000)
    await client.order({ side: 'sell', count: 10, price: 70_300 })
    sim.setPrice(CODE, 70_200)
    expect(states()).toEqual(['0@0 +10'])
    sim.setPrice(CODE, 70_300)
    expect(states()).toEqual(['10@70300 +0'])
  })

  test('a stop order wakes at its trigger', async () => {
    await client.call('orderBuy', {
      PDNO: CODE,
      ORD_DVSN: '22',
      ORD_QTY: '1',
      ORD_UNPR: '71000',
      CNDT_PRIC: '70500',
      EXCG_ID_DVSN_CD: 'KRX',
    })
    sim.setPrice(CODE, 70_400)
    expect(states()).toEqual(['0@0 +1'])
    sim.setPrice(CODE, 70_500)
    expect(states()).toEqual(['1@70500 +0'])
  })
})

describe('matching among clients', () => {
  test('price first, then time; each trade at the waiting price', async () => {
    sim.setHolding(SECOND.accountNumber, CODE, 30, 60_000)
    sim.setPrice(CODE, 70_000, { aggressor: 'sell' })
    await client.order({ count: 5, price: 70_000 })
    await client.order({ count: 5, price: 70_000 })
    // The market bids 70,000 too; clients wait in front of it.
    await other.order({ side: 'sell', count: 7, price: 69_000 })
    expect(states()).toEqual(['5@70000 +0', '2@70000 +3'])
    expect(states(SECOND)).toEqual(['7@70000 +0'])
  })

  test('at one price a client who waits goes before the market', async () => {
    sim.setHolding(SECOND.accountNumber, CODE, 30, 60_000)
    await other.order({ side: 'sell', count: 3, price: 70_100 })
    sim.setPrice(CODE, 70_000, { aggressor: 'sell' })
    await client.order({ count: 5, price: 70_100 })
    expect(sim.trueEvents(FIRST.accountNumber).filter((f) => f.kind === 'filled')).toMatchObject([
      { price: 70_100, count: 3 },
      { price: 70_100, count: 2 },
    ])
    expect(states(SECOND)).toEqual(['3@70100 +0'])
  })
})

describe('changing an order', () => {
  test('a cancellation has its own number and ends the remainder; a second one finds nothing', async () => {
    const { output } = await client.order({ count: 10, price: 69_900 })
    const odno = output[0]?.['ODNO'] ?? ''
    sim.setPrice(CODE, 69_900, { count: 4, aggressor: 'sell' })
    const cancel = await client.change(odno)
    expect(cancel.output[0]?.['ODNO']).toBe('0000000002')
    expect((await client.change(odno)).msg1.trim()).toBe('정정/취소할 수량이 없습니다.')
    const { output1, output2 } = await client.executions()
    expect(output1[0]).toMatchObject({
      tot_ccld_qty: '4',
      rmn_qty: '0',
      cnc_cfrm_qty: '6',
      cncl_cfrm_qty: '6',
      cncl_yn: 'Y',
    })
    expect(output1[1]).toMatchObject({ odno: '0000000002', orgn_odno: odno, ord_qty: '6', rmn_qty: '0' })
    expect(output2[0]).toMatchObject({
      tot_ord_qty: '10',
      tot_ccld_qty: '4',
      tot_ccld_amt: '279600',
      pchs_avg_pric: '69900.0000',
    })
  })

  test('a part is cancelled, the rest stays', async () => {
    const { output } = await client.order({ count: 10, price: 69_900 })
    await client.change(output[0]?.['ODNO'] ?? '', { count: 3 })
    expect(states()[0]).toBe('0@0 +7')
  })

  test('a modification lives on under its new number at its new price', async () => {
    const { output } = await client.order({ count: 10, price: 69_900 })
    const odno = output[0]?.['ODNO'] ?? ''
    await client.change(odno, { price: 69_800 })
    expect(states()).toEqual(['0@0 +0', '0@0 +10'])
    sim.setPrice(CODE, 69_900, { aggressor: 'sell' })
    expect(states()[1]).toBe('0@0 +10')
    sim.setPrice(CODE, 69_800, { aggressor: 'sell' })
    expect(states()[1]).toBe('10@69800 +0')
    expect((await client.change(odno)).msg1.trim()).toBe('정정/취소할 수량이 없습니다.')
  })

  test('a change must name the venue of its order', async () => {
    const { output } = await client.order({ count: 10, price: 69_900, venue: 'SOR' })
    expect((await client.change(output[0]?.['ODNO'] ?? '', { venue: 'KRX' })).rt_cd).toBe('1')
    expect((await client.change(output[0]?.['ODNO'] ?? '', { venue: 'SOR' })).rt_cd).toBe('0')
  })
})

test.each<[string, OrderText, string, string]>([
  ['an unknown code', { code: '999999', count: 1, price: 1_000 }, 'APBK0656', '해당종목정보가 없습니다.'],
  ['a price between ticks', { count: 1, price: 70_050 }, 'APBK0918', '호가단위'],
  ['a price above the upper limit', { count: 1, price: 91_100 }, 'APBK0918', '상/하한가'],
  ['no shares', { count: 0, price: 70_000 }, 'APBK0918', '주문수량'],
  ['more than the cash', { count: 1_500, price: 70_000 }, 'APBK0952', '주문가능금액을 초과'],
  ['a sale of nothing held', { side: 'sell', count: 1, price: 70_000 }, 'APBK1234', '잔고'],
  ['a market order on NXT', { count: 1, division: '01', venue: 'NXT' }, 'APBK1943', '시장가호가불가'],
  ['NXT for an issue it does not list', { code: '026960', count: 1, price: 26_000, venue: 'NXT' }, 'APBK0918', 'NXT'],
  ['a midpoint order on SOR', { count: 1, division: '21', venue: 'SOR' }, 'APBK0918', '거래소구분'],
  ['an after-market order in the regular session', { count: 1, price: 70_000, division: '41' }, 'APBK1269', '주문구분'],
])('%s is refused', async (_name, order, code, message) => {
  const reply = await client.order(order)
  expect(reply).toMatchObject({ status: 200, rt_cd: code === 'APBK0952' ? '7' : '1', msg_cd: code })
  expect(reply.msg1).toContain(message)
  expect(reply.msg1).toHaveLength(80)
  expect(reply.output).toEqual([])
  expect(sim.orders(FIRST.accountNumber)).toEqual([])
})

test('a halted stock takes no order, and shares in a live sale cannot be sold again', async () => {
  sim.setHolding(FIRST.accountNumber, CODE, 10, 60_000)
  expect((await client.order({ side: 'sell', count: 6, price: 71_000 })).rt_cd).toBe('0')
  expect(await client.order({ side: 'sell', count: 5, price: 71_000 })).toMatchObject({ msg_cd: 'APBK0400' })
  sim.setHalted(CODE, true)
  expect((await client.order({ count: 1, price: 70_000 })).msg1).toContain('매매거래정지')
})

const krx = (time: string, day?: string) => open({ hours: 'krx', clock: { mode: 'manual', start: at(time, day) } })

describe('the trading day', () => {
  beforeEach(() => sim.close())

  test.each<[string, string, OrderText, string]>([
    ['before the day', '07:59:59', { count: 1, price: 70_000 }, '장운영시간'],
    ['a best order in an auction', '08:45:00', { count: 1, division: '03' }, '단일가매매'],
    ['a plain limit in the KRX after-market', '16:00:01', { count: 1, price: 70_000 }, '애프터마켓'],
    ['after 20:00', '20:00:00', { count: 1, price: 70_000, division: '41' }, '장운영시간'],
    [
      'an ETF in the after-market',
      '17:00:00',
      { code: '069500', count: 1, price: 75_000, division: '41' },
      '장운영시간',
    ],
    ['off-hours single price, which is no more', '16:30:00', { count: 1, price: 70_000, division: '07' }, '주문구분'],
  ])('%s: refused', async (_name, time, order, message) => {
    await krx(time)
    expect((await client.order(order)).msg1).toContain(message)
  })

  test('a Sunday is no business day', async () => {
    await krx('10:00:00', '2026-11-22')
    expect((await client.order({ count: 1, price: 70_000 })).msg_cd).toBe('APBK0919')
  })

  test('orders collect before 09:00 and trade at one price', async () => {
    await krx('08:50:00')
    await client.order({ count: 3, price: 70_000 })
    await client.order({ count: 3, price: 69_900 })
    await client.order({ count: 2, division: '01' })
    expect(states()).toEqual(['0@0 +3', '0@0 +3', '0@0 +2'])
    await sim.clock.advance(10 * 60_000)
    expect(states()).toEqual(['3@70000 +0', '0@0 +3', '2@70000 +0'])
  })

  test('a KRX day order ends at 15:30, an NXT order at 20:00, and neither says so', async () => {
    await krx('15:00:00')
    await client.order({ count: 1, price: 69_900 })
    await client.order({ count: 1, price: 69_900, venue: 'NXT' })
    await sim.clock.advance(29 * 60_000)
    expect(states()).toEqual(['0@0 +1', '0@0 +1'])
    await sim.clock.advance(60_000)
    expect(states()).toEqual(['0@0 +0', '0@0 +1'])
    await sim.clock.advance(5 * 3_600_000)
    expect(states()).toEqual(['0@0 +0', '0@0 +0'])
  })

  test('a conditional limit joins the closing auction whatever its price', async () => {
    await krx('15:00:00')
    await client.order({ count: 1, price: 69_000, division: '02' })
    await client.order({ count: 1, price: 69_000 })
    await sim.clock.advance(30 * 60_000)
    expect(states()).toEqual(['1@70000 +0', '0@0 +0'])
  })

  test.each([
    [true, '0'],
    [false, '1'],
  ])('SOR in the KRX after-market, where it is taken (%s)', async (sorAfterMarket, expected) => {
    sim = await stillSim({
      hours: 'krx',
      clock: { mode: 'manual', start: at('17:00:00') },
      assumptions: { sorAfterMarket },
    })
    client = await RawClient.login(sim)
    expect((await client.order({ count: 1, price: 158_600, division: '41', venue: 'SOR' })).rt_cd).toBe(expected)
  })

  test('a market order in an auction trades at the one price, not at its limit', async () => {
    await krx('10:00:00')
    sim.interrupt(CODE)
    await client.order({ count: 1, division: '01' })
    await sim.clock.advance(120_000)
    expect(states()).toEqual(['1@70000 +0'])
  })

  test('a pre-market GTP order dies at 08:50', async () => {
    await krx('08:10:00')
    await client.order({ count: 1, price: 69_900, division: '27', venue: 'NXT' })
    await sim.clock.advance(40 * 60_000)
    expect(states()).toEqual(['0@0 +0'])
  })

  test('numbers start over each day', async () => {
    await krx('15:00:00')
    await client.order({ count: 1, price: 70_000 })
    await sim.clock.advance(3 * 86_400_000)
    await client.renew()
    const { output } = await client.order({ count: 1, price: 70_000 })
    expect(output[0]?.['ODNO']).toBe('0000000001')
    expect(
      (await client.executions({ INQR_STRT_DT: '20261120', INQR_END_DT: '20261123' })).output1.map(
        (row) => row['ord_dt'],
      ),
    ).toEqual(['20261120', '20261123'])
  })

  test('an interruption collects orders, then trades them at one price', async () => {
    await krx('10:00:00')
    sim.interrupt(CODE)
    await client.order({ count: 1, price: 70_000 })
    expect(states()).toEqual(['0@0 +1'])
    expect((await client.call('viStatus', { FID_INPUT_ISCD: CODE })).output).toHaveLength(1)
    await sim.clock.advance(120_000)
    expect(states()).toEqual(['1@70000 +0'])
  })
})
