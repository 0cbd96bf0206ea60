import { z } from 'zod'
import { instant, OrderType, shares, won } from './entities.ts'

/** What a press sent to the broker, each order of it; `price` null: at the market. */
export const Sent = z.object({
  orders: z.array(z.object({ orderType: OrderType, qty: shares, price: won.nullable(), exchangeCode: z.string() })),
})
export type Sent = z.infer<typeof Sent>

/** What a sale by hand would do in this moment, before it is asked for. */
export const SaleQuote = z.object({
  /** Why it would be refused; null where it would not. */
  refusal: z.string().nullable(),
  held: shares,
  /** Of those, what may be sold by hand now: the rest is still being bought, or offered by an order of a person. */
  free: shares,
  /** Of those held, what a buy at work is still buying. */
  buying: shares,
  /** None: what is asked rests already. */
  orders: z.array(z.object({ qty: shares, price: won.nullable() })),
  /** The last price of the venues this account orders at, by which the sale is decided, and when it was seen. */
  price: won.nullable(),
  priceAt: instant.nullable(),
  /** How old that is by the server's own clock, ms. */
  priceAgeMs: z.int().min(0).nullable(),
  /** Where it would go; null: nothing is taken now. */
  exchangeCode: z.string().nullable(),
  /** What a share brings at worst where it is sold at the market: the day's lower limit. Absent: not known, or not at the market. */
  worstPrice: won.exactOptional(),
  /** Realised at the orders' prices, at the market at the last price; null without one. Net: after costs and tax. */
  gainAmount: won.nullable(),
  netGainAmount: won.nullable(),
  /** Only rehearsed: it is not sent. Absent: it is. */
  shadow: z.literal(true).exactOptional(),
})
export type SaleQuote = z.infer<typeof SaleQuote>

/** What a buy by hand would do in this moment, before it is asked for. */
export const BuyQuote = z.object({
  /** Why it would be refused; null where it would not. */
  refusal: z.string().nullable(),
  /** 0: the amount pays for no share, or there is no price. */
  qty: shares,
  type: z.enum(['market', 'best', 'limit']).nullable(),
  /** Of a limit. */
  price: won.nullable(),
  /** What a share, and all of them, may cost at worst. */
  worstPrice: won.nullable(),
  worstAmount: won.nullable(),
  exchangeCode: z.string().nullable(),
  /** The last trade is no price to buy at any price by, so that a limit holds the order at it. */
  isPriceOld: z.boolean(),
  /** As `price` of a sale. */
  lastPrice: won.nullable(),
  priceAt: instant.nullable(),
  priceAgeMs: z.int().min(0).nullable(),
  /** What the broker last said may be spent, when, and for how many of these shares it is enough; it is asked anew before the order leaves. */
  cash: won.nullable(),
  cashAt: instant.nullable(),
  buyable: shares.nullable(),
  /** Only rehearsed: it is not sent. Absent: it is. */
  shadow: z.literal(true).exactOptional(),
})
export type BuyQuote = z.infer<typeof BuyQuote>
