import { type GainDay, Refused } from '@digger/contract'
import { gainRatio, kstDay, monthRange, stockBuyAmount } from '@digger/core'
import { gainRows, moneyDays, setBankBalance, stockView, type GainRow } from '@digger/screens'
import type { Given, Handlers } from '../http/handler.ts'
import type { Services } from '../services.ts'

type AccountCalls = 'balance' | 'gain' | 'adminGain' | 'money' | 'adminMoney' | 'setBankBalance'

export function accountHandlers(services: Services): Pick<Handlers, AccountCalls> {
  const { accounts, balances, database, clock } = services
  const gain = async ({ userId, query }: Given<'gain'> | Given<'adminGain'>) => {
    const { from, to } = monthOrRange(query, clock.now())
    return byDay(await gainRows(database.db, userId, from, to))
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
      const book = accounts.book(userId)
      const held = [...book.stocks.values()].filter(({ lots }) => lots.length > 0)
      return {
        depositAmount,
        stockBuyAmount: stockBuyAmount(book),
        list: held.map((stock) => stockView(accounts, userId, stock, query)),
      }
    },
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
  if (from > to) throw new Refused('INVALID', 'fromDate: 시작일이 종료일보다 늦습니다. 날짜를 바꿔 주세요.')
  return { from, to }
}

/** Rows come newest day first; the days keep that order. */
function byDay(rows: readonly GainRow[]): GainDay[] {
  const days = Map.groupBy(rows, ({ day }) => day)
  return [...days].map(([date, ofDay]) => ({
    date,
    gain: total(ofDay),
    stockGainList: ofDay.map((row) => ({ code: row.code, name: row.name ?? row.code, gain: total([row]) })),
  }))
}

function total(rows: readonly GainRow[]): GainDay['gain'] {
  const sum = (pick: (row: GainRow) => number) => rows.reduce((all, row) => all + pick(row), 0)
  const buyAmount = sum(({ buy }) => buy)
  const gainAmount = sum(({ gain }) => gain)
  return { buyAmount, gainAmount, gainRatio: gainRatio(gainAmount, buyAmount), netGainAmount: sum(({ net }) => net) }
}
