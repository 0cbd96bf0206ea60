import { z } from 'zod'
import { instant, Stop } from './scalars.ts'

/** A limit that was reached and stopped the buying: of the whole account, or of one stock. */
export const Reached = z.object({ limit: z.string(), code: z.string().nullable(), text: z.string(), at: instant })
export const Stops = z.object({
  server: Stop,
  /** Why the whole server is stopped, where no person stopped it. */
  serverReason: z.string().nullable(),
  user: Stop,
  stocks: z.array(z.object({ code: z.string(), stop: Stop })),
  /** Why Digger itself stopped the buying. */
  reached: z.array(Reached),
  /** Another server seems to trade the account: no order leaves before `dismissOtherServer`. Null: none does. */
  otherServer: z.object({ text: z.string(), at: instant }).nullable(),
})
/** Orders that rest or are on their way, by whose they are. */
export const LiveOrders = z.object({
  automatic: z.int(),
  /** What a person ordered here. */
  own: z.int(),
  /** Ordered elsewhere, as in the broker's app: it can only be cancelled there. */
  elsewhere: z.int(),
})
export type LiveOrders = z.infer<typeof LiveOrders>
/** `cancelled`: orders that are over. `left`: what still rests or is on its way; what was to be cancelled of it is cancelled again. */
export const StoppedAll = z.object({ message: z.string(), cancelled: z.int(), left: LiveOrders })
export const StopLink = z.object({ createdAt: instant, usedAt: instant.nullable() })
