import type { Reply } from '@digger/contract'

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
