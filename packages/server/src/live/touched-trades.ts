import type { Trade } from '@digger/contract'
import { type ClosedTrade, type Fact, type Order, type Stock } from '@digger/core'
import type { AccountChanged } from '@digger/engine'
import { closedTrade, openTrade } from '../views/tradeView.ts'

/** An event carries this many trades of a stock at most; more are read anew. */
export const MAX_TRADES = 200

export type Change = Pick<AccountChanged, 'before' | 'after' | 'facts'>

/** The order a fact is about. A new day drops ended orders from the book: then the book before the change has it. */
export function orderOf(fact: Fact, { before, after }: Change): Order | null {
  if (fact.kind === 'orderIntended') return fact.order
  return 'orderId' in fact ? (after.orders.get(fact.orderId) ?? before.orders.get(fact.orderId) ?? null) : null
}

/**
 * The trades of one stock that facts of it touched, as the list would show them now. Null: they say too little or too
 * much, and the list has to be read anew.
 */
export function touchedTrades(change: Change, code: string, price: number | null, now: number): Trade[] | null {
  const { before, after, facts } = change
  const stock = after.stocks.get(code)
  const touched = touchedLots(change, stock)
  if (touched.size === 0) return []
  const sales = facts.flatMap((fact) => (fact.kind === 'lotSold' ? [fact.trade] : []))
  if (stock === undefined || touched.size > MAX_TRADES || sales.some(isCorrection)) return null
  const open = stock.lots.filter((lot) => touched.has(lot.id))
  const shown = new Set([...sales.map((trade) => trade.id), ...open.map((lot) => lot.id)])
  const isGone = (lotId: number) => touched.has(lotId) && !shown.has(lotId)
  if (before.stocks.get(code)?.lots.some((lot) => isGone(lot.id))) return null
  return [...open.map((lot) => openTrade(after, stock, lot, price, now)), ...sales.map(closedTrade)]
}

/** Numbers of lots and past trades; a buy order names the lot that it has yet to make. */
function touchedLots(change: Change, stock: Stock | undefined): ReadonlySet<number> {
  const lots = new Set(change.facts.flatMap((fact) => lotsOf(fact, change)))
  const isTargetShared = stock?.settings.autoSellWithAvgPrice === true
  if (isTargetShared && change.facts.some(movesAverage)) for (const { id } of stock.lots) lots.add(id)
  return lots
}

function lotsOf(fact: Fact, change: Change): readonly number[] {
  if (fact.kind === 'lotBought') return [fact.lot.id]
  if (fact.kind === 'lotSold') return [fact.lotId, fact.trade.id]
  if (fact.kind === 'lotSplit') return [fact.lotId, fact.newLotId]
  if (fact.kind === 'lotsHeldBack' || fact.kind === 'lotsReleased') return fact.lotIds
  if (fact.kind === 'stockAdjusted') return fact.lots.map(({ id }) => id)
  return orderOf(fact, change)?.lots.map(({ lotId }) => lotId) ?? []
}

const movesAverage = ({ kind }: Fact): boolean => kind === 'lotBought' || kind === 'lotSold' || kind === 'lotsReleased'

/** The broker held fewer shares, and no list showed a sale. */
const isCorrection = (trade: ClosedTrade): boolean => trade.sellPrice === null
