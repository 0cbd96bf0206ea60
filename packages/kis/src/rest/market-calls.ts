import type { KisRest } from '../api.ts'
import { getAnnouncements } from './announcements.ts'
import type { RestContext } from './context.ts'
import { getDayCandles } from './day-candles.ts'
import { getHolidays } from './holidays.ts'
import { getMinuteCandles } from './minute-candles.ts'
import { getOrderBook } from './order-book.ts'
import { getPastMinutes } from './past-minutes.ts'
import { getQuote } from './quote.ts'
import { getStockInfo } from './stock-info.ts'

type MarketCall =
  | 'quote'
  | 'orderBook'
  | 'dayCandles'
  | 'minuteCandles'
  | 'pastMinutes'
  | 'stockInfo'
  | 'holidays'
  | 'announcements'
  | 'inBackground'

/** What the broker tells everybody alike. */
export const marketCalls = (kis: RestContext): Pick<KisRest, MarketCall> => ({
  quote: getQuote.bind(null, kis),
  orderBook: getOrderBook.bind(null, kis),
  ...charts(kis),
  minuteCandles: getMinuteCandles.bind(null, kis),
  stockInfo: getStockInfo.bind(null, kis),
  holidays: getHolidays.bind(null, kis),
  announcements: getAnnouncements.bind(null, kis),
  inBackground: (how) => charts({ ...kis, calls: kis.calls.inBackground(how) }),
})

const charts = (kis: RestContext): Pick<KisRest, 'dayCandles' | 'pastMinutes'> => ({
  dayCandles: getDayCandles.bind(null, kis),
  pastMinutes: getPastMinutes.bind(null, kis),
})
