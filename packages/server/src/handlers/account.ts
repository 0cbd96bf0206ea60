import { Refused } from '@digger/contract'
import { kstDay, monthRange, morningIdle, type MorningIdle } from '@digger/core'
import { balanceView, gainDays, moneyDays, morningView, setBankBalance, todayView } from '@digger/screens'
import type { Given, Handlers } from '@digger/http'
import type { Services } from '../services.ts'

type AccountCalls = 'today' | 'morning' | 'balance' | 'gain' | 'adminGain' | 'money' | 'adminMoney' | 'setBankBalance'

export function accountHandlers(services: Services): Pick<Handlers, AccountCalls> {
  const { accounts, balances, database, clock } = services
  const gain = async ({ userId, query }: Given<'gain'> | Given<'adminGain'>) => {
    const { from, to } = monthOrRange(query, clock.now())
    return gainDays(database.db, userId, from, to)
  }
  /** Side effects where today is asked for: the broker is called and today's entry written, so that it is never old. */
  const money = async ({ userId, query }: Given<'money'> | Given<'adminMoney'>) => {
    const { from, to } = monthOrRange(query, clock.now())
    const today = kstDay(clock.now())
    if (from <= today && today <= to) await balances.refreshDeposit(userId)
    const days = await moneyDays(database.db, userId, from, to)
    return days.map((row) => ({
      date: row.day,
      depositAmount: row.deposit_amount,
      stockBuyAmount: row.stock_buy_amount,
      bankBalanceAmount: row.bank_balance,
    }))
  }
  return {
    /** Side effects: the broker is called and today's money entry written. */
    async balance({ userId, query }) {
      const depositAmount = await balances.refreshDeposit(userId)
      return balanceView(accounts, userId, depositAmount, query)
    },
    morning({ userId }) {
      return morningView(accounts.book(userId), accounts.morning(userId), idleOf(accounts, userId))
    },
    today: ({ userId }) => todayView({ accounts, db: database.db, now: clock.now() }, userId),
    gain,
    adminGain: gain,
    money,
    adminMoney: money,
    async setBankBalance({ userId, body, note }) {
      await setBankBalance(database.db, userId, kstDay(clock.now()), body.amount)
      note(`${body.amount}원`)
      return {}
    },
  }
}

interface Range {
  readonly from: string
  readonly to: string
}
interface RangeQuery {
  readonly fromDate?: string | undefined
  readonly toDate?: string | undefined
}

/** The range of the query; an end that is missing is the current month's. */
const monthOrRange = (query: RangeQuery, now: number): Range => rangeOf(query, monthRange(kstDay(now)))

/** The range of the query; an end that is missing is today. */
export const todayOrRange = (query: RangeQuery, now: number): Range =>
  rangeOf(query, { from: kstDay(now), to: kstDay(now) })

/** The range of the query; Refused where it ends before it begins. */
export function rangeOf(query: RangeQuery, otherwise: Range): Range {
  const from = query.fromDate ?? otherwise.from
  const to = query.toDate ?? (otherwise.to < from ? from : otherwise.to)
  if (from > to) throw new Refused('INVALID', '시작일이 종료일보다 늦습니다. 날짜를 바꿔 주세요.')
  return { from, to }
}

/** Why nothing automatic of an account of this process leaves, whatever its morning check says; null: it does. */
export const idleOf = (accounts: Services['accounts'], userId: string): MorningIdle | null =>
  morningIdle(accounts.book(userId), { serverStop: accounts.serverStop(), shadow: accounts.rehearsesAll() })
