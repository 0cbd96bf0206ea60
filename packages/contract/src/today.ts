import { z } from 'zod'
import { ATTENTION_KINDS } from './notification-kinds.ts'
import { day, instant, OrderType, shares, won } from './entities.ts'

/** The newest of what was done are told, and how many there were. */
export const MAX_DONE = 200
/** The nearest of what waits. */
export const MAX_WAITING = 40

/** A buy, or what one look at the broker's list showed to be sold by an order. */
export const Done = z.object({
  at: instant,
  code: z.string(),
  name: z.string(),
  orderType: OrderType,
  qty: shares,
  /** Average, and all of it; won. */
  price: won,
  amount: won,
  /** Of a sale: realised after the costs of both sides. */
  netGainAmount: won.nullable(),
  /** Placed by the settings (true) or by a person. Null: a sale that no order of Digger made, or only a part of one lot. */
  auto: z.boolean().nullable(),
  /** The rule's own sentence. */
  why: z.string().nullable(),
})
export type Done = z.infer<typeof Done>

export const Waiting = z.object({
  code: z.string(),
  name: z.string(),
  orderType: OrderType,
  price: won,
  qty: shares,
  /** It rests at the broker; else it leaves when the price is there. */
  isOut: z.boolean(),
  /** The last price, from which the way is counted. */
  currentPrice: won.nullable(),
})
export type Waiting = z.infer<typeof Waiting>

/** What its person is called for. */
export const Attention = z.object({
  kind: z.enum(ATTENTION_KINDS),
  code: z.string().nullable(),
  name: z.string().nullable(),
  since: instant,
  text: z.string(),
})

/** One day of an account: what it brought, what was done, what waits, and what needs its person. Won. */
export const Today = z.object({
  day,
  bought: z.object({ count: z.int(), amount: won }),
  /** `gainAmount` as the gain page counts it. `costAmount`: what lies between that and the net: fees, tax, and rounding of averages. */
  sold: z.object({ count: z.int(), amount: won, gainAmount: won, costAmount: won, netGainAmount: won }),
  /** What had been realised net by then, one point a minute at most, oldest first. */
  curve: z.array(z.object({ at: instant, netGainAmount: won })),
  done: z.array(Done),
  doneCount: z.int(),
  waiting: z.array(Waiting),
  waitingCount: z.int(),
  attention: z.array(Attention),
  /** When book and broker were last compared (null: not since the key or the connection came back), of how many stocks, and which differ. */
  compared: z.object({ at: instant.nullable(), stocks: z.int(), differing: z.array(z.string()) }),
})
export type Today = z.infer<typeof Today>
