import type { Sim } from '@digger/kis-sim'
import type { Engine } from '@digger/engine'

/** What a run on a moved clock had to do, in all accounts. */
export interface Work {
  readonly orders: number
  readonly fills: number
  readonly questions: number
  readonly lists: number
}

export function workOf(sim: Sim): Work {
  const { accounts, broker } = sim
  const events = accounts.flatMap(({ credentials }) => sim.trueEvents(credentials.accountNumber))
  return {
    orders: events.filter((event) => event.kind === 'accepted' && event.order.change === null).length,
    fills: events.filter((event) => event.kind === 'filled').length,
    questions: broker.calls.get('buyable') ?? 0,
    lists: broker.calls.get('executions') ?? 0,
  }
}

export const workLine = ({ orders, fills, questions, lists }: Work): string =>
  `orders ${orders}, fills ${fills}, cash questions ${questions}, lists read ${lists}`

/** A run in which nothing was due, or which ends with an account that may not trade, proves nothing. */
export function stillborn(sim: Sim, engine: Engine, accounts: number): string[] {
  const { armed } = engine.health.vitals()
  const idle = Object.entries(workOf(sim)).filter(([, count]) => count === 0)
  return [
    ...idle.map(([what]) => `no ${what} in the whole run: this proves nothing`),
    ...(armed < accounts ? [`${armed} of ${accounts} accounts armed at the end`] : []),
  ]
}
