import type { Random } from './random.ts'

/** Everything that may go wrong, with its probability per chance to do so. None may stay idle over a long run. */
export const FAULTS = {
  replyLostBeforeAcceptance: 0.02,
  replyLostAfterAcceptance: 0.03,
  requestArrivesAfterTimeout: 0.02,
  replyDelayed: 0.05,
  serverError: 0.025,
  throttled: 0.012,
  tokenLost: 0.008,
  businessReject: 0.008,
  exchangeReject: 0.02,
  hourRefused: 0.008,
  dayRefused: 0.002,
  callRefused: 0.006,
  venueRefused: 0.05,
  noticeLost: 0.12,
  noticeDoubled: 0.06,
  noticeDelayed: 0.12,
  noticeBeforeReply: 0.06,
  listingLag: 0.4,
  balanceLag: 0.4,
  partFill: 0.35,
  readingFailed: 0.04,
  listChanged: 0.02,
  readingNeverReturns: 0.002,
  cashFailed: 0.05,
  cashNeverAnswered: 0.01,
  callNeverReports: 0.012,
  brokerRestarts: 0.001,
  maintenance: 0.0004,
  beyondTheSocket: 0.05,
  clockDrifts: 0.002,
  clockSet: 0.002,
  commandAtWorstMoment: 0.04,
  killedAfterCancel: 0.5,
  commitRefused: 0.003,
  cancelReplyLost: 0.06,
  cancelLost: 0.03,
  cancelSwallowed: 0.03,
  socketCut: 0.003,
  socketFrozen: 0.002,
  priceGap: 0.012,
  halt: 0.0015,
  haltedInMorning: 0.02,
  circuitBreaker: 0.0002,
  singlePrice: 0.001,
  limitsLate: 0.15,
  nxtListChanged: 0.1,
  nxtSuspended: 0.001,
  dividend: 0.05,
  outsideTrade: 0.006,
  outsideTwin: 0.2,
  cancelledByPhone: 0.004,
  changedByPhone: 0.002,
  split: 0.06,
  merger: 0.04,
  bonusIssue: 0.06,
  keyGone: 0.0008,
  keyHeld: 0.0004,
  serverStopped: 0.0008,
  crashBeforeCommit: 0.004,
  crashBeforeEffects: 0.003,
  crashBetweenEffects: 0.03,
  crashAnytime: 0.0012,
  crashOverNight: 0.08,
} as const

export type Fault = keyof typeof FAULTS
export const isFault = (name: string): name is Fault => Object.hasOwn(FAULTS, name)

/** Throws the dice for faults and counts what came of it. */
export class Faults {
  /** Phase two: the simulation is healed. */
  on = true
  readonly counts = new Map<Fault, number>()
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  strikes(fault: Fault): boolean {
    if (!this.on || !this.#random.chance(FAULTS[fault])) return false
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1)
    return true
  }
}
