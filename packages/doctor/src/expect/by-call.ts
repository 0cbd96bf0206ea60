import { callOf, type Reply } from '../reply.ts'
import {
  BALANCE_SUMS,
  BUYABLE,
  DAY_PROFIT_SUMS,
  DAY_PROFITS,
  HOLDINGS,
  OPEN_ORDERS,
  ORDER_SUMS,
  ORDERS,
  SELLABLE,
  TRADE_PROFIT_SUMS,
  TRADE_PROFITS,
} from './account-tables.ts'
import { BONUS_ISSUES, DIVIDENDS, FACE_VALUES, RIGHTS_ISSUES } from './ksd-tables.ts'
import {
  BOOK,
  CHART_HEAD,
  DAY_BARS,
  EXPECTED_PRICE,
  HOLIDAYS,
  MINUTE_BARS,
  MINUTE_HEAD,
  PRICE,
  STOCK_INFO,
} from './market-tables.ts'
import type { Table } from './table.ts'

/** By the last part of a call's path. */
const TABLES: Readonly<Record<string, readonly Table[]>> = {
  'inquire-price': [PRICE],
  'inquire-asking-price-exp-ccn': [BOOK, EXPECTED_PRICE],
  'inquire-daily-itemchartprice': [CHART_HEAD, DAY_BARS],
  'inquire-time-itemchartprice': [MINUTE_HEAD, MINUTE_BARS],
  'search-stock-info': [STOCK_INFO],
  'chk-holiday': [HOLIDAYS],
  'inquire-balance': [HOLDINGS, BALANCE_SUMS],
  'inquire-psbl-order': [BUYABLE],
  'inquire-psbl-sell': [SELLABLE],
  'inquire-daily-ccld': [ORDERS, ORDER_SUMS],
  'inquire-psbl-rvsecncl': [OPEN_ORDERS],
  'inquire-period-profit': [DAY_PROFITS, DAY_PROFIT_SUMS],
  'inquire-period-trade-profit': [TRADE_PROFITS, TRADE_PROFIT_SUMS],
  'bonus-issue': [BONUS_ISSUES],
  'paidin-capin': [RIGHTS_ISSUES],
  dividend: [DIVIDENDS],
  'rev-split': [FACE_VALUES],
}

export const tablesOf = (reply: Reply): readonly Table[] => TABLES[callOf(reply)] ?? []
