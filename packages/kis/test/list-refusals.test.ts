import { describe, expect, test } from 'vitest'
import { DaysRefusedError, PartialListError } from '../src/index.ts'
import type { ExecutionsQuery } from '../src/index.ts'
import { asking, bad, NOW, ok } from './broker.ts'
import type { Reply, Seen } from './broker.ts'
import { ORDER_ROW, page, today } from './ledger-rows.ts'

/** What the broker answers where it lists neither these days together nor this one. */
const REFUSED: Reply = { body: bad('KIER2570', '조회일자를 확인하십시오', '7') }
const CHANGED: Reply = { body: bad('SYDB0050', '조회이후에 자료가 변경되었습니다') }

const daysOf = ({ query }: Seen): string =>
  query['INQR_STRT_DT'] === query['INQR_END_DT']
    ? (query['INQR_STRT_DT'] ?? '').slice(4)
    : `${query['INQR_STRT_DT']?.slice(4)}-${query['INQR_END_DT']?.slice(4)}`
const isRange = ({ query }: Seen): boolean => query['INQR_STRT_DT'] !== query['INQR_END_DT']

/** One order a day, from a broker that refuses ranges and the days given. */
const oneADay =
  (...refused: string[]) =>
  (seen: Seen): Reply => {
    const day = seen.query['INQR_STRT_DT'] ?? ''
    return isRange(seen) || refused.includes(day) ? REFUSED : page([{ ...ORDER_ROW, ord_dt: day }], 'D')
  }

const read = async (answer: (seen: Seen, nth: number) => Reply, query: ExecutionsQuery) => {
  const { value, error, seen } = await asking(answer, (rest) => rest.executions(query))
  return { error, asked: seen.map(daysOf), days: value?.map(({ day }) => day.slice(4)), leftAt: value?.leftAt }
}

describe('a broker that refuses days (KIER2570)', () => {
  const week = { from: '20261112', to: '20261116' }

  test('a range that it answers is asked once', async () => {
    const { asked } = await read(() => page([ORDER_ROW], 'D'), week)
    expect(asked).toEqual(['1112-1116'])
  })

  test('a range that it refuses is asked day by day, without the weekend', async () => {
    const { asked, days, leftAt } = await read(oneADay(), week)
    expect(asked).toEqual(['1112-1116', '1112', '1113', '1116'])
    expect(days).toEqual(['1112', '1113', '1116'])
    expect(leftAt).toBe(NOW)
  })

  test('the days of the caller’s calendar, and the first and last whatever it says', async () => {
    const { asked, days } = await read(oneADay(), { ...week, isOpenDay: (day) => day === '20261114' })
    expect(asked).toEqual(['1112-1116', '1112', '1114', '1116'])
    expect(days).toEqual(['1112', '1114', '1116'])
  })

  test('a closed day that it refuses has no orders', async () => {
    const { days } = await read(oneADay('20261116'), { ...week, isOpenDay: (day) => day === '20261112' })
    expect(days).toEqual(['1112'])
  })

  test('an open day that it refuses is a failure: nothing is known of it', async () => {
    const { error } = await read(oneADay('20261113'), week)
    expect(error).toBeInstanceOf(DaysRefusedError)
    expect(error).toMatchObject({ code: 'KIER2570', message: '조회일자를 확인하십시오' })
  })

  test.each([
    ['open', true, undefined],
    ['closed', false, []],
  ])('a single day that is %s is not asked twice', async (_name, isOpen, expected) => {
    const { error, asked, days } = await read(() => REFUSED, { ...today, isOpenDay: () => isOpen })
    expect([asked, days, error instanceof DaysRefusedError]).toEqual([['1116'], expected, isOpen])
  })

  test('any other refusal of a range is a failure', async () => {
    const { error, asked } = await read(() => ({ body: bad('APBK0918', '거절', '7') }), week)
    expect([error instanceof DaysRefusedError, asked]).toEqual([false, ['1112-1116']])
  })

  test('one half of a range over three months may be refused, and is asked on its own', async () => {
    const query = { from: '20260730', to: '20260803', isOpenDay: () => true }
    const { asked } = await read((seen) => (daysOf(seen) === '0730-0731' ? REFUSED : page([], 'D')), query)
    expect(asked).toEqual(['0730-0731', '0730', '0731', '0801-0803'])
  })

  test('so many days that single questions would keep the ledger busy for long stay refused', async () => {
    const open = { isOpenDay: () => true }
    const month = await read(oneADay(), { from: '20261001', to: '20261031', ...open })
    expect(month.days).toHaveLength(31)
    const more = await read(oneADay(), { from: '20261001', to: '20261101', ...open })
    expect([more.error instanceof DaysRefusedError, more.asked]).toEqual([true, ['1001-1101']])
  })
})

const sideOf = ({ query }: Seen): string => query['SLL_BUY_DVSN_CD'] ?? ''
const isNext = ({ headers }: Seen): boolean => headers['tr_cont'] === 'N'
const rowOf = (number: number, side = number % 2 === 0 ? '01' : '02') => ({
  ...ORDER_ROW,
  odno: String(number).padStart(10, '0'),
  sll_buy_dvsn_cd: side,
})
type Row = ReturnType<typeof rowOf>
const numbered = (from: number, to: number): Row[] =>
  Array.from({ length: to - from + 1 }, (_, i) => rowOf(from + i)).toReversed()
/** A broker that answers by side, newest first; between its pages `changes` says what to answer. */
const bySide =
  (rows: readonly Row[], changes: (seen: Seen) => boolean) =>
  (seen: Seen): Reply => {
    if (isNext(seen) && changes(seen)) return CHANGED
    const side = sideOf(seen)
    const list = rows.filter((row) => side === '00' || row.sll_buy_dvsn_cd === side)
    const start = isNext(seen) ? 100 : 0
    return page(list.slice(start, start + 100), list.length > start + 100 ? 'F' : 'E', { ctx_area_nk100: 'next' })
  }
const always = (): boolean => true
const allButSells = (seen: Seen): boolean => sideOf(seen) !== '01'
const ofAll = (seen: Seen): boolean => sideOf(seen) === '00'
const asked = (calls: readonly Seen[]): string[] => calls.map((call) => `${sideOf(call)}${isNext(call) ? ' next' : ''}`)

describe('a list that changes between its pages (SYDB0050)', () => {
  test('it is read by side, and no page of up to a hundred sells and a hundred buys can change', async () => {
    const { value, seen } = await asking(bySide(numbered(1, 200), always), (rest) => rest.executions(today))
    expect([...new Set(value?.map(({ odno }) => Number(odno)))].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 200 }, (_, i) => i + 1),
    )
    expect(asked(seen)).toEqual(['00', '00 next', '01', '02'])
  })

  test('one that does not change is read as it is', async () => {
    const { value, seen } = await asking(
      bySide(numbered(1, 150), () => false),
      (rest) => rest.executions(today),
    )
    expect([value?.length, asked(seen)]).toEqual([150, ['00', '00 next']])
  })

  test('a longer side that changes is read from its first page once more', async () => {
    let broken = 0
    const changes = (seen: Seen): boolean => ofAll(seen) || (sideOf(seen) === '02' && ++broken === 1)
    const { value, seen } = await asking(bySide(numbered(1, 220), changes), (rest) => rest.executions(today))
    expect(value).toHaveLength(220)
    expect(asked(seen)).toEqual(['00', '00 next', '01', '01 next', '02', '02 next', '02', '02 next'])
  })

  test('a side that changes under every walk is a failure, with what all pages showed', async () => {
    const { value, error } = await asking(bySide(numbered(1, 300), allButSells), (rest) => rest.executions(today))
    expect([value, error]).toEqual([null, expect.any(PartialListError)])
    // All sells, and the newest hundred buys.
    expect(error instanceof PartialListError && [error.seen.length, error.seen.leftAt]).toEqual([250, NOW])
  })

  test('sides that lack an order which the list of both has shown are not believed', async () => {
    const all = bySide(numbered(1, 150), always)
    const { value, error } = await asking(
      (seen) => (sideOf(seen) === '01' ? page([], 'D') : all(seen)),
      (rest) => rest.executions(today),
    )
    expect([value, error]).toEqual([null, expect.any(PartialListError)])
    expect(error instanceof PartialListError && error.seen.length).toBe(125)
  })

  test('a row without a side that can be read is on neither, and is named all the same', async () => {
    const rows = [rowOf(201, '03'), ...numbered(1, 150)]
    const { value } = await asking(bySide(rows, always), (rest) => rest.executions(today))
    expect([value?.length, value?.unreadable?.map(({ odno }) => odno)]).toEqual([150, ['0000000201']])
  })

  test('what filled between two of its pages counts as the later one shows it', async () => {
    const rows = numbered(1, 150)
    const filled = rows.map((row) => ({ ...row, tot_ccld_qty: '7', rmn_qty: '3' }))
    const { value } = await asking(
      (seen) => bySide(ofAll(seen) ? rows : filled, always)(seen),
      (rest) => rest.executions(today),
    )
    expect(new Set(value?.map(({ filledCount }) => filledCount))).toEqual(new Set([7]))
  })

  test('its time is that of the first side', async () => {
    let now = NOW
    const answer = bySide(numbered(1, 150), always)
    const { value } = await asking(
      (seen) => {
        now += 1_000
        return answer(seen)
      },
      (rest) => rest.executions(today),
      'real',
      { now: () => now },
    )
    expect(value?.leftAt).toBe(NOW + 2_000)
  })

  test('from then on it is read by side at once, after the page with the newest orders', async () => {
    const { value, seen } = await asking(bySide(numbered(1, 200), always), async (rest) => {
      await rest.executions(today)
      return rest.executions(today)
    })
    expect([value?.length, asked(seen).slice(4)]).toEqual([200, ['00', '01', '02']])
  })

  test('another day is read as it is', async () => {
    const { seen } = await asking(bySide(numbered(1, 150), ofAll), async (rest) => {
      await rest.executions(today)
      return rest.executions({ from: '20261113', to: '20261113' })
    })
    expect(asked(seen).slice(4)).toEqual(['00', '00 next', '01', '02'])
  })

  test('the newest page tells whether the sides can be believed, and what has none', async () => {
    const rows = numbered(1, 150)
    let isOdd = false
    const { value, error } = await asking(
      (seen) => {
        if (sideOf(seen) === '01' && isOdd) return page([], 'D')
        return bySide(isOdd ? [rowOf(201, '03'), ...rows] : rows, always)(seen)
      },
      async (rest) => {
        await rest.executions(today)
        isOdd = true
        return rest.executions(today)
      },
    )
    expect([value, error]).toEqual([null, expect.any(PartialListError)])
    expect(error instanceof PartialListError && error.seen.unreadable?.map(({ odno }) => odno)).toEqual(['0000000201'])
  })

  test('what is open alone has no sides: an order that fills in between would be on neither', async () => {
    const { error, seen } = await asking(bySide(numbered(1, 150), always), (rest) =>
      rest.executions({ ...today, unfilledOnly: true }),
    )
    expect([error instanceof PartialListError, asked(seen)]).toEqual([true, ['00', '00 next', '00', '00 next']])
  })

  test('of holdings, too', async () => {
    const { value } = await asking(
      (_seen, nth) =>
        nth === 1 ? CHANGED : { cont: 'D', body: ok({ output1: [], output2: [{ prvs_rcdl_excc_amt: '7' }] }) },
      (rest) => rest.balance(),
    )
    expect(value?.depositAmount).toBe(7)
  })
})

const state = (filled: number, remaining: number, more = {}) => ({
  ...ORDER_ROW,
  tot_ccld_qty: String(filled),
  tot_ccld_amt: String(filled * 70_000),
  rmn_qty: String(remaining),
  ...more,
})
const listed = async (...rows: object[]) => {
  const { value } = await asking(
    () => page(rows, 'D'),
    (rest) => rest.executions(today),
  )
  return value?.map(({ filledCount, remainingCount }) => `${filledCount}/${remainingCount}`)
}

describe('the same order twice', () => {
  test.each<[string, object, object, string[]]>([
    ['alike', state(4, 6), state(4, 6), ['4/6']],
    ['filled further on the later page', state(4, 6), state(7, 3), ['7/3']],
    ['filled further on the earlier one', state(7, 3), state(4, 6), ['7/3']],
    ['cancelled meanwhile', state(4, 6), state(4, 6, { cncl_yn: 'Y' }), ['4/0']],
    ['cancelled, then shown as before', state(4, 6, { cncl_yn: 'Y' }), state(4, 6), ['4/0']],
    ['of another branch', state(4, 6), state(7, 3, { ord_gno_brno: '06020' }), ['4/6', '7/3']],
    ['of another day', state(4, 6), state(7, 3, { ord_dt: '20261113' }), ['7/3', '4/6']],
    ['of another stock under one number', state(4, 6), state(7, 3, { pdno: '000660' }), ['4/6', '7/3']],
    ['of the other side under one number', state(4, 6), state(7, 3, { sll_buy_dvsn_cd: '01' }), ['4/6', '7/3']],
    ['of another count under one number', state(4, 6), state(4, 5, { ord_qty: '9' }), ['4/6', '4/5']],
    ['once as a change of another', state(4, 6), state(0, 0, { orgn_odno: '7' }), ['4/6', '0/0']],
  ])('%s', async (_name, one, other, expected) => expect(await listed(one, other)).toEqual(expected))

  test('the state does not depend on how the rows were mixed', async () => {
    const states = [state(0, 10), state(4, 6), state(10, 0)]
    for (const rows of [states, states.toReversed(), [...states, ...states]])
      expect(await listed(...rows)).toEqual(['10/0'])
  })
})
