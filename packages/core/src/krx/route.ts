import type { Issue, Venue } from './types.ts'
import { kstDay } from './kst.ts'
import { dayEnds, phaseAt, type Phase, type Timetable } from './session.ts'

/** Where and how a new limit order goes now. */
export interface Route {
  readonly venue: Venue
  /** `after`: the KRX after-market, whose orders have codes of their own. */
  readonly session: 'regular' | 'after'
  /** False while KRX collects orders for a single price: nothing fills before its end. */
  readonly continuous: boolean
  readonly marketOrders: boolean
  /** Orders at the opposite best price. Where neither is taken, only a limit price helps. */
  readonly bestOrders: boolean
  /** When a day order made now has ended by timetable at the latest, epoch ms. */
  readonly endsAt: number
}

/**
 * KRX regular hours: SOR where NXT trades the issue too, KRX otherwise. Outside them NXT, or for the rest the KRX
 * after-market. Null: closed, nothing can be sent.
 * Two moments are left out although a source may allow them, because a refusal counts against the stock and
 * waiting costs minutes: NXT 15:30–15:40 (order types undocumented) and paper before 09:00 (regular session only).
 */
export function route(issue: Issue, now: number, timetable: Timetable, env: 'real' | 'paper'): Route | null {
  const ends = dayEnds(kstDay(now), timetable)
  const krx = phaseAt('KRX', now, timetable)
  if (timetable.hours === 'always') return to('KRX', 'regular', krx, ends.all)
  if (env === 'paper')
    return krx.name === 'regular' || krx.name === 'closingAuction' ? to('KRX', 'regular', krx, ends.regular) : null

  const nxt = issue.nxt ? phaseAt('NXT', now, timetable) : null
  if (krx.orderable && krx.name !== 'afterMarket') {
    if (!nxt) return to('KRX', 'regular', krx, ends.regular)
    // While NXT's pre-market matches and KRX still collects, no source says where SOR would take an order without a price.
    const taken = nxt.name === 'preMarket' ? { ...krx, marketOrders: false } : krx
    // A SOR order dies with the venue it went to, which only the broker's list shows: the later end is the sure one.
    return to('SOR', 'regular', taken, ends.all)
  }
  if (nxt) return nxt.orderable && nxt.name !== 'afterAuction' ? to('NXT', 'regular', nxt, ends.all) : null
  // ETFs and ETNs have no KRX after-market.
  return krx.name === 'afterMarket' && issue.kind === 'stock' ? to('KRX', 'after', krx, ends.all) : null
}

const to = (venue: Venue, session: Route['session'], phase: Phase, endsAt: number): Route => ({
  venue,
  session,
  continuous: phase.matching === 'continuous',
  marketOrders: phase.marketOrders,
  bestOrders: phase.bestOrders,
  endsAt,
})

/** The closing auction may run over: a random end of up to 30 s, and two minutes more after a volatility interruption. */
const CLOSING_OVERRUN_MS = 5 * 60_000

/**
 * Whether a day order of KST day `day` has *certainly* ended by timetable; no notice reports it. KRX regular orders end with
 * the closing auction and do not move to the after-market; NXT, SOR and after-market orders live until 20:00 at most.
 * On a day that closes late the sources do not say whether 20:00 moves too, so the later time counts.
 */
export function expired(
  venue: Venue,
  session: Route['session'],
  day: string,
  now: number,
  timetable: Timetable,
): boolean {
  const ends = dayEnds(day, timetable)
  if (timetable.hours === 'always' || kstDay(now) > day) return now >= ends.all
  if (venue === 'KRX' && session === 'regular') return now >= ends.regular + CLOSING_OVERRUN_MS
  return now >= ends.surely
}
