import { isShadowed } from './refuse-shadowed.ts'
import type { Account, Context, Quote } from './step-types.ts'

/** What an order by hand is quoted from. */
export interface Quoted {
  readonly account: Account
  readonly ctx: Context
  /** It is only rehearsed. */
  readonly shadow: boolean
}

/**
 * Of a stock that is only rehearsed a person's order goes into its rehearsal, which no switch refuses: so it is quoted as if there were
 * none. Nothing of the copy is ever sent.
 */
export function asQuoted(account: Account, ctx: Context, code: string): Quoted {
  const stock = account.book.stocks.get(code)
  if (stock === undefined || !isShadowed(stock, ctx)) return { account, ctx, shadow: false }
  const { shadow: _, ...open } = ctx
  const stocks = new Map(account.book.stocks).set(code, { ...stock, shadow: false })
  return { account: { ...account, book: { ...account.book, stocks } }, ctx: open, shadow: true }
}

/** The price an order is decided by: the last of the venues that this account orders at. */
export interface DecidedBy {
  /** Won. */
  readonly price: number
  /** Since when it is known, epoch ms. */
  readonly at: number
}

export const decidedBy = (quote: Quote | undefined): DecidedBy | null =>
  quote === undefined || quote.price === 0 ? null : { price: quote.price, at: quote.shownAt ?? quote.at }
