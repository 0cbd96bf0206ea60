import type { Issue, Venue } from './types.ts'
import { kstDay } from './kst.ts'
import { dayEnds, phaseAt, type Phase, type Timetable } from './session.ts'

/**
 * Which sessions and venues beside KRX's regular session an account may use. None before its owner chose it: what the broker
 * takes of them has been seen by few.
 */
export interface VenueChoices {
  /** KRX's hours: smart order routing where NXT trades the issue too. */
  readonly sor: boolean
  /** Before the opening: NXT, with orders that die at 08:50. */
  readonly preMarket: boolean
  /** Evenings: NXT, or KRX's after-market. */
  readonly afterMarket: boolean
}

export const KRX_ONLY: VenueChoices = { sor: false, preMarket: false, afterMarket: false }

/** Where and how a new limit order goes now. */
export interface Route {
  readonly venue: Venue
  /** `pre`: NXT's pre-market, `after`: KRX's after-market; their orders have codes of their own. */
  readonly session: 'pre' | 'regular' | 'after'
  /** False while KRX collects orders for a single price: nothing fills before its end. */
  readonly continuous: boolean
  readonly marketOrders: boolean
  /** Orders at the opposite best price. Where neither is taken, only a limit price helps. */
  readonly bestOrders: boolean
  /** When a day order made now has ended by timetable at the latest, epoch ms. */
  readonly endsAt: number
}

/**
 * A phase takes orders this long after its beginning, ms: our clock may be three seconds ahead of the broker's, and an order that
 * comes early is refused.
 */
const OPENING_MARGIN_MS = 5_000

/**
 * The opening auction certainly collects this long before the open, ms. KIS's notice says from 08:20 since 2026-09-14, other texts of
 * that week 08:30: orders of one auction meet one price, so that waiting costs little.
 */
const COLLECTS_MS = 30 * 60_000

/**
 * KRX's regular session from its opening auction on: SOR where the owner chose it and NXT trades the issue too, KRX otherwise.
 * Before it NXT's pre-market and after it the evening, each where the owner chose it. Null: nothing can be sent now.
 * Two moments are left out although a source may allow them, because waiting costs minutes: NXT 15:30–15:40 (order types
 * undocumented) and paper before 09:00 (regular session only). While NXT's pre-market trades and KRX collects (08:20–08:50) no
 * source says where SOR takes an order, so that it waits for the pre-market's end.
 */
export function route(
  issue: Issue,
  now: number,
  timetable: Timetable,
  env: 'real' | 'paper',
  use: VenueChoices,
): Route | null {
  const ends = dayEnds(kstDay(now), timetable)
  const krx = takenAt('KRX', now, timetable)
  if (timetable.hours === 'always') return to('KRX', 'regular', krx, ends.all)
  if (env === 'paper')
    return krx.name === 'regular' || krx.name === 'closingAuction' ? to('KRX', 'regular', krx, ends.regular) : null

  const nxt = issue.nxt ? takenAt('NXT', now, timetable) : null
  if (nxt?.name === 'preMarket' && use.preMarket) return to('NXT', 'pre', nxt, ends.preMarket ?? ends.regular)
  if (krx.name === 'openingAuction' && now < ends.opens - COLLECTS_MS + OPENING_MARGIN_MS) return null
  if (krx.orderable && krx.name !== 'afterMarket') {
    if (nxt === null || !use.sor) return to('KRX', 'regular', krx, ends.regular)
    // A SOR order dies with the venue it went to, which only the broker's list shows: the later end is the sure one.
    return nxt.name === 'preMarket' ? null : to('SOR', 'regular', krx, ends.all)
  }
  return use.afterMarket ? eveningRoute(issue, krx, nxt, ends.all) : null
}

/** Whose trades make a stock's price: one venue's, or both venues' (`UN`, as the broker names them). */
export type PricedBy = 'KRX' | 'NXT' | 'UN'

/**
 * The trades that an order of this hour could meet. Where the owner chose the hour and NXT trades the issue: NXT's before
 * the opening and in the evening, those of both while KRX is open.
 */
export function pricedBy(
  issue: Issue,
  now: number,
  timetable: Timetable,
  env: 'real' | 'paper',
  use: VenueChoices,
): PricedBy {
  if (!issue.nxt || env === 'paper' || timetable.hours === 'always') return 'KRX'
  if (!use.preMarket && !use.sor && !use.afterMarket) return 'KRX'
  const { opens, regular } = dayEnds(kstDay(now), timetable)
  if (now >= opens && now < regular) return use.sor ? 'UN' : 'KRX'
  return (now < opens ? use.preMarket : use.afterMarket) ? 'NXT' : 'KRX'
}

/** NXT where it trades the issue; for the rest KRX's after-market, which takes no ETFs, ETNs and no KONEX. */
function eveningRoute(issue: Issue, krx: Phase, nxt: Phase | null, endsAt: number): Route | null {
  if (nxt !== null) return nxt.name === 'afterMarket' ? to('NXT', 'regular', nxt, endsAt) : null
  const isOffered = issue.kind === 'stock' && issue.market !== 'KONEX'
  return krx.name === 'afterMarket' && isOffered ? to('KRX', 'after', krx, endsAt) : null
}

/** The phase, once it has lasted for the margin: until then the one before it, of which nothing is open that was not. */
function takenAt(venue: 'KRX' | 'NXT', now: number, timetable: Timetable): Phase {
  const phase = phaseAt(venue, now, timetable)
  if (!phase.orderable || timetable.hours === 'always') return phase
  const before = phaseAt(venue, now - OPENING_MARGIN_MS, timetable)
  return before.orderable ? phase : before
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
export const CLOSING_OVERRUN_MS = 5 * 60_000

/**
 * Whether a day order of KST day `day` has *certainly* ended by timetable; no notice reports it. KRX regular orders end with
 * the closing auction and do not move to the after-market; NXT, SOR and after-market orders live until 20:00 at most.
 * On a day that opens or closes late the sources do not say whether 20:00 moves too, so the later time counts.
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
  if (session === 'pre') return now >= (ends.preMarket ?? ends.all) + CLOSING_OVERRUN_MS
  if (venue === 'KRX' && session === 'regular') return now >= ends.regular + CLOSING_OVERRUN_MS
  return now >= ends.surely
}
