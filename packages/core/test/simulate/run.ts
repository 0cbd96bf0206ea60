import type { Fault } from './faults.ts'
import { Violation } from './monitor.ts'
import { checkSettled, heal } from './settle.ts'
import { Simulation } from './simulation.ts'

/** Days of one run, the last of which heals. */
export const DAYS_PER_RUN = 3

export interface Outcome {
  readonly seed: number
  readonly failure: Error | null
  readonly counts: ReadonlyMap<Fault, number>
  readonly orders: number
  readonly fills: number
  readonly facts: number
  readonly swaps: number
  readonly trace: readonly string[]
}

/**
 * One account through several days of trouble and a last one of peace. The same seed gives the same run. `watch` is handed
 * the run before anything happens in it.
 */
export function simulate(seed: number, trace = false, watch?: (simulation: Simulation) => void): Outcome {
  const simulation = new Simulation(seed, trace)
  watch?.(simulation)
  let failure: Error | null = null
  try {
    for (let day = 1; day < DAYS_PER_RUN; day++) simulation.playDay()
    heal(simulation)
    checkSettled(simulation)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    failure = error
    simulation.monitor.log(() => (error instanceof Violation ? `!!! ${error.message}` : `!!! ${error.stack}`))
  }
  const own = simulation.broker.orders.filter((order) => order.label !== null)
  return {
    seed,
    failure,
    counts: simulation.faults.counts,
    orders: own.length,
    fills: own.filter((order) => order.filledCount > 0).length,
    facts: simulation.monitor.facts,
    swaps: simulation.monitor.swaps,
    trace: simulation.monitor.trace ?? [],
  }
}
