import { isLive, isShadowed, type Book, type Fact, type Settings, type Stock } from '@digger/core'

/** A real account as its rehearsal sees it. */
export interface RealAccount {
  readonly book: Book
  /** Nothing of any account is sent. */
  readonly isEverything: boolean
}

export const shadowedStocks = ({ book, isEverything }: RealAccount): Stock[] =>
  [...book.stocks.values()].filter((stock) => isShadowed(stock, { shadow: isEverything }))

/**
 * Facts that make the rehearsal's book begin and end where the real account says: a stock begins with a copy of its settings and lots,
 * and ends with nothing of it left. Asked again it makes none: so nothing is lost where the process ended between the two journals.
 */
export function beginningsAndEnds(real: RealAccount, shadow: Book, now: number): Fact[] {
  const wanted = new Map(shadowedStocks(real).map((stock) => [stock.issue.code, stock]))
  const ended = [...shadow.stocks.keys()].filter((code) => !wanted.has(code))
  const begun = [...wanted.values()].filter(({ issue }) => !shadow.stocks.has(issue.code))
  return [
    ...ended.flatMap((code) => endOf(shadow, code, now)),
    ...begun.flatMap((stock) => beginningOf(stock, now)),
    ...accountFacts(real.book, shadow, now),
  ]
}

/** What holds for the whole account. A stop of the rehearsal's own, by its own limits, stays. */
function accountFacts(real: Book, shadow: Book, at: number): Fact[] {
  const { own, pending } = real.limits
  const facts: Fact[] = []
  if (!isSame(real.venues, shadow.venues)) facts.push({ kind: 'venuesChosen', venues: real.venues, at })
  if (!isSame({ own, pending }, { own: shadow.limits.own, pending: shadow.limits.pending }))
    facts.push({ kind: 'limitsSet', own, pending, at })
  const { firstDays } = real.limits
  if (firstDays !== undefined && !isSame(firstDays, shadow.limits.firstDays))
    facts.push({ kind: 'firstDaysSet', firstDays, at })
  if (real.stop !== shadow.stop && (real.stop === 'halt' || shadow.stop === 'active'))
    facts.push({ kind: 'userStopped', stop: real.stop, at })
  return facts
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

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
