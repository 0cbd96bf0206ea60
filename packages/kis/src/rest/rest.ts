import type { KisRest } from '../api.ts'
import { getAnnouncements } from './announcements.ts'
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
  order: sendOrder.bind(null, kis),
  cancel: sendCancel.bind(null, kis),
  executions: getExecutions.bind(null, kis),
  openOrders: getOpenOrders.bind(null, kis),
  balance: getBalance.bind(null, kis),
  buyable: getBuyable.bind(null, kis),
  sellable: getSellable.bind(null, kis),
  quote: getQuote.bind(null, kis),
  orderBook: getOrderBook.bind(null, kis),
  dayCandles: getDayCandles.bind(null, kis),
  minuteCandles: getMinuteCandles.bind(null, kis),
  stockInfo: getStockInfo.bind(null, kis),
  holidays: getHolidays.bind(null, kis),
  announcements: getAnnouncements.bind(null, kis),
  periodProfit: getPeriodProfit.bind(null, kis),
  queue,
  close,
})
