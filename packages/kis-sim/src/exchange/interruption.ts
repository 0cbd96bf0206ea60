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
    for (const venue of ['KRX', 'NXT'] as const) {
      if (exchange.trading(issue, venue)) exchange.cross(issue, venue, issue.last, 0)
    }
  })
}
