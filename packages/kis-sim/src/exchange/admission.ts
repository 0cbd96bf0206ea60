import { kstClock, kstDay, kstInstant, onGrid, type Side, type Venue } from '@digger/core'
import { ORD_DVSN } from '@digger/kis'
import { streamKey, unit } from '../runtime/random.ts'
import type { Account } from '../ledger/account.ts'
import type { AcceptedOrder } from '../ledger/facts.ts'
import { DIVISIONS, NOT_ON_SOR, PAPER_DIVISIONS, ACCEPTED_DIVISIONS, type Division } from './divisions.ts'
import type { Exchange } from './exchange.ts'
import type { VenueName } from './venue.ts'
import type { SimIssue } from './issue.ts'
import { REFUSALS, type Refusal } from './refusals.ts'

interface OrderRequest {
  readonly code: string
  readonly side: Side
  readonly division: string
  readonly count: number
  readonly price: number
  readonly trigger: number
  readonly venue: Venue
}

type Admission = { readonly refusal: Refusal } | { readonly order: Omit<AcceptedOrder, 'odno' | 'day' | 'at'> }

/** What the broker itself checks before it takes an order; the exchange may still say no. */
export function admit(exchange: Exchange, account: Account, request: OrderRequest): Admission {
  const issue = exchange.issues.get(request.code)
  const division = DIVISIONS.get(request.division)
  if (!issue || issue.status.delisted) return { refusal: REFUSALS.unknownIssue }
  if (!division) return { refusal: REFUSALS.badDivision }
  if (!Number.isSafeInteger(request.count) || request.count <= 0) return { refusal: REFUSALS.badCount }

  const routed = routeOf(exchange, issue, request)
  noteWhatDecides(exchange, issue, request, routed)
  const refusal =
    standstill(issue) ??
    closedDay(exchange) ??
    venueRefusal(exchange, account, issue, request, routed) ??
    phaseRefusal(exchange, account, issue, request.division, routed) ??
    priceRefusal(issue, division, request) ??
    triggerRefusal(issue, division, request) ??
    fundsRefusal(account, issue, division, request)
  if (refusal) return { refusal }
  const { code, side, count, price, trigger, venue } = request
  const reservedPrice = reserved(issue, division, price)
  const base = { account: account.number, original: null, change: null }
  return {
    order: { ...base, code, side, division: request.division, count, price, trigger, venue, routed, reservedPrice },
  }
}

/** KRX collects from this long before the open at the earliest, ms. */
const EARLIEST_MS = 40 * 60_000

/** Assumptions that are in force all day decide where an order comes that they may stop. */
function noteWhatDecides(exchange: Exchange, { status }: SimIssue, { venue }: OrderRequest, routed: VenueName): void {
  const { assumed, hours } = exchange.options
  const { name } = exchange.phase('KRX')
  const isElsewhere = venue !== 'KRX' || name === 'afterMarket'
  if (status.overheated && isElsewhere) assumed.decide('overheatedElsewhere')
  const day = kstDay(exchange.now)
  const untilOpen = kstInstant(day, '090000') + hours.delayMs(day, 'open') - exchange.now
  const collects = untilOpen > 0 && untilOpen <= EARLIEST_MS && hours.hasAfterMarket(day)
  if (routed === 'KRX' && collects) assumed.decide('openingAuctionFrom')
}

/** Won per share that a live buy reserves. */
export const reserved = (issue: SimIssue, { pricing }: Division, price: number): number =>
  pricing === 'limit' || pricing === 'stop' ? price : issue.limits.upper

/** Neither new orders nor modifications are taken; cancellations are. */
export const standstill = ({ status }: SimIssue): Refusal | null =>
  status.halted ? REFUSALS.halted : status.breakers.size > 0 ? REFUSALS.circuitBreaker : null

export function pricingRefusal(issue: SimIssue, divisionCode: string, price: number): Refusal | null {
  const division = DIVISIONS.get(divisionCode)
  return division ? priceRefusal(issue, division, { price }) : REFUSALS.badDivision
}

/** The broker sends a SOR order to KRX while it trades; a good third of those NXT can take go there instead. */
function routeOf(exchange: Exchange, issue: SimIssue, request: OrderRequest): VenueName {
  const { venue, division, code, count } = request
  if (venue !== 'SOR') return venue
  const nxt = exchange.phaseOf(issue, 'NXT')
  const onNxt = ACCEPTED_DIVISIONS.NXT[nxt.name]?.includes(division) ?? false
  const onKrx = ACCEPTED_DIVISIONS.KRX[exchange.phaseOf(issue, 'KRX').name]?.includes(division) ?? false
  if (!onNxt || !onKrx || nxt.matching !== 'continuous') return onNxt && !onKrx ? 'NXT' : 'KRX'
  const better = betterVenue(issue, request)
  if (better) return better
  return unit(streamKey(code, count), Math.floor(exchange.now / 1_000)) < 0.35 ? 'NXT' : 'KRX'
}

/** Where an order that can trade at once gets the better price; null: nowhere, or they are the same. */
function betterVenue(issue: SimIssue, { side, price, division }: OrderRequest): VenueName | null {
  if (!issue.hasOwnPrices) return null
  const worst = side === 'buy' ? Infinity : 0
  const limit = DIVISIONS.get(division)?.pricing === 'limit' ? price : side === 'buy' ? Infinity : 0
  const [krx, nxt] = (['KRX', 'NXT'] as const).map((venue) => issue.levels(side, venue)[0]?.price ?? worst)
  if (krx === undefined || nxt === undefined || krx === nxt) return null
  const best = side === 'buy' ? Math.min(krx, nxt) : Math.max(krx, nxt)
  const reached = side === 'buy' ? best <= limit : best >= limit
  return reached ? (best === nxt ? 'NXT' : 'KRX') : null
}

const closedDay = (exchange: Exchange): Refusal | null => (exchange.isOpenDay() ? null : REFUSALS.notBusinessDay)

function venueRefusal(
  exchange: Exchange,
  account: Account,
  issue: SimIssue,
  { venue, division }: OrderRequest,
  routed: VenueName,
): Refusal | null {
  if (account.env === 'paper' && venue !== 'KRX') return REFUSALS.noVenue
  if (venue === 'SOR' && NOT_ON_SOR.includes(division)) return REFUSALS.noVenue
  const afterMarket = ACCEPTED_DIVISIONS.KRX['afterMarket']?.includes(division) ?? false
  if (venue === 'SOR' && afterMarket && !exchange.options.assumed.decide('sorAfterMarket')) return REFUSALS.noVenue
  return routed === 'NXT' ? nxtRefusal(exchange, issue) : null
}

function nxtRefusal({ options }: Exchange, { status }: SimIssue): Refusal | null {
  if (!status.onNxt) return REFUSALS.notOnNxt
  if (!status.stoppedOnNxt) return null
  return options.assumed.decide('nxtStopRefusedAs') === 'halted' ? REFUSALS.haltedOnNxt : REFUSALS.notOnNxt
}

function phaseRefusal(
  exchange: Exchange,
  account: Account,
  issue: SimIssue,
  division: string,
  routed: VenueName,
): Refusal | null {
  if (account.env === 'paper') {
    if (!PAPER_DIVISIONS.includes(division)) return REFUSALS.badDivision
    const { name } = exchange.phase('KRX')
    if (name !== 'regular' && name !== 'closingAuction') {
      return kstClock(exchange.now) < 12 * 3_600 ? REFUSALS.beforeOpen : REFUSALS.closed
    }
  }
  // The off-hours order before the open runs beside the auction, on KRX alone.
  if (division === ORD_DVSN.preOpen && routed === 'KRX' && inPreOpen(exchange)) return null
  const phase = exchange.phaseOf(issue, routed)
  if (phase.matching === 'auction' && phase.name !== 'afterAuction' && !['00', '01', '02'].includes(division)) {
    return REFUSALS.auctionOnly
  }
  if (ACCEPTED_DIVISIONS[routed][phase.name]?.includes(division)) return null
  if (isBarredFromAfterMarket(exchange, issue, routed)) {
    return exchange.options.assumed.decide('afterMarketRefusedAs') === 'hours'
      ? REFUSALS.closed
      : REFUSALS.notInAfterMarket
  }
  if (routed === 'KRX' && phase.name === 'afterMarket') return REFUSALS.afterMarketOnly
  if (routed === 'KRX' && phase.name === 'closingAuction') return REFUSALS.auctionOnly
  if (routed === 'NXT' && division === '01' && phase.name !== 'closed') return REFUSALS.noMarketOrder
  return ACCEPTED_DIVISIONS[routed][phase.name] ? REFUSALS.badDivision : REFUSALS.closed
}

const isBarredFromAfterMarket = (exchange: Exchange, { status }: SimIssue, routed: VenueName): boolean =>
  routed === 'KRX' && !status.inAfterMarket && exchange.phase('KRX').name === 'afterMarket'

/** Off-hours orders before the open are accepted from 08:30 to 08:40. */
function inPreOpen(exchange: Exchange): boolean {
  const seconds = kstClock(exchange.now) - exchange.options.hours.delayMs(kstDay(exchange.now), 'open') / 1_000
  const open = exchange.phase('KRX').name === 'openingAuction'
  return open && seconds >= 8 * 3_600 + 1_800 && seconds < 8 * 3_600 + 2_400
}

function priceRefusal(issue: SimIssue, { pricing }: Division, { price }: Pick<OrderRequest, 'price'>): Refusal | null {
  if (pricing !== 'limit' && pricing !== 'stop') return null
  if (!onGrid(price, issue.listing.kind)) return REFUSALS.offGrid
  return price < issue.limits.lower || price > issue.limits.upper ? REFUSALS.offLimits : null
}

/** A stop order needs a trigger that could be traded at. */
const triggerRefusal = (issue: SimIssue, division: Division, { trigger }: OrderRequest): Refusal | null =>
  division.pricing === 'stop' ? priceRefusal(issue, division, { price: trigger }) : null

function fundsRefusal(account: Account, issue: SimIssue, division: Division, request: OrderRequest): Refusal | null {
  const { side, count, code, price } = request
  if (side === 'sell') {
    const held = account.truth.count(code)
    if (held === 0) return REFUSALS.noHolding
    return count > held - account.locked(code) ? REFUSALS.sellable : null
  }
  const needed = Math.ceil(count * reserved(issue, division, price) * (1 + account.brokerage))
  return needed > buyingPower(account) ? REFUSALS.funds : null
}

/** Purchases the account can still make, won: its free cash, or more where the broker lends. */
export const buyingPower = (account: Account): number =>
  Math.floor((account.orderable() * 100) / (account.spec.marginPercent ?? 100))
