import {
  isAnyTraded,
  pricesOf,
  type Account,
  type Context,
  type Doubts,
  type ServerLimits,
  type Stop,
} from '@digger/core'
import type { MarketClock } from './broker/steady-clock.ts'
import type { AllPrices, Announcements, ClosingPrices, KnownIssues, Timetables } from '@digger/prices'

export interface ConditionsParts {
  readonly clock: MarketClock
  /** Which wire the broker speaks; the pretend broker speaks the real one. */
  readonly env: 'real' | 'paper'
  readonly limits: ServerLimits
  /** Nothing of any account is sent. Default: false. */
  readonly shadow?: boolean
  readonly timetables: Timetables
  readonly prices: AllPrices
  readonly closings: ClosingPrices
  readonly announcements: Announcements
}

/** What holds for every account of this server at this moment. */
export class TradingConditions {
  readonly clock: MarketClock
  readonly env: 'real' | 'paper'
  readonly limits: ServerLimits
  readonly shadow: boolean
  readonly timetables: Timetables
  readonly prices: AllPrices
  readonly closings: ClosingPrices
  readonly announcements: Announcements
  /** What the broker said of stocks today. */
  readonly issues: KnownIssues = new Map()
  /** Set by the engine alone; in force in the turn in which it is set. */
  serverStop: Stop = 'active'

  constructor({ clock, env, limits, shadow = false, timetables, prices, closings, announcements }: ConditionsParts) {
    this.clock = clock
    this.env = env
    this.limits = limits
    this.shadow = shadow
    this.timetables = timetables
    this.prices = prices
    this.closings = closings
    this.announcements = announcements
  }

  /** Whether any exchange trades now. */
  isTraded(): boolean {
    return isAnyTraded(this.clock.now(), this.timetables.current)
  }

  /** Null where nothing is in doubt. */
  #doubts(noticesRefused: boolean): Doubts | null {
    const { clock, timetables } = this
    const clockOffMs = clock.offMs ?? null
    const isDisputed = timetables.isDisputed(clock.now())
    if (clockOffMs === null && !isDisputed && !noticesRefused) return null
    return {
      ...(clockOffMs !== null && { clockOffMs }),
      ...(isDisputed && { isDayDisputed: true }),
      ...(noticesRefused && { noticesRefused: true }),
    }
  }

  /** What the account decides by, now. `noticesRefused`: the broker refused its key or HTS ID at the socket. */
  context(account: Account, noticesRefused = false): Context {
    const { clock, env, limits, shadow, timetables, prices, serverStop } = this
    const moment = { now: clock.now(), env, timetable: timetables.current }
    const unknown = clock.isKnown === false ? ({ isTimeUnknown: true } as const) : {}
    const doubts = this.#doubts(noticesRefused)
    return {
      ...moment,
      ...unknown,
      ...(doubts !== null && { doubts }),
      limits,
      serverStop,
      ...(shadow && { shadow }),
      quote: (code) => prices.of(pricesOf(account, moment, code)).quote(code),
    }
  }
}
