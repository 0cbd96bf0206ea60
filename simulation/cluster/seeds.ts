import type { DatabaseModel } from '../database/model.ts'
import { runOf } from './mutated.ts'
import type { ClusterMutant } from './mutants.ts'

export interface SeedsParts {
  readonly first: number
  readonly count: number
  readonly workers: number
  /** With this promise of the product left out. */
  readonly mutant: ClusterMutant | null
  /** Only seeds whose worst fault is this one. */
  readonly fault: string | null
  /** Prints what happened, also of seeds that pass. */
  readonly story: boolean
  readonly untilFailure: boolean
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** One seed after the other, a line for each. Returns those that failed. */
export async function runSeeds(database: DatabaseModel, parts: SeedsParts): Promise<number[]> {
  const { first, count, workers, mutant, story, untilFailure } = parts
  const { faultOf, simulateWorkers } = await runOf(mutant)
  const failed: number[] = []
  for (let seed = first; seed < first + count; seed += 1) {
    const fault = faultOf(seed)
    if (parts.fault !== null && fault !== parts.fault) continue
    const outcome = await simulateWorkers(seed, database, workers)
    if (story) for (const line of outcome.story) print(line)
    const { failure, steps, claims, taken } = outcome
    print(`seed ${seed}: ${failure?.message ?? 'passed'} (${fault}, ${steps} steps, ${claims} claims, ${taken} orders)`)
    if (failure !== null) failed.push(seed)
    if (failure !== null && untilFailure) break
  }
  return failed
}
