import type { KisRest } from '../api.ts'
import { getBalance } from './balance.ts'
import { getBuyable } from './buyable.ts'
import type { RestContext } from './context.ts'
import { getDayCandles } from './day-candles.ts'
import { getExecutions } from './executions.ts'
import { getHolidays } from './holidays.ts'
import { getMinuteCandles } from './minute-candles.ts'
import { getOpenOrders } from './open-orders.ts'
import { sendCancel, sendOrder } from './order.ts'
import { getOrderBook } from './order-book.ts'
import { getPeriodProfit } from './period-profit.ts'
import { getQuote } from './quote.ts'
import { getSellable } from './sellable.ts'
import { getStockInfo } from './stock-info.ts'

export const createRest = (kis: RestContext, { queue, close }: Pick<KisRest, 'queue' | 'close'>): KisRest => ({
  env: kis.env,
  get unanswered() {
    return kis.calls.unanswered
  },
  order: (order, beforeSend) => sendOrder(kis, order, beforeSend),
  cancel: (order, beforeSend) => sendCancel(kis, order, beforeSend),
  executions: (query) => getExecutions(kis, query),
  openOrders: () => getOpenOrders(kis),
  balance: () => getBalance(kis),
  buyable: (code, withinMs) => getBuyable(kis, code, withinMs),
  sellable: (code) => getSellable(kis, code),
  quote: (code) => getQuote(kis, code),
  orderBook: (code) => getOrderBook(kis, code),
  dayCandles: (code, from, to) => getDayCandles(kis, code, from, to),
  minuteCandles: (code, time) => getMinuteCandles(kis, code, time),
  stockInfo: (code) => getStockInfo(kis, code),
  holidays: (from) => getHolidays(kis, from),
  periodProfit: (from, to) => getPeriodProfit(kis, from, to),
  queue,
  close,
})
