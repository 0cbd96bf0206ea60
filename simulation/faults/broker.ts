import type { Fault as SimFault } from '@digger/kis-sim'
import type { Stage } from '../stage.ts'
import { choose, NOTHING_TO_END, type Fault } from './fault.ts'
import { fall } from './market.ts'

const ORDERS = ['orderBuy', 'orderSell', 'orderRevise'] as const
const LISTS = ['executions', 'balance', 'buyable'] as const
const HOW = ['reset', 'hang'] as const
/** A token that is lost is replaced a minute after the last was issued (EGW00133), ms. */
const TOKEN_PAUSE_MS = 60_000

/**
 * What the broker does, on orders, lists, notices and its socket. What it does to orders and their fills begins with a fall:
 * else most of these would meet no order.
 */
export const BROKER_FAULTS = {
  orderReplyLost: {
    weight: 4,
    lasts: [2_000, 30_000],
    strike: (stage, draw) =>
      onOrdersInFall(stage, draw, { kind: 'loseReply', how: choose(HOW, draw), probability: 0.5 }),
  },
  orderRequestLost: {
    weight: 3,
    lasts: [2_000, 30_000],
    strike: (stage, draw) =>
      onOrdersInFall(stage, draw, { kind: 'loseRequest', how: choose(HOW, draw), probability: 0.5 }),
  },
  /** Accepted, and answered with a code that no list names. */
  orderOddCode: {
    weight: 4,
    lasts: [5_000, 30_000],
    strike: (stage, draw) =>
      onOrdersInFall(stage, draw, { kind: 'code', code: 'ZZZZ0001', status: 200, carriedOut: true, probability: 0.4 }),
  },
  orderGatewayCode: {
    weight: 2,
    lasts: [5_000, 30_000],
    strike: (stage, draw) =>
      onOrdersInFall(stage, draw, {
        kind: 'code',
        code: choose(['EGW00302', 'EGW00301', 'EGW00201'], draw),
        carriedOut: draw < 0.4,
        probability: 0.5,
      }),
  },
  orderBroken: {
    weight: 2,
    lasts: [5_000, 30_000],
    strike: (stage, draw) =>
      onOrdersInFall(stage, draw, {
        kind: 'broken',
        body: choose(['empty', 'html', 'blank'], draw),
        carriedOut: (draw * 10) % 1 < 0.5,
        probability: 0.5,
      }),
  },
  ordersSlow: {
    weight: 4,
    lasts: [10_000, 60_000],
    strike: (stage, draw) =>
      onOrdersInFall(stage, draw, { kind: 'delay', ms: Math.round(1_000 + draw * 14_000), probability: 0.7 }),
  },
  rejectedLater: {
    weight: 1,
    lasts: [2_000, 20_000],
    excuses: ['late', 'rejects'],
    strike(stage, draw) {
      fall(stage, draw)
      return add(stage, { kind: 'rejectLater', probability: 0.5 })
    },
  },
  listsFail: {
    weight: 2,
    lasts: [5_000, 40_000],
    strike: (stage, draw) =>
      all(
        LISTS.map((endpoint) =>
          add(stage, { kind: 'broken', endpoint, body: choose(['empty', 'html', 'blank'], draw), probability: 0.7 }),
        ),
      ),
  },
  listsSlow: {
    weight: 2,
    lasts: [5_000, 40_000],
    strike: (stage, draw) =>
      all(
        LISTS.map((endpoint) =>
          add(stage, { kind: 'delay', endpoint, ms: Math.round(draw * 12_000), probability: 0.7 }),
        ),
      ),
  },
  listedLate: {
    weight: 2,
    lasts: [10_000, 60_000],
    strike(stage, draw) {
      fall(stage, draw)
      return add(stage, { kind: 'listingLag', ms: Math.round(draw * 8_000), probability: 0.5 })
    },
  },
  balanceLate: {
    weight: 1,
    lasts: [10_000, 60_000],
    strike(stage, draw) {
      fall(stage, draw)
      return add(stage, { kind: 'balanceLag', ms: Math.round(draw * 20_000), probability: 0.5 })
    },
  },
  noticesLost: {
    weight: 2,
    lasts: [10_000, 60_000],
    strike: (stage) => add(stage, { kind: 'dropNotice', probability: 0.7 }),
  },
  noticesMixed: {
    weight: 1,
    lasts: [10_000, 60_000],
    strike: (stage) =>
      all([
        add(stage, { kind: 'reorderNotice', probability: 0.4 }),
        add(stage, { kind: 'duplicateNotice', probability: 0.4 }),
      ]),
  },
  socketGone: {
    weight: 3,
    lasts: [1_000, 1_000],
    strike(stage, draw) {
      stage.sim.sockets(choose(['cut', 'close', 'freeze'], draw))
      return NOTHING_TO_END
    },
  },
  tokensExpired: {
    weight: 2,
    lasts: [1_000, 1_000],
    echoesMs: TOKEN_PAUSE_MS,
    strike(stage) {
      stage.sim.expireTokens()
      return NOTHING_TO_END
    },
  },
  /** It forgets the tokens, too. */
  brokerRestart: {
    weight: 2,
    lasts: [1_000, 1_000],
    echoesMs: TOKEN_PAUSE_MS,
    strike(stage) {
      stage.sim.restart()
      return NOTHING_TO_END
    },
  },
  /** The exchange stands still with it. */
  brokerFrozen: {
    weight: 2,
    lasts: [2_000, 60_000],
    strike(stage) {
      stage.simulation.pause(stage.brokerProcess)
      return () => stage.simulation.resume(stage.brokerProcess)
    },
  },
} as const satisfies Readonly<Record<string, Fault>>

function add(stage: Stage, fault: SimFault): () => void {
  const id = stage.sim.faults.add(fault)
  return () => stage.sim.faults.clear(id)
}

export const all = (ends: readonly (() => void)[]) => (): void => ends.forEach((end) => end())

/** Cancels and new orders alike. */
export const onOrders = (stage: Stage, fault: SimFault): (() => void) =>
  all(ORDERS.map((endpoint) => add(stage, { ...fault, endpoint })))

function onOrdersInFall(stage: Stage, draw: number, fault: SimFault): () => void {
  fall(stage, draw)
  return onOrders(stage, fault)
}
