import { z } from 'zod'
import { instant, Stop, won } from './scalars.ts'

/** How an account stands, as far as it is known without asking the broker. */
export const AccountSummary = z.object({
  /** Cash as it was last known and what is held at its last prices. Null: one of them is not known. */
  totalAmount: won.nullable(),
  /** Realised today after costs, and what the shares held gained today. */
  realisedNet: won,
  openGain: won.nullable(),
  /** Orders that rest or are on their way, whosever. */
  openOrders: z.int(),
  /** Of Digger, today. */
  lastOrderAt: instant.nullable(),
  /** Stocks in which book and broker differ, or that stand still until somebody settles them. */
  differences: z.int(),
  stop: Stop,
})
export type AccountSummary = z.infer<typeof AccountSummary>
