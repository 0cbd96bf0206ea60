import { describe, expect, test } from 'vitest'
import { refusalCause, RefusedError } from '../src/index.ts'
import { TickDecoder } from '../src/decode/tick.ts'
import { readNotices } from '../src/decode/notice.ts'
import { asking, ok, type Reply } from './broker.ts'
import { page } from './ledger-rows.ts'
import * as seen from './public-replies.ts'

const CANCEL = { odno: '12345', orgno: '', type: 'limit', session: 'regular', venue: 'SOR' } as const

describe('orders', () => {
  test('the receipt of an order is read from capitals', async () => {
    const { value } = await asking(
      () => ({ body: seen.ORDER_RECEIPT }),
      (rest) =>
        rest.order({
          code: '009150',
          side: 'buy',
          type: 'limit',
          session: 'regular',
          price: 150_000,
          count: 3,
          venue: 'KRX',
        }),
    )
    expect(value).toEqual({ odno: '0001569157', orgno: '06010', orderedAt: Date.parse('2026-11-16T15:52:11+09:00') })
  })

  // Logged with rt_cd 7, which otherwise says that there is nothing to show.
  test('an order beyond the cash of a real account is a refusal for money', async () => {
    const { error } = await asking(
      () => ({ body: { rt_cd: '7', msg_cd: 'APBK0952', msg1: '주문가능금액을 초과 했습니다' } }),
      (rest) =>
        rest.order({
          code: '114800',
          side: 'buy',
          type: 'market',
          session: 'regular',
          price: 0,
          count: 2_396,
          venue: 'KRX',
        }),
    )
    expect(error).toMatchObject({ outcome: 'refused', code: 'APBK0952' })
    expect(refusalCause(error)).toBe('money')
  })

  test('the cancellation of an order for SOR, without a branch', async () => {
    const { value, seen: calls } = await asking(
      () => ({ body: seen.CANCEL_RECEIPT }),
      (rest) => rest.cancel(CANCEL),
    )
    expect(value).toMatchObject({ odno: '0000012399', orgno: '91252' })
    expect(calls[0]?.body).toMatchObject({ ORGN_ODNO: '0000012345', EXCG_ID_DVSN_CD: 'SOR', QTY_ALL_ORD_YN: 'Y' })
  })

  test('a cancellation that came too late is refused for certain', async () => {
    const { error } = await asking(
      () => ({ body: seen.NOTHING_TO_CANCEL }),
      (rest) => rest.cancel(CANCEL),
    )
    expect(error).toBeInstanceOf(RefusedError)
    expect(error).toMatchObject({ outcome: 'refused', code: 'APBK0918' })
  })
})

describe('rows of orders and fills', () => {
  test.each<[string, object, object]>([
    [
      'rejected, in English, without a venue',
      seen.REJECTED_ROW,
      { remainingCount: 0, rejectedCount: 10, filledCount: 0, cancelled: false, venue: 'KRX', originalOdno: null },
    ],
    ['for SOR, still waiting', seen.SOR_ROW, { remainingCount: 2, venue: 'SOR', originalOdno: null, cancelled: false }],
    [
      'for SOR, after its day',
      { ...seen.SOR_ROW, rjct_qty: '2', rmn_qty: '0' },
      { remainingCount: 0, rejectedCount: 2, filledCount: 0 },
    ],
    [
      'its cancellation, which names it',
      { ...seen.SOR_ROW, odno: '0029999999', orgn_odno: '0029287200', sll_buy_dvsn_cd_name: '매수취소', rmn_qty: '0' },
      { odno: '0029999999', originalOdno: '0029287200', remainingCount: 0 },
    ],
    ['dead, in ten fields', seen.DEAD_ROW, { remainingCount: 0, filledCount: 0, rejectedCount: 0, cancelled: true }],
    [
      'with a cancelled remainder that no field tells of',
      seen.REMAINDER_CANCELLED_ROW,
      { count: 10, filledCount: 3, filledAmount: 210_000, remainingCount: 0, cancelled: true },
    ],
  ])('%s', async (_name, row, expected) => {
    const { value, error } = await asking(
      () => page([row], 'D'),
      (rest) => rest.executions({ from: '20261116', to: '20261116' }),
    )
    expect(error).toBeNull()
    expect(value?.[0]).toMatchObject(expected)
  })

  test('an amended order is open under its new number', async () => {
    const { value } = await asking(
      () => ({ cont: 'D', body: ok({ output: [seen.AMENDED_OPEN_ROW, seen.OPEN_ROW] }) }),
      (rest) => rest.openOrders(),
    )
    expect(value).toMatchObject([
      { odno: '0001569139', originalOdno: '0001569136', remainingCount: 1, price: 140_000, venue: 'KRX', side: 'buy' },
      { odno: '0001569138', originalOdno: null, remainingCount: 1, price: 200_000, orgno: '06010' },
    ])
  })
})

describe('the account', () => {
  test('shares bought on credit are beside the holdings: a sell for cash cannot take them', async () => {
    const { value, error } = await asking(
      () => ({ cont: 'D', body: ok(seen.BALANCE) }),
      (rest) => rest.balance(),
    )
    expect(error).toBeNull()
    expect(value?.holdings).toMatchObject([{ code: '009150', price: 0 }])
    expect(value?.holdings.map(({ count }) => count)).toEqual([1_657])
    expect(value?.credit).toMatchObject([{ code: '009150', count: 3, sellableCount: 3, buyAmount: 369_000 }])
    expect(value).toMatchObject({ depositAmount: 346_455, stockValueAmount: 1_759_600 })
  })

  test('what can be bought and sold', async () => {
    const buyable = await asking(
      () => ({ body: ok({ output: seen.BUYABLE }) }),
      (rest) => rest.buyable('005930'),
    )
    expect(buyable.value).toMatchObject({ count: 1_531, price: 70_000, amount: 107_177_377, cash: 741_191_178 })
    const sellable = await asking(
      () => ({ body: ok({ output: seen.SELLABLE }, 'KIOK0420') }),
      (rest) => rest.sellable('005930'),
    )
    expect(sellable.value).toBe(1_744)
  })

  test('gains of a day', async () => {
    const { value } = await asking(
      () => ({ cont: 'D', body: ok(seen.PERIOD_PROFIT) }),
      (rest) => rest.periodProfit('20230101', '20240220'),
    )
    expect(value).toMatchObject({
      days: [{ day: '20240220', buyAmount: 116_697_331, sellAmount: 96_455, gainAmount: 22_991 }],
      gainAmount: 22_991,
    })
  })
})

describe('refusals', () => {
  test('a balance that may not be asked this way is a refusal, no empty account', async () => {
    const { value, error } = await asking(
      () => ({ body: seen.BY_ISSUE_REFUSED }),
      (rest) => rest.balance(),
    )
    expect(value).toBeNull()
    expect(error).toMatchObject({ outcome: 'refused', code: 'OPSQ2001' })
  })

  test.each([
    ['too many calls', seen.TOO_MANY_CALLS],
    ['a busy ledger', seen.LEDGER_BUSY],
  ])('%s: asked again', async (_name, body) => {
    const answers: Reply[] = [{ status: 500, body }, { body: ok({ output: seen.SELLABLE }) }]
    const { value } = await asking(
      (_seen, nth) => answers[nth - 1] ?? 'reset',
      (rest) => rest.sellable('005930'),
    )
    expect(value).toBe(1_744)
  })
})

const ticks = (frame: string) => new TickDecoder().decode(Buffer.from(frame))

describe('frames', () => {
  test('a fill, with counts without zeros and letters for answers', () => {
    expect(readNotices(seen.FILL_NOTICE, 1)).toMatchObject([
      {
        kind: 'filled',
        odno: '0030145286',
        originalOdno: null,
        code: '012450',
        side: 'buy',
        count: 2,
        price: 1_135_000,
      },
    ])
  })

  test('a trade of 2022', () => {
    expect(ticks(`0|H0STCNT0|001|${seen.TICK_OF_2022}`)).toMatchObject([
      {
        code: '000660',
        venue: 'KRX',
        time: 132_848,
        price: 93_000,
        base: 92_500,
        open: 92_700,
        high: 93_300,
        low: 92_400,
        volume: 1_058_687,
        trade: true,
        halted: false,
      },
    ])
  })

  test.each([1, 3, 12])('%i trades of the unified channel in one frame', (count) => {
    const records = Array.from({ length: count }, (_, n) =>
      seen.UNIFIED_TICK.replace('^70000^2^', `^${70_000 + n * 100}^2^`),
    )
    const read = ticks(`0|H0UNCNT0|${String(count).padStart(3, '0')}|${records.join('^')}`)
    expect(read?.map(({ price }) => price)).toEqual(Array.from({ length: count }, (_, n) => 70_000 + n * 100))
    expect(read?.[0]).toMatchObject({ code: '005930', base: 69_000, volume: 5_000_000 })
  })
})
