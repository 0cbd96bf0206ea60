import { onOrders } from './broker.ts'
import { choose, type Fault } from './fault.ts'
import { fall } from './market.ts'

const HOW = ['reset', 'hang'] as const
/** How often an order's request meets it, while it lasts. */
const PROBABILITY = 0.4

/**
 * What becomes of an order's request between the server and the exchange, through no fault of the server. The market falls
 * first, so that there are orders. Which orders it met, and what the server then must do: `checks/strays.ts`.
 */
export const REQUEST_FAULTS = {
  /** The network delivers it twice: two orders, and the reply is that of the first. */
  doubleRequest: {
    weight: 3,
    lasts: [5_000, 30_000],
    excuses: [],
    strike(stage, draw) {
      fall(stage, draw)
      return onOrders(stage, { kind: 'doubleRequest', probability: PROBABILITY })
    },
  },
  /** The broker says accepted, with a number, and has no such order. */
  phantom: {
    weight: 3,
    lasts: [5_000, 30_000],
    excuses: [],
    strike(stage, draw) {
      fall(stage, draw)
      return onOrders(stage, { kind: 'phantom', probability: PROBABILITY })
    },
  },
  /** The connection breaks, and the request arrives all the same: the last of them when this is over. */
  lateRequest: {
    weight: 3,
    lasts: [15_000, 90_000],
    strike(stage, draw, forMs) {
      fall(stage, draw)
      const ms = Math.round(forMs * draw)
      const how = choose(HOW, (draw * 10) % 1)
      const end = onOrders(stage, { kind: 'lateRequest', ms, how, probability: PROBABILITY })
      stage.simulation.after(forMs - ms, null, end)
      return end
    },
  },
} as const satisfies Readonly<Record<string, Fault>>
