import type { Fault } from './faults.ts'
import { Violation } from './monitor.ts'
import { checkSettled, heal } from './settle.ts'
import { World } from './world.ts'

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

/** One account through several days of trouble and a last one of peace. The same seed gives the same run. */
export function simulate(seed: number, trace = false): Outcome {
  const world = new World(seed, trace)
  let failure: Error | null = null
  try {
    for (let day = 1; day < DAYS_PER_RUN; day++) world.playDay()
    heal(world)
    checkSettled(world)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    failure = error
    world.monitor.say(() => (error instanceof Violation ? `!!! ${error.message}` : `!!! ${error.stack}`))
  }
  const own = world.broker.orders.filter((order) => order.label !== null)
  return {
    seed,
    failure,
    counts: world.faults.counts,
    orders: own.length,
    fills: own.filter((order) => order.filledCount > 0).length,
    facts: world.monitor.facts,
    swaps: world.monitor.swaps,
    trace: world.monitor.trace ?? [],
  }
}
