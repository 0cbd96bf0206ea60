import { accountBalance, balance, balanceRealised } from './balance.ts'
import { buyable, sellable } from './buyable.ts'
import type { CallName, Handler } from './call.ts'
import { dailyPrice, dayChart } from './charts.ts'
import { executions, openOrders } from './executions.ts'
import { bonusIssues, dividends, faceValueChanges, paidInCapital } from './ksd.ts'
import { holidays, productInfo, stockInfo, viStatus } from './listing.ts'
import { minuteChart, minuteChartPast } from './minute-charts.ts'
import { orderCash, orderRevise } from './orders.ts'
import { margin } from './margin.ts'
import { overseasAssets, overseasBalance, overseasList, overseasPrice, overseasProfit } from './overseas.ts'
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
  paidInCapital,
  bonusIssues,
  dividends,
  faceValueChanges,
  overseasAssets,
  overseasBalance,
  overseasOpenOrders: overseasList,
  overseasExecutions: overseasList,
  overseasProfit,
  overseasPrice,
}
