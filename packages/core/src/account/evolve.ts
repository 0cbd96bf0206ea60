import { KRX_ONLY } from '../krx/route.ts'
import { nextBuyPrice } from '../ladder/buy.ts'
import { onlyOf } from './as-loaded.ts'
import { atCosts, costShare } from './cost-share.ts'
import type { Fact } from './facts.ts'
import { LISTING_LAG_MS } from './order-status.ts'
import { evolveLimits } from './limits/evolve.ts'
import { noLimitState } from './limits/types.ts'
import { evolveOtherServer, NO_OTHER_SERVER } from './other-server-state.ts'
import { released, releaseHeldBackLots, releaseLots } from './released-lots.ts'
import { gainOf, netGainOf, NOTHING_REALISED, withSale } from './realised.ts'
import type { RefusalCause } from './refusal-cause.ts'
import type { Book, HeldLot, Order, Stock, Stop } from './types.ts'

export const emptyBook = (day: string): Book => ({
  stocks: new Map(),
  orders: new Map(),
  stop: 'active',
  shadow: false,
  venues: KRX_ONLY,
  limits: noLimitState,
  otherServer: NO_OTHER_SERVER,
  gainToday: 0,
  realisedToday: NOTHING_REALISED,
  day,
  nextOrderId: 1,
  nextLotId: 1,
})

/** What a fact means. Total and pure: the same facts in the same order always give the same book. */
export function evolve(book: Book, fact: Fact): Book {
  const next = evolveBook(book, fact)
  const limits = evolveLimits(next.limits, fact)
  const otherServer = evolveOtherServer(next.otherServer, fact)
  return limits === next.limits && otherServer === next.otherServer ? next : { ...next, limits, otherServer }
}

function evolveBook(book: Book, fact: Fact): Book {
  switch (fact.kind) {
    case 'dayOpened':
      return openDay(book, fact.day)
    case 'userStopped':
      return { ...book, stop: fact.stop }
    case 'venuesChosen':
      return { ...book, venues: fact.venues }
    case 'newStocksShadowed':
      return { ...book, shadow: fact.shadow }
    case 'limitReached':
      return { ...book, stop: reduced(book.stop) }
    case 'otherServerSuspected':
    case 'otherServerDismissed':
    case 'limitsSet':
    case 'firstDaysSet':
    case 'unknownCounted':
      return book
    case 'stockAdded':
      return putStock(book, newStock(fact))
    case 'stockRemoved': {
      const stocks = new Map(book.stocks)
      stocks.delete(fact.code)
      return { ...book, stocks }
    }
    case 'orderIntended': {
      // Orders written before 22 November 2026 lack `absentFrom`, before the 24th `cancelAsked`, before the 26th `cancelWanted`.
      const { absentFrom, cancelAsked, cancelWanted } = fact.order
      const order = {
        ...fact.order,
        absentFrom: absentFrom ?? null,
        cancelAsked: cancelAsked ?? false,
        cancelWanted: cancelWanted ?? false,
      }
      const orders = new Map(book.orders).set(order.id, order)
      const nextLotId = Math.max(book.nextLotId, ...fact.order.lots.map((lot) => lot.lotId + 1))
      return { ...book, orders, nextLotId, nextOrderId: Math.max(book.nextOrderId, fact.order.id + 1) }
    }
    case 'orderAccepted':
    case 'orderFound':
    case 'orderLost':
    case 'cancelWanted':
    case 'cancelAsked':
    case 'cancelRefused':
    case 'orderFilled':
    case 'orderEnded':
      return evolveOrder(book, fact)
    default:
      return evolveStock(book, fact)
  }
}

function openDay(book: Book, day: string): Book {
  const [orders, stocks] = [onlyOf(day, book.orders), releaseHeldBackLots(book.stocks)]
  return { ...book, day, orders, stocks, realisedToday: NOTHING_REALISED, gainToday: 0 }
}

type OrderFact = Extract<Fact, { orderId: number }>
type StockFact = Exclude<
  Fact,
  | OrderFact
  | { kind: 'dayOpened' | 'userStopped' | 'venuesChosen' | 'stockAdded' | 'stockRemoved' | 'orderIntended' }
  | { kind: 'limitsSet' | 'firstDaysSet' | 'limitReached' | 'unknownCounted' | `otherServer${string}` }
  | { kind: 'newStocksShadowed' }
>

/** Stops the buying; a stricter stop stays. */
const reduced = (stop: Stop): Stop => (stop === 'active' ? 'reduce' : stop)

function evolveOrder(book: Book, fact: OrderFact): Book {
  const order = book.orders.get(fact.orderId)
  if (order === undefined) return book
  // What a person wants has not changed the order yet: waits that are counted from its last change go on.
  const updatedAt = fact.kind === 'cancelWanted' ? order.updatedAt : fact.at
  const next = { ...order, ...orderChange(fact), updatedAt }
  const after = { ...book, orders: new Map(book.orders).set(order.id, next) }
  if (fact.kind === 'orderEnded') return countRejects(finalizeBuyLot(after, next), next, fact.cause)
  return fact.kind === 'orderFilled' ? countRejects(after, next) : after
}

function orderChange(fact: OrderFact): Partial<Order> {
  switch (fact.kind) {
    case 'orderAccepted':
    case 'orderFound':
      return { status: 'open', odno: fact.odno, orgno: fact.orgno, note: null }
    case 'orderLost':
      return { status: 'unknown', note: fact.note, absentFrom: fact.absentFrom ?? fact.at + LISTING_LAG_MS }
    case 'cancelWanted':
      return { cancelWanted: true }
    case 'cancelAsked':
      return { status: 'cancelling', cancelAsked: true }
    case 'cancelRefused':
      return { status: 'open', note: fact.note }
    case 'orderFilled':
      return { filledCount: fact.count, filledAmount: fact.amount }
    case 'orderEnded':
      return { status: fact.end, note: fact.note, ...(fact.cause !== undefined && { refusedFor: fact.cause }) }
  }
}

/** A buy that is over grows no more: its lot may be sold. */
function finalizeBuyLot(book: Book, order: Order): Book {
  const stock = book.stocks.get(order.code)
  if (stock === undefined || order.side === 'sell') return book
  const lots = stock.lots.map((lot) => (lot.buyOrderId === order.id ? { ...lot, buyOrderId: null } : lot))
  return putStock(book, { ...stock, lots })
}

/**
 * Rejects in a row, per stock; a fill or another end starts anew. An acceptance does not: the exchange may still reject,
 * and an order accepted and rejected again and again would never stop. Only what lies in the order itself counts, and
 * once for orders that were out together: three lots refused in one second are one event.
 */
function countRejects(book: Book, order: Order, cause?: RefusalCause): Book {
  const stock = book.stocks.get(order.code)
  if (stock === undefined || order.status === 'notPlaced') return book
  // Facts of before 24 November 2026 have no cause, and whoever made the order counted alike.
  if (cause !== undefined && (cause !== 'order' || order.origin === 'person' || isCounted(book, order))) return book
  const rejects = order.status === 'rejected' ? stock.rejects + 1 : 0
  return rejects === stock.rejects ? book : putStock(book, { ...stock, rejects })
}

/** Another automatic order of the stock was rejected since this one was made, and for a fault of its own. */
function isCounted({ orders }: Book, { id, code, createdAt }: Order): boolean {
  for (const one of orders.values()) {
    const isOther = one.id !== id && one.code === code && one.origin === 'auto'
    const isOfOrder = one.status === 'rejected' && (one.refusedFor ?? 'order') === 'order'
    if (isOther && isOfOrder && one.updatedAt >= createdAt) return true
  }
  return false
}

function evolveStock(book: Book, fact: StockFact): Book {
  const code = fact.kind === 'lotSold' ? fact.trade.code : fact.code
  const stock = book.stocks.get(code)
  if (stock === undefined) return book
  const after = putStock(book, { ...stock, ...stockChange(stock, fact), updatedAt: fact.at })
  const newest = newestLotId(fact)
  const numbered = newest < book.nextLotId ? after : { ...after, nextLotId: newest + 1 }
  if (fact.kind !== 'lotSold' || fact.trade.day !== book.day) return numbered
  const { realisedToday, gainToday } = book
  const realised = withSale(realisedToday, fact.trade)
  return { ...numbered, realisedToday: realised, gainToday: gainToday + netGainOf(fact.trade) }
}

function newestLotId(fact: StockFact): number {
  if (fact.kind === 'lotBought') return fact.lot.id
  if (fact.kind === 'lotSplit') return fact.newLotId
  return fact.kind === 'lotSold' ? fact.trade.id : 0
}

function stockChange(stock: Stock, fact: StockFact): Partial<Stock> {
  switch (fact.kind) {
    case 'settingsSaved':
      return { settings: fact.settings, version: stock.version + 1, lots: releaseLots(stock.lots) }
    case 'issueChanged':
      return { issue: fact.issue, name: fact.name }
    case 'stockStopped':
      return { stop: fact.stop }
    case 'stockLimitReached':
      return { stop: reduced(stock.stop) }
    case 'stockBlocked':
      return { blocked: fact.blocked, rejects: fact.blocked === null ? (fact.rejects ?? 0) : stock.rejects }
    case 'sharesKept':
      return { kept: fact.count }
    case 'stockShadowed':
      return { shadow: fact.shadow }
    case 'lotsReleased':
      return { lots: released(stock.lots, fact.lotIds) }
    case 'stockFrozen':
      return { frozen: fact.move, moves: fact.moves ?? null }
    case 'stockThawed':
      return { frozen: null, settledOn: fact.settledOn, moves: fact.moves ?? null }
    case 'stockAdjusted': {
      const { settings, lots, expected, move, kept = stock.kept, moves = null } = fact
      return { settings, lots, expected, kept, frozen: null, settledOn: move.day, moves, version: stock.version + 1 }
    }
    case 'sharesExpected':
      return { expected: fact.expected }
    case 'expectedGivenUp':
      return { expected: null, lots: atCosts(stock.lots, fact.lots) }
    case 'stockChecked':
      return { checkedAt: fact.at }
    case 'subscribed':
      return { priceSubscribed: fact.subscribed }
    case 'referenceMoved':
      return { settings: { ...stock.settings, lastBuyPrice: fact.price }, version: stock.version + 1 }
    case 'lotBought':
      // Lots written before 24 November 2026 lack `takenOver`.
      return { lots: putLot(stock.lots, { ...fact.lot, takenOver: fact.lot.takenOver ?? false }) }
    case 'lotsHeldBack':
      return {
        lots: stock.lots.map((lot) => (fact.lotIds.includes(lot.id) ? { ...lot, heldBack: fact.heldBack } : lot)),
      }
    case 'lotSplit':
      return { lots: split(stock.lots, fact) }
    case 'lotSold':
      return { lots: sold(stock.lots, fact), accGainAmount: stock.accGainAmount + gainOf(fact.trade) }
  }
}

function putLot(lots: readonly HeldLot[], lot: HeldLot): readonly HeldLot[] {
  const known = lots.some((one) => one.id === lot.id)
  return known ? lots.map((one) => (one.id === lot.id ? lot : one)) : [...lots, lot].sort((a, b) => a.id - b.id)
}

function split(lots: readonly HeldLot[], fact: Extract<Fact, { kind: 'lotSplit' }>): readonly HeldLot[] {
  const whole = lots.find((lot) => lot.id === fact.lotId)
  if (whole === undefined) return lots
  const buyAmount = costShare(whole, fact.count)
  const rest = { ...whole, count: whole.count - fact.count, buyAmount: whole.buyAmount - buyAmount }
  const { newLotId: id, count, boughtBefore = 0 } = fact
  return putLot(putLot(lots, rest), { ...whole, id, count, buyAmount, ...(boughtBefore > 0 && { boughtBefore }) })
}

function sold(lots: readonly HeldLot[], fact: Extract<Fact, { kind: 'lotSold' }>): readonly HeldLot[] {
  return lots.flatMap((lot) => {
    if (lot.id !== fact.lotId) return [lot]
    const count = lot.count - fact.trade.count
    return count <= 0 ? [] : [{ ...lot, count, buyAmount: lot.buyAmount - fact.trade.buyAmount }]
  })
}

function newStock(fact: Extract<Fact, { kind: 'stockAdded' }>): Stock {
  return {
    issue: fact.issue,
    name: fact.name,
    settings: fact.settings,
    stop: 'active',
    blocked: null,
    kept: 0,
    shadow: false,
    frozen: null,
    settledOn: fact.settledOn ?? null,
    moves: null,
    expected: null,
    priceSubscribed: true,
    lots: [],
    nextBuyPrice: null,
    accGainAmount: 0,
    rejects: 0,
    version: 1,
    updatedAt: fact.at,
    checkedAt: null,
  }
}

/** The one way to change a stock: keeps the derived trigger in step with the settings. */
function putStock(book: Book, stock: Stock): Book {
  const before = book.stocks.get(stock.issue.code)
  const same = before !== undefined && before.settings === stock.settings && before.issue === stock.issue
  const next = same
    ? stock
    : { ...stock, nextBuyPrice: stock.settings.autoBuy ? nextBuyPrice(stock.settings, stock.issue.kind) : null }
  return { ...book, stocks: new Map(book.stocks).set(stock.issue.code, next) }
}
