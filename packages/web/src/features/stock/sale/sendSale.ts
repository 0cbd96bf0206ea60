import type { Sent } from '@digger/contract'
import { send } from '../../../api/send.ts'
import type { QuoteQuery, Sale } from './saleForm.ts'

/** `price`: the one its person saw; far below it the order is refused. The sale as its question was answered; null after the refusal was shown. */
export function sendSale(
  { stock: { userId, code }, how, trade }: Sale,
  query: QuoteQuery,
  price: number | null,
): Promise<Sent | null> {
  const seen = price === null ? {} : { seenPrice: price }
  const params = { userId, code }
  if (trade !== undefined) {
    const name = how === 'current' ? 'sellTradeAtCurrent' : 'sellTradeAtMarket'
    return send(name, { params: { ...params, tradeId: trade.id }, query: seen })
  }
  const { sellPrice, sellCount, qty } = query
  if (how === 'market') return send('sellStockAtMarket', { params, query: { qty, ...seen } })
  return send('sellStockAtPrice', { params, query: { sellPrice, sellCount, qty } })
}
