import type { Sent } from '@digger/contract'
import { send } from '../../../api/send.ts'
import type { QuoteQuery, Sale } from './saleForm.ts'

/** The sale as its question was answered; null after the refusal was shown. */
export function sendSale({ stock: { userId, code }, how, trade }: Sale, query: QuoteQuery): Promise<Sent | null> {
  const params = { userId, code }
  if (trade !== undefined) {
    const name = how === 'current' ? 'sellTradeAtCurrent' : 'sellTradeAtMarket'
    return send(name, { params: { ...params, tradeId: trade.id } })
  }
  const { sellPrice, sellCount, qty } = query
  if (how === 'market') return send('sellStockAtMarket', { params, query: { qty } })
  return send('sellStockAtPrice', { params, query: { sellPrice, sellCount, qty } })
}
