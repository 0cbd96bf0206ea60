import type { Order } from '@digger/core'

/** Two shares of Samsung at 70,000 won, on their way. */
export const orderOf = (change: Partial<Order> = {}): Order => ({
  id: 1,
  code: '005930',
  side: 'buy',
  origin: 'person',
  type: 'limit',
  price: 70_000,
  count: 2,
  venue: 'KRX',
  session: 'regular',
  lots: [{ lotId: 1, count: 2 }],
  status: 'intended',
  day: '20261120',
  odno: null,
  orgno: null,
  filledCount: 0,
  filledAmount: 0,
  reservedPrice: 70_000,
  createdAt: 0,
  updatedAt: 0,
  why: '',
  note: null,
  absentFrom: null,
  cancelAsked: false,
  ...change,
})
