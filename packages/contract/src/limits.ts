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

/** What its owner sets for the first days with real money. */
export const FirstDaysRule = z.strictObject({
  on: z.boolean(),
  /** Trading days from the first buy on; null: until the owner lets go. */
  days: z.int().nullable(),
  /** Won that the buys of a day may cost. */
  amount: z.int(),
})
export type FirstDaysRule = z.infer<typeof FirstDaysRule>
export const FirstDays = z.object({
  ...FirstDaysRule.shape,
  /** Day of the first buy; null: there was none yet. */
  startedOn: day.nullable(),
  /** Trading days of it that are over. */
  usedDays: z.int(),
  /** A looser rule, and the KST day from whose opening it holds. */
  pending: FirstDaysRule.extend({ from: day }).nullable(),
})
export type FirstDays = z.infer<typeof FirstDays>

export const Limits = z.object({
  limits: z.array(Limit),
  firstDays: FirstDays,
  /** For who has not traded by machine before: cautious values of the account's money, each with its reason. Empty: what it has is not known. */
  proposed: z.array(z.object({ name: LimitName, value: z.int(), why: z.string() })),
})
