import type { Exchange } from './exchange.ts'
import type { SimIssue } from './issue.ts'

/** MKOP_CLS_CODE: trading stops, trading goes on. */
export const STOPPED = '164'
export const RESUMED = '112'

/** A volatility interruption: for a while orders only collect, then all trade at one price. */
export function interrupt(exchange: Exchange, issue: SimIssue, ms: number): void {
  issue.interruptedUntil = exchange.now + ms
  exchange.operation(issue, STOPPED)
  exchange.options.clock.after(ms, () => {
    if (issue.interruptedUntil === null) return
    issue.interruptedUntil = null
    exchange.operation(issue, RESUMED)
    crossCollected(exchange, issue)
  })
}

/** Trading goes on where nothing else is in its way: at one price for all that collected. */
export function crossCollected(exchange: Exchange, issue: SimIssue): void {
  const { price, count } = issue.expected ?? { price: issue.last, count: 0 }
  for (const venue of ['KRX', 'NXT'] as const) {
    if (exchange.trading(issue, venue)) exchange.cross(issue, venue, price, count)
  }
}
