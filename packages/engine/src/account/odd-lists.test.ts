import { emptyBook, evolve, type Order, type Timetable } from '@digger/core'
import { TestClock } from '@digger/database/testing'
import type { ExecutionsQuery, KisExecution, KisUnreadableHolding, KisUnreadableRow } from '@digger/kis'
import { expect, test } from 'vitest'
import { execution, fakeKis } from '@digger/prices/testing'
import { orderOf } from '../../test/orders.ts'
import { SETTINGS } from '@digger/storage/testing'
import { BrokerLists } from './broker-lists.ts'

const TODAY = '20261122'
const WANTED = { from: TODAY, to: TODAY, compare: true }
const TIMETABLE: Timetable = { hours: 'krx', closed: new Set(['20261118']), special: new Map() }

/** A reading of a list and of holdings with rows that could not be read. */
function oddLists(
  order: Partial<Order>,
  unreadable: { rows?: KisUnreadableRow[]; holdings?: KisUnreadableHolding[] },
  readable: readonly KisExecution[] = [],
) {
  const usual = fakeKis()
  const asked: ExecutionsQuery[] = []
  const rest = fakeKis({
    executions: async (query) => {
      asked.push(query)
      return Object.assign([...readable], { leftAt: 1, unreadable: unreadable.rows ?? [] })
    },
    balance: async () => ({ ...(await usual.balance()), unreadable: unreadable.holdings ?? [] }),
  })
  const issue = { code: '005930', kind: 'stock', market: 'KOSPI', nxt: false } as const
  const added = { kind: 'stockAdded', code: '005930', name: '삼성전자', issue, settings: SETTINGS, at: 0 } as const
  const book = { ...evolve(emptyBook(TODAY), added), orders: new Map([[1, orderOf({ day: TODAY, ...order })]]) }
  const reader = { book: () => book, timetable: () => TIMETABLE }
  return { reader: new BrokerLists(rest, new TestClock(1_000), reader, () => undefined), asked }
}
const odd = { day: TODAY, odno: '0000000321', originalOdno: null, code: '005930', what: 'ord_qty is not whole: 0.5' }

test('a row of somebody else that cannot be read keeps nothing from being booked', async () => {
  const { reader } = oddLists({ status: 'open', odno: '0000000007' }, { rows: [odd] })
  expect((await reader.readInTurn(WANTED))?.kind).toBe('snapshot')
})

test('a row of our own that cannot be read ends the reading, with its number for people', async () => {
  const { reader } = oddLists({ status: 'open', odno: odd.odno }, { rows: [odd] })
  expect(await reader.readInTurn(WANTED)).toEqual({
    kind: 'snapshotFailed',
    text: `증권사 목록에서 주문 ${odd.odno}의 내용을 읽지 못했습니다. 증권사 앱에서 확인해 주세요.`,
    seen: { askedAt: 1, executions: [] },
    isLasting: true,
  })
  await expect(reader.check(TODAY, TODAY)).rejects.toThrow(odd.odno)
})

test('what the list shows of other orders is told all the same: their fills must not wait for that row', async () => {
  const filled = execution({ day: TODAY, odno: '0000000007', filledCount: 2, remainingCount: 0 })
  const { reader } = oddLists({ status: 'open', odno: odd.odno }, { rows: [odd] }, [filled])
  const event = await reader.readInTurn(WANTED)
  expect(event).toMatchObject({ kind: 'snapshotFailed', seen: { executions: [filled] } })
})

test.each([
  ['000660', 'snapshot'],
  ['005930', 'snapshotFailed'],
])('of holdings that cannot be read, %s: %s', async (code, kind) => {
  const { reader } = oddLists({}, { holdings: [{ code, what: 'hldg_qty is not whole: 1.5' }] })
  await reader.readInTurn(WANTED)
  expect((await reader.readInTurn(WANTED))?.kind).toBe(kind)
})

test('where the broker refuses the range the account needs today and the days of its orders, people every open day', async () => {
  const { reader, asked } = oddLists({ status: 'open', day: '20261118' }, {})
  const week = ['20261117', '20261118', '20261119', '20261120', '20261121', TODAY]
  const wanted = { from: '20261117', to: '20261120' }
  await reader.readInTurn({ ...wanted, compare: false })
  // 18 November is a closed day of this calendar, and yet the order is of that day.
  expect(week.filter((day) => asked[0]?.isOpenDay?.(day))).toEqual(['20261118', '20261120'])
  await reader.check(wanted.from, wanted.to)
  expect(week.filter((day) => asked[1]?.isOpenDay?.(day))).toEqual(['20261117', '20261118', '20261119', '20261120'])
})

test('today counts as closed where the calendar closes it, unless there is an order of it', async () => {
  const days = async (day: string): Promise<boolean | undefined> => {
    const { reader, asked } = oddLists({ status: 'open', day }, {})
    await reader.readInTurn({ from: '20261117', to: TODAY, compare: false })
    return asked[0]?.isOpenDay?.(TODAY)
  }
  expect([await days('20261117'), await days(TODAY)]).toEqual([false, true])
})
