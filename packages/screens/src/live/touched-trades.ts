import type { Trade } from '@digger/contract'
import { type Change, type ClosedTrade, touchedLots } from '@digger/core'
import { closedTrade, openTrade } from '../views/tradeView.ts'

/** An event carries this many trades of a stock at most; more are read anew. */
export const MAX_TRADES = 200

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

/** The broker held fewer shares, and no list showed a sale. */
const isCorrection = (trade: ClosedTrade): boolean => trade.sellPrice === null
