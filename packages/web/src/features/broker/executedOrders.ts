import type { Reply } from '@digger/contract'
import { perShareUp } from '@digger/core'

export type ExecutedOrder = Reply<'ordered'>[number]
/** `amount`: won of all orders that a merged row stands for; shares × the rounded average is another. */
export type ShownOrder = ExecutedOrder & { readonly amount?: number }

/** Merged view: one row per code and order type; price is the rounded-up average, without a date. */
export function merge(list: readonly ExecutedOrder[]): ShownOrder[] {
  const groups = new Map<string, ExecutedOrder & { amount: number }>()
  for (const row of list) {
    const key = `${row.code} ${row.orderType}`
    const group = groups.get(key) ?? { ...row, orderDateTime: null, qty: 0, amount: 0 }
    groups.set(key, { ...group, qty: group.qty + row.qty, amount: group.amount + row.qty * row.price })
  }
  return [...groups.values()].map((row) => ({ ...row, price: row.qty === 0 ? 0 : perShareUp(row.amount, row.qty) }))
}

/** Shares and won by side, and the gap: sold minus bought. */
export function sums(list: readonly ExecutedOrder[]) {
  const of = (type: ExecutedOrder['orderType']) => {
    const rows = list.filter(({ orderType }) => orderType === type)
    return {
      count: rows.reduce((sum, { qty }) => sum + qty, 0),
      amount: rows.reduce((sum, { qty, price }) => sum + qty * price, 0),
    }
  }
  const buy = of('BUY')
  const sell = of('SELL')
  return { buy, sell, gap: sell.amount - buy.amount }
}
