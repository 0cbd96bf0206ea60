import type { Trade } from '@digger/contract'
import {
  type Book,
  type ClosedTrade,
  type HeldLot,
  type Stock,
  averageTarget,
  gainRatio,
  grossGain,
  isLive,
  kstDay,
  kstIso,
  lotTarget,
  netGain,
  realisedNetGain,
} from '@digger/core'
import type { TradeRow } from '@digger/database'

/** An open lot: its gain is against the price shown, its net gain as if it were sold there today. */
export function openTrade(book: Book, stock: Stock, lot: HeldLot, price: number | null, now: number): Trade {
  const { issue, settings, lots } = stock
  const gain = grossGain(lot.count, lot.buyPrice, price)
  const roundTrip = { market: issue.market, kind: issue.kind, buyAmount: lot.buyAmount, buyDay: kstDay(lot.boughtAt) }
  const target = settings.autoSellWithAvgPrice
    ? averageTarget(soldWith(lot, lots), settings, issue.kind)
    : lotTarget(lot.buyPrice, settings, issue.kind)
  return {
    id: lot.id,
    buyDateTime: kstIso(lot.boughtAt),
    buyCount: lot.count,
    buyPrice: lot.buyPrice,
    sellDateTime: null,
    sellPrice: null,
    gainAmount: gain,
    gainRatio: gain === null ? null : gainRatio(gain, lot.count * lot.buyPrice),
    netGainAmount:
      price === null ? null : netGain({ ...roundTrip, sellAmount: price * lot.count, sellDay: kstDay(now) }),
    buying: lot.buyOrderId !== null,
    takenOver: lot.takenOver,
    sellOrderId: restingSell(book, lot.id),
    targetPrice: target,
  }
}

/** Of a position that is sold at its average: what may be sold; a trade that was taken over would join that. */
const soldWith = (lot: HeldLot, lots: readonly HeldLot[]): HeldLot[] =>
  lots.filter(({ id, takenOver }) => !takenOver || id === lot.id)

/** What a past trade in the book and its row have in common. */
type PastTrade = Omit<ClosedTrade, 'code' | 'day' | 'soldAt'> & { readonly soldAt: number | null }

export function closedTrade(trade: PastTrade): Trade {
  const { id, count, buyPrice, boughtAt, sellPrice, soldAt } = trade
  const gain = grossGain(count, buyPrice, sellPrice)
  return {
    id,
    buyDateTime: kstIso(boughtAt),
    buyCount: count,
    buyPrice,
    sellDateTime: soldAt === null ? null : kstIso(soldAt),
    sellPrice,
    gainAmount: gain,
    gainRatio: gain === null ? null : gainRatio(gain, count * buyPrice),
    netGainAmount: realisedNetGain(trade),
    buying: false,
    takenOver: false,
    sellOrderId: null,
    targetPrice: null,
  }
}

export const tradeOfRow = (row: TradeRow): Trade =>
  closedTrade({
    id: row.id,
    count: row.count,
    buyPrice: row.buy_price,
    buyAmount: row.buy_amount,
    boughtAt: row.bought_at,
    sellPrice: row.sell_price,
    sellAmount: row.sell_amount,
    soldAt: row.sold_at,
    fee: row.fee ?? 0,
    tax: row.tax ?? 0,
  })

function restingSell(book: Book, lotId: number): number | null {
  for (const order of book.orders.values()) {
    if (order.side === 'sell' && isLive(order.status) && order.lots.some((lot) => lot.lotId === lotId)) return order.id
  }
  return null
}
