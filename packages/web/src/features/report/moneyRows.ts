import type { Reply } from '@digger/contract'
import { weekday } from '@digger/core'

export type MoneyDay = Reply<'money'>[number]
interface MoneyRow extends MoneyDay {
  totalMoney: number
  /** Changes against the next listed (earlier) entry; null for the last one. */
  depositPlus: number | null
  stockBuyPlus: number | null
  totalMoneyPlus: number | null
}

/** Total = deposit + stock purchase + bank balance. */
export const totalOf = ({ depositAmount, stockBuyAmount, bankBalanceAmount }: MoneyDay): number =>
  depositAmount + stockBuyAmount + bankBalanceAmount

const SUNDAY = 0
const SATURDAY = 6
const isWeekend = (date: string): boolean => [SUNDAY, SATURDAY].includes(weekday(date))

/** Without the days of a weekend on which nothing moved: they say what the day before them says. Newest first. */
export const withoutQuietWeekends = (days: readonly MoneyDay[]): MoneyDay[] =>
  days.filter((day, at) => {
    const before = days[at + 1]
    return before === undefined || !isWeekend(day.date) || !sameMoney(day, before)
  })

const sameMoney = (a: MoneyDay, b: MoneyDay): boolean =>
  a.depositAmount === b.depositAmount &&
  a.stockBuyAmount === b.stockBuyAmount &&
  a.bankBalanceAmount === b.bankBalanceAmount

/** Entries as they are listed, newest first, each with its change. */
export function moneyRows(days: readonly MoneyDay[]): MoneyRow[] {
  return days.map((day, index) => {
    const before = days[index + 1]
    const plus = (of: (day: MoneyDay) => number) => (before ? of(day) - of(before) : null)
    return {
      ...day,
      totalMoney: totalOf(day),
      depositPlus: plus(({ depositAmount }) => depositAmount),
      stockBuyPlus: plus(({ stockBuyAmount }) => stockBuyAmount),
      totalMoneyPlus: plus(totalOf),
    }
  })
}
