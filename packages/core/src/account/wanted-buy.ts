import { planBuy } from '../ladder/buy.ts'
import { heldAmount } from './expected-shares.ts'
import { maxSharesOf } from './limits/first-days.ts'
import { liveBuyAmount } from './limits/use.ts'
import { liveOrders } from './step-builder.ts'
import type { Quote } from './step-types.ts'
import type { Book, BuyPlan, Stock } from './types.ts'

/** What the settings ask to buy at this price, as the account is. `buyableCount`: shares that the cash pays; null: it is not judged. */
export const wantedBuy = (book: Book, stock: Stock, quote: Quote, buyableCount: number | null): BuyPlan =>
  planBuy({
    settings: stock.settings,
    kind: stock.issue.kind,
    heldAmount: heldAmount(stock),
    liveBuyAmount: liveBuyAmount(liveOrders(book, stock.issue.code)),
    price: quote.price,
    buyableCount,
    ...maxSharesOf(book.limits),
    band: quote.band,
  })
