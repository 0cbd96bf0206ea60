import type { BuyQuote, SaleQuote } from '@digger/core'

type Last = BuyQuote['last']

/** Fourteen shares at the market, with cash for six. */
export const buyQuoteBy = (last: Last): BuyQuote => ({
  refusal: null,
  order: { count: 14, type: 'market', price: 0, reservedPrice: 92_300 },
  venue: 'KRX',
  isOld: false,
  last,
  shadow: false,
  cash: { amount: 600_000, at: 0 },
  buyable: 6,
})

/** Three shares at 72,000. */
export const saleQuoteBy = (last: Last): SaleQuote => ({
  refusal: null,
  venue: 'KRX',
  free: 3,
  orders: [{ count: 3, price: 72_000 }],
  lots: [],
  last,
  worst: null,
  shadow: false,
})
