import { describe, expect, test } from 'vitest'
import { ProtocolError } from '../src/index.ts'
import { asking, clientOf, ok, startBroker } from './broker.ts'
import type { Reply } from './broker.ts'
import { CANCEL_ROW, ORDER_ROW, page, today } from './ledger-rows.ts'

describe('orders and fills', () => {
  test('the documented rows', async () => {
    const { value, seen } = await asking(
      () => page([CANCEL_ROW, ORDER_ROW], 'D'),
      (rest) => rest.executions(today),
    )
    const [order, cancel] = value ?? []
    expect(order).toEqual({
      day: '20261116',
      odno: '0000012345',
      orgno: '06010',
      originalOdno: null,
      code: '005930',
      name: '삼성전자',
      side: 'buy',
      venue: 'KRX',
      count: 10,
      price: 70_000,
      orderedAt: Date.parse('2026-11-16T00:33:55Z'),
      filledCount: 4,
      filledAmount: 279_600,
      remainingCount: 0,
      rejectedCount: 0,
      cancelled: true,
    })
    expect(cancel).toMatchObject({ odno: '0000012399', originalOdno: '0000012345' })
    expect(seen[0]?.query).toMatchObject({ EXCG_ID_DVSN_CD: 'ALL', INQR_DVSN: '00', CCLD_DVSN: '00', PDNO: '' })
  })

  test.each<[string, object, object]>([
    ['open', { tot_ccld_qty: '0', rmn_qty: '10' }, { remainingCount: 10, cancelled: false }],
    ['part filled', { tot_ccld_qty: '4', rmn_qty: '6' }, { remainingCount: 6, cancelled: false }],
    ['filled', { tot_ccld_qty: '10', rmn_qty: '0' }, { remainingCount: 0, cancelled: false }],
    [
      'rejected by the exchange',
      { tot_ccld_qty: '0', rmn_qty: '0', rjct_qty: '10' },
      { rejectedCount: 10, cancelled: false },
    ],
    ['rejected, still with a remainder', { tot_ccld_qty: '0', rmn_qty: '10', rjct_qty: '10' }, { remainingCount: 0 }],
    [
      'cancelled, yet listed with a remainder (seen on paper)',
      { tot_ccld_qty: '0', rmn_qty: '10', cncl_yn: 'Y' },
      { remainingCount: 0, cancelled: true },
    ],
    [
      'order number padded with blanks',
      { odno: '       528', orgn_odno: '         ' },
      { odno: '0000000528', originalOdno: null },
    ],
    ['12-character code', { pdno: '00000A003550' }, { code: '003550' }],
    ['lower-case exchange key', { excg_id_dvsn_Cd: undefined, excg_id_dvsn_cd: 'NXT' }, { venue: 'NXT' }],
  ])('%s', async (_name, changes, expected) => {
    const { value } = await asking(
      () => page([{ ...ORDER_ROW, ...changes }], ''),
      (rest) => rest.executions(today),
    )
    expect(value?.[0]).toMatchObject(expected)
  })

  test('a measured paper row of a filled market order', async () => {
    const row = {
      ...ORDER_ROW,
      odno: '0000003663',
      ord_qty: '1',
      ord_unpr: '0',
      ord_tmd: '090512',
      tot_ccld_qty: '1',
      tot_ccld_amt: '1684000',
      avg_prvs: '1684000',
      excg_id_dvsn_Cd: '',
    }
    const { value, seen } = await asking(
      () => page([row], ''),
      (rest) => rest.executions(today),
      'paper',
    )
    expect(value?.[0]).toMatchObject({ price: 0, filledCount: 1, filledAmount: 1_684_000, venue: 'KRX' })
    expect(seen[0]).toMatchObject({ trId: 'VTTC0081R', query: { EXCG_ID_DVSN_CD: 'KRX' } })
  })

  test('a range beyond three months asks both calls', async () => {
    const { seen } = await asking(
      () => page([], 'D'),
      (rest) => rest.executions({ from: '20260701', to: '20261116' }),
    )
    expect(seen.map((call) => [call.trId, call.query['INQR_STRT_DT'], call.query['INQR_END_DT']])).toEqual([
      ['CTSC9215R', '20260701', '20260731'],
      ['TTTC0081R', '20260801', '20261116'],
    ])
  })

  describe('a broker that refuses ranges of days (KIER2570)', () => {
    const refusal: Reply = { status: 200, body: { rt_cd: '7', msg_cd: 'KIER2570', msg1: '조회일자를 확인하십시오.' } }
    /** Refuses ranges, and days without trading. */
    const refusing = ({ INQR_STRT_DT: from = '', INQR_END_DT: to = '' }: Record<string, string>): Reply => {
      return from === to && from !== '20261114' && from !== '20261115'
        ? page([{ ...ORDER_ROW, ord_dt: from }], 'D')
        : refusal
    }

    test('is asked day by day, and not for days without trading', async () => {
      const { value, seen } = await asking(
        ({ query }) => refusing(query),
        (rest) => rest.executions({ from: '20261112', to: '20261116' }),
        'real',
        { isOpenDay: (day) => day !== '20261114' && day !== '20261115' },
      )
      expect(value?.map(({ day }) => day)).toEqual(['20261112', '20261113', '20261116'])
      expect(seen).toHaveLength(4)
    })

    test('a single day of trading that is refused is a failure, one without trading is empty', async () => {
      const found = [true, false].map((isOpen) =>
        asking(
          () => refusal,
          (rest) => rest.executions(today),
          'real',
          { isOpenDay: () => isOpen },
        ),
      )
      const [open, closed] = await Promise.all(found)
      expect(open?.error).toMatchObject({ code: 'KIER2570' })
      expect(closed?.value).toEqual([])
    })
  })

  test('nothing to show is an empty list', async () => {
    const empty: Reply = { cont: 'D', body: { ...ok({ output1: [], output2: {} }), msg_cd: 'KIOK0560' } }
    expect(
      (
        await asking(
          () => empty,
          (rest) => rest.executions(today),
        )
      ).value,
    ).toEqual([])
  })

  test.each(['240000', '236100', '996000', '09:33:55', 'abc', '1'.repeat(30)])(
    'a row at %s keeps no fill from being booked: it has no time, which is reported once by its order',
    async (ord_tmd) => {
      const problems: Error[] = []
      const rows = [{ ...ORDER_ROW, ord_tmd }, CANCEL_ROW]
      await using broker = await startBroker(({ path }) => (path.startsWith('/oauth2/') ? undefined : page(rows, 'D')))
      const { rest } = clientOf(broker.url, { onProblem: (error) => void problems.push(error) })
      await rest.executions(today)
      const [order, cancel] = await rest.executions(today)
      await rest.close()
      expect(order).toMatchObject({ odno: '0000012345', orderedAt: null, filledCount: 4, filledAmount: 279_600 })
      expect(cancel).toMatchObject({ odno: '0000012399', orderedAt: Date.parse('2026-11-16T00:35:02Z') })
      expect(problems).toEqual([expect.any(ProtocolError)])
      expect(problems[0]?.message).toContain(`0000012345 of 20261116 at ${ord_tmd.slice(0, 20)},`)
    },
  )

  test('a row without a time has none: midnight would be before every order of ours', async () => {
    const { value } = await asking(
      () => page([{ ...ORDER_ROW, ord_tmd: ' ' }], 'D'),
      (rest) => rest.executions(today),
    )
    expect(value?.[0]).toMatchObject({ orderedAt: null, filledCount: 4 })
  })

  const named = { day: '20261116', odno: '0000012345', originalOdno: null, code: '005930' }
  test.each<[string, object, object]>([
    ['no remaining count', { rmn_qty: ' ' }, { ...named, what: 'rmn_qty is blank' }],
    ['no number', { odno: '' }, { ...named, odno: null, what: 'odno is blank' }],
    ['no calendar day', { ord_dt: '20261131' }, { ...named, day: null, what: 'ord_dt is no day' }],
    ['a blank day', { ord_dt: ' ' }, { ...named, day: null, what: 'ord_dt is blank' }],
    ['an unknown side', { sll_buy_dvsn_cd: '09' }, { ...named, what: expect.stringContaining('sll_buy_dvsn_cd') }],
    ['a fraction of a share', { ord_qty: '0.5' }, { ...named, what: 'ord_qty is not whole: 0.5' }],
    ['no code', { pdno: '' }, { ...named, code: null, what: 'pdno is blank' }],
    [
      'an odd amount, and an order that it changes',
      { tot_ccld_amt: 'x', orgn_odno: '0000000007' },
      { ...named, originalOdno: '0000000007', what: 'tot_ccld_amt is not a number: x' },
    ],
  ])('a row with %s is named beside the others, and reported once', async (_name, change, expected) => {
    const problems: Error[] = []
    const rows = [{ ...ORDER_ROW, ...change }, CANCEL_ROW]
    await using broker = await startBroker(({ path }) => (path.startsWith('/oauth2/') ? undefined : page(rows, 'D')))
    const { rest } = clientOf(broker.url, { onProblem: (error) => void problems.push(error) })
    await rest.executions(today)
    const list = await rest.executions(today)
    await rest.close()
    expect([list.map(({ odno }) => odno), list.unreadable]).toEqual([['0000012399'], [expected]])
    expect(problems).toEqual([expect.any(ProtocolError)])
    expect(problems[0]?.message).toContain('cannot be read')
  })

  test('where every row can be read there is none that cannot', async () => {
    const { value } = await asking(
      () => page([ORDER_ROW], 'D'),
      (rest) => rest.executions(today),
    )
    expect(value?.unreadable).toEqual([])
  })

  test.each<[string, Reply]>([
    ['no list in the answer', { body: ok({ output2: {} }) }],
    ['a row that is none', { cont: 'D', body: ok({ output1: ['0000012345'] }) }],
  ])('%s is an error, never an empty list', async (_name, reply) => {
    const { error } = await asking(
      () => reply,
      (rest) => rest.executions(today),
    )
    expect(error).toBeInstanceOf(ProtocolError)
  })
})

describe('open orders', () => {
  test('real: the list of what can be cancelled', async () => {
    const row = { ...ORDER_ROW, psbl_qty: '6', excg_id_dvsn_cd: 'SOR' }
    const reply: Reply = { cont: 'D', body: ok({ output: [row, { ...row, odno: '7', psbl_qty: '0' }] }) }
    const { value, seen } = await asking(
      () => reply,
      (rest) => rest.openOrders(),
    )
    expect(value).toHaveLength(1)
    expect(value?.[0]).toMatchObject({ remainingCount: 6, venue: 'SOR', day: '20261116', cancelled: false })
    expect(seen[0]?.trId).toBe('TTTC0084R')
  })

  test('paper: unfilled rows of today, without those cancelled', async () => {
    const rows = [
      { ...ORDER_ROW, tot_ccld_qty: '0', rmn_qty: '10' },
      { ...ORDER_ROW, odno: '8', tot_ccld_qty: '0', rmn_qty: '10', cncl_yn: 'Y' },
    ]
    const { value, seen } = await asking(
      () => page(rows, 'D'),
      (rest) => rest.openOrders(),
      'paper',
    )
    expect(value?.map(({ odno }) => odno)).toEqual(['0000012345'])
    expect(seen[0]?.query).toMatchObject({ CCLD_DVSN: '02', INQR_STRT_DT: '20261116' })
  })

  test('paper: a row that cannot be read is an error, for it may be open', async () => {
    const { error } = await asking(
      () => page([ORDER_ROW, { ...ORDER_ROW, odno: '8', rmn_qty: '' }], 'D'),
      (rest) => rest.openOrders(),
      'paper',
    )
    expect(error).toBeInstanceOf(ProtocolError)
  })
})
