import type { AccountSummary, Balance } from '@digger/contract'
import { type Book, isLive, kstIso, knownSum, mattersOf, stockBuyAmount } from '@digger/core'
import type { Accounts } from '@digger/engine'
import type { z } from 'zod'
import { type StockShown, stockView } from './stockView.ts'

/** What is held and what it is worth. `deposit`: won; null: not known. */
export function balanceView(accounts: Accounts, userId: string, deposit: number | null, shown: StockShown): Balance {
  const book = accounts.book(userId)
  const held = [...book.stocks.values()].filter(({ lots }) => lots.length > 0)
  const list = held.map((stock) => stockView(accounts, userId, stock, shown))
  const value = knownSum(list.map(({ remainCount: count, price }) => price && count * price))
  const all = [...book.stocks.values()].reduce((sum, { accGainAmount }) => sum + accGainAmount, 0)
  return {
    depositAmount: deposit,
    stockBuyAmount: stockBuyAmount(book),
    stockValueAmount: value,
    totalAmount: knownSum([deposit, value]),
    today: { ...realisedOf(book), open: knownSum(list.map(({ today }) => today.open)) },
    accGainAmount: shown.withSavedGain ? all : 0,
    list,
  }
}

/** The whole account's of its day. */
function realisedOf({ realisedToday, gainToday }: Book): Pick<Balance['today'], 'realised' | 'realisedNet'> {
  const realised = [...realisedToday.values()].reduce((sum, { gross }) => sum + gross, 0)
  return { realised, realisedNet: gainToday }
}

/** As the administrators' list shows an account: without a call of the broker. */
export function summaryView(
  accounts: Accounts,
  userId: string,
  deposit: number | null,
): z.infer<typeof AccountSummary> {
  const { totalAmount, today } = balanceView(accounts, userId, deposit, { withSavedGain: false })
  const book = accounts.book(userId)
  const orders = [...book.orders.values()]
  const last = orders.filter(({ day }) => day === book.day).reduce((at, { createdAt }) => Math.max(at, createdAt), 0)
  return {
    totalAmount,
    realisedNet: today.realisedNet,
    openGain: today.open,
    openOrders: orders.filter(({ status }) => isLive(status)).length + accounts.strangers(userId).length,
    lastOrderAt: last === 0 ? null : kstIso(last),
    differences: Object.values(mattersOf({ book }).stocks).reduce((sum, count) => sum + count, 0),
    stop: book.stop,
  }
}
