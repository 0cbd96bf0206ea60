import { kstDay } from '@digger/core'
import { ORD_DVSN } from '@digger/kis'
import type { Broker } from './broker.ts'

/** Expires the orders of an earlier day that a stopped process never saw end. */
export function expireOldOrders({ ledger, clock }: Broker): void {
  const today = kstDay(clock.now())
  for (const account of ledger.accounts.values()) {
    for (const order of account.live) {
      if (order.day !== today) ledger.reduce(clock.now(), order, order.remaining, 'expired')
    }
  }
}

/** Puts back the orders and changes the exchange had, or was about to get, when the process stopped. */
export function restoreOrders({ ledger, exchange, clock }: Broker): void {
  for (const account of ledger.accounts.values()) {
    for (const order of account.orders) {
      const unsettled = order.change !== null && !order.settled && order.day === ledger.day
      if (order.remaining === 0 && !unsettled) continue
      const issue = exchange.issue(order.code)
      const phase = exchange.phaseOf(issue, order.routed).name
      const over = phase === 'closed' || (phase === 'postClose' && order.division !== ORD_DVSN.postClose)
      if (!over) {
        exchange.restore(order)
        continue
      }
      const stopped = order.routed === 'NXT' && issue.status.stoppedOnNxt
      const why = unsettled ? 'rejected' : stopped ? 'cancelled' : 'expired'
      ledger.reduce(clock.now(), order, Math.max(order.remaining, unsettled ? order.count : 0), why)
    }
  }
}
