import { z } from 'zod'
import { day } from './entities.ts'

/**
 * positionAmount: won in lots and live buys of all stocks · lossAmount: won lost, today's sales and all lots · dailyBuyAmount:
 * won bought a day · orderAmount: won a buy · ordersPerMinute · repeatCount: buys of one stock sold again within 10 minutes ·
 * personOrderAmount: won an order of a person's · sellCollarPercent: percent below the last trade · unknownPerHour: orders.
 */
export const LimitName = z.enum([
  'positionAmount',
  'lossAmount',
  'dailyBuyAmount',
  'orderAmount',
  'ordersPerMinute',
  'repeatCount',
  'personOrderAmount',
  'sellCollarPercent',
  'unknownPerHour',
])
export type LimitName = z.infer<typeof LimitName>
export const Limit = z.object({
  name: LimitName,
  /** In force now; null: none. */
  value: z.int().nullable(),
  /** What the server allows at most; null: it says nothing. */
  ceiling: z.int().nullable(),
  /** Of the same unit; null where a limit looks at single orders. */
  used: z.int().nullable(),
  /** A loosening, and the KST day from whose opening it holds. */
  pending: z.object({ value: z.int().nullable(), from: day }).nullable(),
})
export type Limit = z.infer<typeof Limit>
/** Sessions and venues that an account uses beside KRX's regular session. */
export const Venues = z.strictObject({
  /** In KRX's hours: smart order routing. */
  sor: z.boolean(),
  /** NXT's pre-market, with orders that end at 08:50. */
  preMarket: z.boolean(),
  /** The evening on NXT or in KRX's after-market. */
  afterMarket: z.boolean(),
})
export type Venues = z.infer<typeof Venues>

export const Limits = z.object({ limits: z.array(Limit) })
