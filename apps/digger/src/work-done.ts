import type { Sim } from '@digger/kis-sim'
import type { Engine } from '@digger/engine'

/** How much work a run on a moved clock had, in all accounts. */
export interface WorkDone {
  readonly orders: number
  readonly fills: number
  readonly cashQueries: number
  readonly listReads: number
}

export function workDone(sim: Sim): WorkDone {
  const { accounts, broker } = sim
  const events = accounts.flatMap(({ credentials }) => sim.trueEvents(credentials.accountNumber))
  return {
    orders: events.filter((event) => event.kind === 'accepted' && event.order.change === null).length,
    fills: events.filter((event) => event.kind === 'filled').length,
    cashQueries: broker.calls.get('buyable') ?? 0,
    listReads: broker.calls.get('executions') ?? 0,
  }
}

export const workLine = ({ orders, fills, cashQueries, listReads }: WorkDone): string =>
  `orders ${orders}, fills ${fills}, cash queries ${cashQueries}, lists read ${listReads}`

/** A run in which nothing was due, or which ends with an account that may not trade, proves nothing. */
export function problemsOfIdleRun(sim: Sim, engine: Engine, accounts: number): string[] {
  const { armed } = engine.health.vitals()
  const idle = Object.entries(workDone(sim)).filter(([, count]) => count === 0)
  return [
    ...idle.map(([what]) => `no ${what} in the whole run: this proves nothing`),
    ...(armed < accounts ? [`${armed} of ${accounts} accounts armed at the end`] : []),
  ]
}
