import type { Beginning } from './beginning.ts'
import type { Fault } from './faults.ts'
import { Violation } from './violation.ts'
import { checkSettled, heal } from './settle.ts'
import type { Random } from './random.ts'
import { Simulation } from './simulation.ts'

/** Days of one run, the last of which heals. */
export const DAYS_PER_RUN = 3

/** At most so large a part of all runs may have had nothing due in peace: stopped by a limit, or without a setting to buy. */
export const IDLE_SHARE = 0.25

export interface Outcome {
  readonly seed: number
  readonly failure: Error | null
  /** Automatic orders made in peace; a run without any has shown nothing of whether the account lives. */
  readonly due: number
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
  return play(simulation, seed, () => {
    for (let day = 1; day < DAYS_PER_RUN; day++) simulation.playDay()
  })
}

/** Goes on from the end of an incident: the rest of its day, another one, and one of peace. */
export function attack(begins: (random: Random) => Beginning, seed: number, trace = false): Outcome {
  const simulation = new Simulation(seed, trace, begins)
  return play(simulation, seed, () => {
    simulation.playRest()
    simulation.playDay()
  })
}

function play(simulation: Simulation, seed: number, trouble: () => void): Outcome {
  let failure: Error | null = null
  let due = 0
  try {
    trouble()
    due = checkSettled(simulation, heal(simulation))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    failure = error
    simulation.monitor.log(() => (error instanceof Violation ? `!!! ${error.message}` : `!!! ${error.stack}`))
  }
  const own = simulation.broker.orders.filter((order) => order.label !== null)
  return {
    seed,
    failure,
    due,
    counts: simulation.faults.counts,
    orders: own.length,
    fills: own.filter((order) => order.filledCount > 0).length,
    facts: simulation.monitor.facts,
    swaps: simulation.monitor.swaps,
    trace: simulation.monitor.trace ?? [],
  }
}
