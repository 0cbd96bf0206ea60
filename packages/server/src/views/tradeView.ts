import type { Trade } from '@digger/contract'
import {
  type Book,
  type HeldLot,
  type Stock,
  averageTarget,
  isLive,
  kstDay,
  kstIso,
  lotTarget,
  netGain,
} from '@digger/core'
import type { TradeRow } from '@digger/database'
import { percent } from './stockView.ts'

/** An open lot: its gain is against the price shown, its net gain as if it were sold there today. */
export function openTrade(book: Book, stock: Stock, lot: HeldLot, price: number | null, now: number): Trade {
  const { issue, settings, lots } = stock
  const gain = price === null ? null : lot.count * (price - lot.buyPrice)
  const trip = { market: issue.market, kind: issue.kind, buyAmount: lot.buyAmount, buyDay: kstDay(lot.boughtAt) }
  const target = settings.autoSellWithAvgPrice
    ? averageTarget(lots, settings, issue.kind)
    : lotTarget(lot.buyPrice, settings, issue.kind)
  return {
    id: lot.id,
    buyDateTime: kstIso(lot.boughtAt),
    buyCount: lot.count,
    buyPrice: lot.buyPrice,
    sellDateTime: null,
    sellPrice: null,
    gainAmount: gain,
    gainRatio: gain === null ? null : percent(gain, lot.count * lot.buyPrice),
    netGainAmount: price === null ? null : netGain({ ...trip, sellAmount: price * lot.count, sellDay: kstDay(now) }),
    buying: lot.buyOrderId !== null,
    sellOrderId: restingSell(book, lot.id),
    targetPrice: target,
  }
}

export function closedTrade(row: TradeRow): Trade {
  const gain = grossGain(row)
  return {
    id: row.id,
    buyDateTime: kstIso(row.bought_at),
    buyCount: row.count,
    buyPrice: row.buy_price,
    sellDateTime: row.sold_at === null ? null : kstIso(row.sold_at),
    sellPrice: row.sell_price,
    gainAmount: gain,
    gainRatio: gain === null ? null : percent(gain, row.count * row.buy_price),
    netGainAmount: gain === null ? null : (row.sell_amount ?? 0) - row.buy_amount - (row.fee ?? 0) - (row.tax ?? 0),
    buying: false,
    sellOrderId: null,
    targetPrice: null,
  }
}

/** Won before fees and tax; null for a lot closed by a correction, without a known sale. */
const grossGain = (row: TradeRow): number | null =>
  row.sell_price === null ? null : row.count * (row.sell_price - row.buy_price)

function restingSell(book: Book, lotId: number): number | null {
  for (const order of book.orders.values()) {
    if (order.side === 'sell' && isLive(order.status) && order.lots.some((lot) => lot.lotId === lotId)) return order.id
  }
  return null
}
