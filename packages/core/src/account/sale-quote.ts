import type { Venue } from '../krx/types.ts'
import { remainCount } from '../ladder/buy.ts'
import type { CommandOf } from './command-result.ts'
import { costShare } from './cost-share.ts'
import { handleSaleCommand, sellableByHand } from './sale-commands.ts'
import { asQuoted, decidedBy, type DecidedBy } from './quoted-account.ts'
import { byTarget, priceOf, sizesOf, withoutKept } from './sale-orders.ts'
import { StepBuilder } from './step-builder.ts'
import type { Account, Context } from './step-types.ts'
import type { HeldLot } from './types.ts'
import { routeOf } from './venues.ts'

export type SaleCommand = CommandOf<'sellTrade' | 'sellStock' | 'sellAtPrice' | 'sellAtMarket'>

/** What a sale by hand would do in this moment. */
export interface SaleQuote {
  /** Why it would be refused; null where it would not. */
  readonly refusal: string | null
  /** Shares that may be sold by hand now: not those whose buy is at work, nor those that a person's order offers. */
  readonly free: number
  /** Null: nothing is taken now. */
  readonly venue: Venue | null
  /** As they would be sent; `price` in won, null at the market. None: what is asked rests already. */
  readonly orders: readonly { readonly count: number; readonly price: number | null }[]
  /** What would be sold: of a lot that is split its part, at its part of the cost. */
  readonly lots: readonly HeldLot[]
  /** Null: there is no price. */
  readonly last: DecidedBy | null
  /** Won a share that it brings at worst, at the market the day's lower limit; null where that is not read, or nothing is at the market. */
  readonly worst: number | null
  /** It would be rehearsed and not sent. */
  readonly shadow: boolean
}

/** Decided by what decides the sale itself, on a copy: nothing is written or sent. Null: there is no such stock. */
export function saleQuote(real: Account, server: Context, command: SaleCommand): SaleQuote | null {
  const { account, ctx, shadow } = asQuoted(real, server, command.code)
  const builder = new StepBuilder(account, ctx)
  const stock = builder.stock(command.code)
  if (stock === undefined) return null
  const quote = ctx.quote(command.code)
  const known = {
    free: remainCount(sellableByHand(builder, stock)),
    venue: routeOf(account, ctx, stock.issue)?.venue ?? null,
    last: decidedBy(quote),
    shadow,
  }
  const result = handleSaleCommand(builder, QUOTED, stock, command)
  const pending = builder.view.orders.pendingSales.find(({ ticket }) => ticket === QUOTED)
  if (pending === undefined)
    return { refusal: result === null || result.ok ? null : result.text, ...known, orders: [], lots: [], worst: null }
  const lots = stock.lots.filter(({ id }) => pending.lotIds.includes(id)).sort(byTarget(stock))
  const eachAlone = pending.how === 'target' && !stock.settings.autoSellWithAvgPrice
  const orders = sizesOf(stock, lots, pending).map((count, at) => {
    const { type, price } = priceOf(builder, stock, pending, eachAlone ? lots.slice(at, at + 1) : lots)
    return { count, price: type === 'limit' ? price : null }
  })
  const worst = orders.some(({ price }) => price === null) ? (quote?.band?.lower ?? null) : null
  return {
    refusal: null,
    ...known,
    orders,
    worst,
    lots: withoutKept(lots, pending.kept).map((lot) => partOf(lot, lots)),
  }
}

/** No person's ticket. */
const QUOTED = -1

/** A lot that is cut costs its part. */
const partOf = (cut: HeldLot, lots: readonly HeldLot[]): HeldLot => {
  const whole = lots.find(({ id }) => id === cut.id) ?? cut
  return { ...cut, buyAmount: cut.count === whole.count ? whole.buyAmount : costShare(whole, cut.count) }
}
