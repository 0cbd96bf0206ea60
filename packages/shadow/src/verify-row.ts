import { isLive, mayMove, type Book, type Fact, type Order } from '@digger/core'

type FactOf<K extends Fact['kind']> = Extract<Fact, { kind: K }>
type OrderFact = Extract<Fact, { orderId: number }>
type Move = Parameters<typeof mayMove>[1]

/** What each kind of fact must find in the book. A kind that is not here nobody can read. */
const SUBJECTS: Readonly<Record<Fact['kind'], 'account' | 'new' | 'stock' | 'order'>> = {
  dayOpened: 'account',
  userStopped: 'account',
  venuesChosen: 'account',
  limitsSet: 'account',
  firstDaysSet: 'account',
  limitReached: 'account',
  unknownCounted: 'account',
  otherServerSuspected: 'account',
  otherServerDismissed: 'account',
  newStocksShadowed: 'account',
  stockAdded: 'new',
  orderIntended: 'new',
  settingsSaved: 'stock',
  issueChanged: 'stock',
  stockRemoved: 'stock',
  stockStopped: 'stock',
  stockLimitReached: 'stock',
  stockBlocked: 'stock',
  sharesKept: 'stock',
  stockShadowed: 'stock',
  lotsReleased: 'stock',
  stockFrozen: 'stock',
  stockThawed: 'stock',
  stockAdjusted: 'stock',
  sharesExpected: 'stock',
  expectedGivenUp: 'stock',
  stockChecked: 'stock',
  subscribed: 'stock',
  referenceMoved: 'stock',
  lotBought: 'stock',
  lotSplit: 'stock',
  lotsHeldBack: 'stock',
  lotSold: 'stock',
  orderAccepted: 'order',
  orderFound: 'order',
  orderLost: 'order',
  cancelWanted: 'order',
  cancelAsked: 'order',
  cancelRefused: 'order',
  orderFilled: 'order',
  orderEnded: 'order',
}

/** Why the fact cannot come after those that made the book, or null. Facts come from a table: their types are only what is hoped for. */
export function whyNotAfter(book: Book, fact: Fact): string | null {
  const subject = Object.hasOwn(SUBJECTS, fact.kind) ? SUBJECTS[fact.kind] : null
  if (subject === null) return 'nobody knows this kind'
  if (!Number.isSafeInteger(fact.at)) return `it happened at ${fact.at}`
  if (fact.kind === 'stockAdded') return book.stocks.has(fact.code) ? `${fact.code} is there already` : null
  if (fact.kind === 'orderIntended') return whyNotMade(book, fact.order)
  if ('orderId' in fact) return whyNotOfOrder(book, fact)
  if (subject !== 'stock') return null
  const code = codeOf(fact)
  if (code === null || !book.stocks.has(code)) return `${code} is not there`
  if (fact.kind === 'lotBought') return whyNotBought(book, fact)
  if (fact.kind === 'lotSold' && fact.trade.day > book.day) return `${fact.trade.day} was not opened`
  if (fact.kind === 'lotSold') return whyNotTaken(book, code, fact.lotId, fact.trade.count)
  return fact.kind === 'lotSplit' ? whyNotTaken(book, code, fact.lotId, fact.count) : null
}

/** Of which stock it is; null: of none. */
export const codeOf = (fact: Fact): string | null =>
  fact.kind === 'lotSold' ? fact.trade.code : 'code' in fact ? fact.code : null

/** What the indexes of the real tables refuse: a number twice, two live buys of a stock, a lot in two live sales. */
function whyNotMade(book: Book, { id, code, side, lots, day }: Order): string | null {
  if (!book.stocks.has(code)) return `${code} is not there`
  if (id < book.nextOrderId) return `number ${id} was given before`
  if (day > book.day) return `${day} was not opened`
  const others = [...book.orders.values()].filter((other) => other.code === code && isLive(other.status))
  const beside = others.find((other) =>
    side === 'buy' ? other.side === 'buy' : other.side === 'sell' && sharesLot(other, lots),
  )
  return beside === undefined ? null : `order ${id} stands beside order ${beside.id}`
}

const sharesLot = (other: Order, lots: Order['lots']): boolean =>
  other.lots.some(({ lotId }) => lots.some((lot) => lot.lotId === lotId))

function whyNotOfOrder(book: Book, fact: OrderFact): string | null {
  const order = book.orders.get(fact.orderId)
  if (order === undefined) return `order ${fact.orderId} is not there`
  const move = moveOf(fact)
  if (move !== null && !mayMove(order.status, move)) return `order ${order.id} is ${order.status} already`
  if (fact.kind !== 'orderFilled') return null
  const isMore = fact.count > order.filledCount && fact.amount > order.filledAmount
  return isMore && fact.count <= order.count
    ? null
    : `${fact.count} of ${order.count} shares of order ${order.id} for ${fact.amount} won, after ${order.filledCount} for ${order.filledAmount}`
}

function moveOf(fact: OrderFact): Move | null {
  switch (fact.kind) {
    case 'orderAccepted':
      return 'accept'
    case 'orderFound':
      return 'find'
    case 'orderLost':
      return 'lose'
    case 'cancelWanted':
      return null
    case 'cancelAsked':
      return 'askCancel'
    case 'cancelRefused':
      return 'keep'
    case 'orderFilled':
      return 'fill'
    case 'orderEnded':
      return fact.end === 'rejected' ? 'reject' : fact.end === 'notPlaced' ? 'giveUp' : 'end'
  }
}

/** A lot grows while its buy does. */
function whyNotBought(book: Book, { code, lot }: FactOf<'lotBought'>): string | null {
  const known = book.stocks.get(code)?.lots.find(({ id }) => id === lot.id)
  return known !== undefined && known.buyOrderId === null ? `lot ${lot.id} is there already` : null
}

function whyNotTaken(book: Book, code: string, lotId: number, count: number): string | null {
  const lot = book.stocks.get(code)?.lots.find(({ id }) => id === lotId)
  if (lot === undefined) return `lot ${lotId} is not there`
  return count > lot.count ? `${count} shares of lot ${lotId}, which has ${lot.count}` : null
}
