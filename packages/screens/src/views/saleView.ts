import type { BuyQuote as BuyQuoteView, SaleQuote as SaleQuoteView, Sent } from '@digger/contract'
import type { BuyQuote } from '@digger/core'
import { grossGain, kstDay, kstIso, netGain, remainCount, type Order, type SaleQuote, type Stock } from '@digger/core'

/** The orders of a person's command, as they were sent. */
export const sentView = (orders: readonly Order[]): Sent => ({
  orders: orders.map(({ side, count: qty, type, price, venue: exchangeCode }) => ({
    orderType: side === 'buy' ? 'BUY' : 'SELL',
    qty,
    price: type === 'limit' ? price : null,
    exchangeCode,
  })),
})

/** What a sale would do, with what it would realise by the prices of its orders; at the market by the price it is decided by. */
export function saleQuoteView(
  { issue, lots: held }: Stock,
  { refusal, free, venue, orders, lots, last, worst, shadow }: SaleQuote,
  now: number,
): SaleQuoteView {
  const sales = lots.map((lot, at) => ({ lot, price: (orders[at] ?? orders[0])?.price ?? last?.price ?? null }))
  const { market, kind } = issue
  const net = sales.map(({ lot: { count, buyAmount, boughtAt }, price }) =>
    price === null
      ? null
      : netGain({ market, kind, buyAmount, buyDay: kstDay(boughtAt), sellAmount: price * count, sellDay: kstDay(now) }),
  )
  return {
    refusal,
    held: remainCount(held),
    free,
    buying: remainCount(held.filter(({ buyOrderId }) => buyOrderId !== null)),
    orders: orders.map(({ count: qty, price }) => ({ qty, price })),
    price: last?.price ?? null,
    ...ageOf(last, now),
    exchangeCode: venue,
    gainAmount: sumOf(sales.map(({ lot, price }) => grossGain(lot.count, lot.buyPrice, price))),
    netGainAmount: sumOf(net),
    ...(worst !== null && { worstPrice: worst }),
    ...(shadow && { shadow: true }),
  }
}

/** What a buy would do; its cash as it was last read. */
export function buyQuoteView(
  { refusal, order, venue, isOld, last, shadow, cash, buyable }: BuyQuote,
  now: number,
): BuyQuoteView {
  return {
    refusal,
    qty: order?.count ?? 0,
    type: order?.type ?? null,
    price: order?.type === 'limit' ? order.price : null,
    worstPrice: order?.reservedPrice ?? null,
    worstAmount: order === null ? null : order.count * order.reservedPrice,
    exchangeCode: venue,
    isPriceOld: isOld,
    lastPrice: last?.price ?? null,
    ...ageOf(last, now),
    cash: cash === null ? null : Math.floor(cash.amount),
    cashAt: cash === null ? null : kstIso(cash.at),
    buyable,
    ...(shadow && { shadow: true }),
  }
}

const ageOf = (last: SaleQuote['last'], now: number): { priceAt: string | null; priceAgeMs: number | null } =>
  last === null
    ? { priceAt: null, priceAgeMs: null }
    : { priceAt: kstIso(last.at), priceAgeMs: Math.max(0, Math.round(now - last.at)) }

/** One that is not known makes the sum unknown. */
const sumOf = (amounts: readonly (number | null)[]): number | null =>
  amounts.reduce<number | null>((sum, amount) => (sum === null || amount === null ? null : sum + amount), 0)
