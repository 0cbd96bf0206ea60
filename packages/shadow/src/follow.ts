import {
  canonical,
  effectiveStop,
  isLive,
  isShadowed,
  type Book,
  type Fact,
  type ReachedLimit,
  type Settings,
  type Stock,
  type Stop,
} from '@digger/core'

/** A real account as its rehearsal sees it. */
export interface RealAccount {
  readonly book: Book
  /** Nothing of any account is sent. */
  readonly isEverything: boolean
}

export const shadowedStocks = ({ book, isEverything }: RealAccount): Stock[] =>
  [...book.stocks.values()].filter((stock) => isShadowed(stock, { shadow: isEverything }))

/**
 * Facts that make the rehearsal's book what the real account says: a stock begins with a copy of its settings and lots, goes on with
 * what was saved of it, and ends with nothing of it left. Asked again it makes none: so nothing is lost of what happened while the
 * rehearsal was not there, nor where the process ended between the two journals.
 */
export function meeting(real: RealAccount, shadow: Book, now: number): Fact[] {
  const wanted = new Map(shadowedStocks(real).map((stock) => [stock.issue.code, stock]))
  // Where a move of the base was settled since, its prices and lots are of another share: it begins anew.
  const known = (code: string): Stock | undefined => {
    const own = shadow.stocks.get(code)
    return own !== undefined && own.settledOn === wanted.get(code)?.settledOn ? own : undefined
  }
  const ended = [...shadow.stocks.keys()].filter((code) => known(code) === undefined)
  return [
    ...ended.flatMap((code) => endOf(shadow, code, now)),
    ...[...wanted.values()].flatMap((stock) => {
      const own = known(stock.issue.code)
      return own === undefined ? beginningOf(stock, now) : stockFacts(stock, own, shadow, now)
    }),
    ...accountFacts(real.book, shadow, now),
  ]
}

/** Limits of its own that a rehearsal has reached: of the account (null) or of a stock. Real ones come as stops only. */
export const ownStops = ({ limits }: Book, code: string | null): ReachedLimit[] =>
  limits.trips.filter((reached) => reached.code === code)

/** The real account's stop; where the rehearsal's own limits have stopped its buying, that stays. */
const stopWith = (real: Stop, shadow: Book, code: string | null): Stop =>
  effectiveStop('active', real, ownStops(shadow, code).length > 0 ? 'reduce' : 'active')

/** What was saved of a stock. A changed reference cannot be told from one that moved with the real account's trades. */
function stockFacts(real: Stock, own: Stock, shadow: Book, at: number): Fact[] {
  const { issue, name } = real
  const { code } = issue
  const settings = { ...real.settings, lastBuyPrice: own.settings.lastBuyPrice }
  const stop = stopWith(real.stop, shadow, code)
  const facts: Fact[] = []
  if (!isSame({ issue, name }, { issue: own.issue, name: own.name }))
    facts.push({ kind: 'issueChanged', code, name, issue, at })
  if (!isSame(settings, own.settings)) facts.push({ kind: 'settingsSaved', code, settings, at })
  if (stop !== own.stop) facts.push({ kind: 'stockStopped', code, stop, at })
  return facts
}

/** What holds for the whole account. */
function accountFacts(real: Book, shadow: Book, at: number): Fact[] {
  const { own, pending } = real.limits
  const facts: Fact[] = []
  if (!isSame(real.venues, shadow.venues)) facts.push({ kind: 'venuesChosen', venues: real.venues, at })
  if (!isSame({ own, pending }, { own: shadow.limits.own, pending: shadow.limits.pending }))
    facts.push({ kind: 'limitsSet', own, pending, at })
  const { firstDays } = real.limits
  if (firstDays !== undefined && !isSame(firstDays, shadow.limits.firstDays))
    facts.push({ kind: 'firstDaysSet', firstDays, at })
  const stop = stopWith(real.stop, shadow, null)
  if (stop !== shadow.stop) facts.push({ kind: 'userStopped', stop, at })
  return facts
}

const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other)

function beginningOf(stock: Stock, at: number): Fact[] {
  const { issue, name, settings, settledOn, lots, stop, frozen, moves } = stock
  const { code } = issue
  return [
    { kind: 'stockAdded', code, name, issue, settings, ...(settledOn !== null && { settledOn }), at },
    // A buy that still fills goes on in the real account alone.
    ...lots.map((lot): Fact => ({ kind: 'lotBought', code, lot: { ...lot, buyOrderId: null }, at })),
    ...(stop === 'active' ? [] : [{ kind: 'stockStopped', code, stop, at } as const]),
    ...(frozen === null
      ? []
      : [{ kind: 'stockFrozen', code, move: frozen, ...(moves !== null && { moves }), at } as const]),
  ]
}

const ENDED = '그림자를 끝냈습니다.'

function endOf(shadow: Book, code: string, at: number): Fact[] {
  const live = [...shadow.orders.values()].filter((order) => order.code === code && isLive(order.status))
  return [
    ...live.map(({ id }): Fact => ({ kind: 'orderEnded', orderId: id, end: 'cancelled', note: ENDED, at })),
    { kind: 'stockRemoved', code, at },
  ]
}

/** What a durable change of the real account means for its rehearsal, beside where it begins and ends. */
export function followed(facts: readonly Fact[], before: Book, shadow: Book): Fact[] {
  return facts.flatMap((fact): Fact[] => {
    switch (fact.kind) {
      case 'userStopped':
      case 'venuesChosen':
      case 'limitsSet':
      case 'firstDaysSet':
        return [fact]
      case 'stockStopped':
      case 'issueChanged':
      case 'lotsReleased':
        return shadow.stocks.has(fact.code) ? [fact] : []
      case 'settingsSaved': {
        const own = shadow.stocks.get(fact.code)
        const old = before.stocks.get(fact.code)
        if (own === undefined) return []
        return [{ ...fact, settings: withOwnReference(fact.settings, old?.settings, own.settings) }]
      }
      case 'stockThawed':
      case 'stockAdjusted':
        // Its prices and lots are of another share from now on: it begins anew from the real book.
        return shadow.stocks.has(fact.code) ? endOf(shadow, fact.code, fact.at) : []
      default:
        return []
    }
  })
}

/** The reference moves with one's own trades: only one that the person has just set counts here, too. */
const withOwnReference = (saved: Settings, before: Settings | undefined, own: Settings): Settings =>
  saved.lastBuyPrice === before?.lastBuyPrice ? { ...saved, lastBuyPrice: own.lastBuyPrice } : saved
