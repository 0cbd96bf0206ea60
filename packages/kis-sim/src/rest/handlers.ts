import { accountBalance, balance, balanceRealised } from './balance.ts'
import { buyable, margin, sellable } from './buyable.ts'
import type { CallName, Handler } from './call.ts'
import { dailyPrice, dayChart, minuteChart, minuteChartPast } from './charts.ts'
import { executions, openOrders } from './executions.ts'
import { holidays, productInfo, stockInfo, viStatus } from './listing.ts'
import { orderCash, orderRevise } from './orders.ts'
import { lastTrades, orderBook, price, price2 } from './price.ts'
import { periodProfit, periodTradeProfit } from './profit.ts'

export const HANDLERS: Record<CallName, Handler> = {
  orderBuy: orderCash,
  orderSell: orderCash,
  orderRevise,
  openOrders,
  executions,
  executionsOlder: executions,
  buyable,
  sellable,
  balance,
  balanceRealised,
  accountBalance,
  periodTradeProfit,
  periodProfit,
  margin,
  price,
  price2,
  orderBook,
  lastTrades,
  dailyPrice,
  dayChart,
  minuteChart,
  minuteChartPast,
  viStatus,
  stockInfo,
  productInfo,
  holidays,
}
