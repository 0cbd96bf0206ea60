import type { KisRest } from '../api.ts'
import { getBalance } from './balance.ts'
import { getBuyable } from './buyable.ts'
import type { RestContext } from './context.ts'
import { getExecutions } from './executions.ts'
import { marketCalls } from './market-calls.ts'
import { getOpenOrders } from './open-orders.ts'
import { sendCancel, sendOrder } from './order.ts'
import { getPeriodProfit } from './period-profit.ts'
import { getPeriodTradeProfit } from './period-trade-profit.ts'
import { getSellable } from './sellable.ts'

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
  ...marketCalls(kis),
  periodProfit: getPeriodProfit.bind(null, kis),
  periodTradeProfit: getPeriodTradeProfit.bind(null, kis),
  queue,
  close,
})
