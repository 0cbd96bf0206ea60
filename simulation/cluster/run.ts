import type { DatabaseModel, StatementSeen } from '../database/model.ts'
import { Dice } from '../machine/dice.ts'
import { setSimulation, Simulation } from '../machine/simulation.ts'
import { Violation } from '../violation.ts'
import { CUSTOMERS } from './customers.ts'
import { MOMENT_TIMEOUT_MS, WORST } from './faults.ts'
import { ClusterStage } from './stage.ts'

/** Workers have their accounts, and these their first lots. */
const BEGUN_MS = 7_000
/** The first fault has struck by then, if it finds its moment. */
const LAST_STRIKE_MS = 30_000
/** So long at most: what struck is over by then, and so is the time for which a successor waits. */
const TROUBLE_MS = 245_000
/** A run whose faults are over and have left nothing open ends before. */
const STILL_MS = 8_000
/** A machine's clock is set by so much, at most, ms. */
const MAX_CLOCK_MS = 300_000
const WAVE_MS = [2_000, 5_000] as const

export interface WorkersOutcome {
  readonly seed: number
  readonly failure: Violation | null
  readonly steps: number
  readonly taken: number
  readonly claims: number
  readonly story: readonly string[]
}

/** What strikes first under a seed. */
export const faultOf = (seed: number): string => new Dice(seed, 'kind').pick(Object.keys(WORST))

/** Workers that share a database and a broker under one seed. */
export async function simulateWorkers(seed: number, database: DatabaseModel, workers: number): Promise<WorkersOutcome> {
  await database.reset()
  const simulation = new Simulation(seed, Date.parse('2026-11-25T10:00:00+09:00'))
  setSimulation(simulation)
  const run = new Run(simulation, database)
  run.open(workers)
  let failure: Violation | null = null
  try {
    await simulation.run(TROUBLE_MS, () => run.isStill)
    run.checkCalm()
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    failure = error instanceof Violation ? error : new Violation('the run goes on', text)
  }
  const { steps } = simulation
  const story = [...run.stage.story.lines]
  await simulation.close()
  setSimulation(null)
  return { seed, failure, steps, taken: run.stage.doubles.taken, claims: run.claims, story }
}

class Run {
  readonly stage: ClusterStage
  claims = 0
  #settledSince = LAST_STRIKE_MS
  /** By user. */
  readonly #epochs = new Map<string, number>()

  constructor(simulation: Simulation, database: DatabaseModel) {
    this.stage = new ClusterStage(simulation, database)
    simulation.onCrash = (process, error) =>
      this.stage.fail('no process dies of an error', `${process.name}: ${String(error)}`)
    database.onStatement = (seen) => {
      this.#noteEpochs(seen)
      this.stage.noteStatement(seen)
    }
  }

  open(workers: number): void {
    this.stage.open(workers)
    this.#lookForStillness()
    this.#wave()
    this.#planWorst()
  }

  #lookForStillness(): void {
    const { simulation } = this.stage
    const look = (): void => {
      if (!this.stage.isSettled) this.#settledSince = simulation.now
      simulation.after(1_000, null, look)
    }
    simulation.at(LAST_STRIKE_MS, null, look)
  }

  /** Whether nothing more can come of what struck. */
  get isStill(): boolean {
    return this.stage.simulation.now - this.#settledSince > STILL_MS
  }

  #wave(): void {
    const { simulation } = this.stage
    const dice = simulation.dice('waves')
    const next = (): void => {
      this.stage.moveMarket()
      simulation.after(dice.between(...WAVE_MS), null, next)
    }
    simulation.after(BEGUN_MS - 2_000, null, next)
  }

  #planWorst(): void {
    const { simulation, story } = this.stage
    const dice = simulation.dice('worst')
    const strike = (name: string, at: number): void => {
      simulation.at(at, null, () => {
        story.add(`FAULT ${name}`)
        WORST[name]?.(this.stage, dice)
      })
    }
    strike(faultOf(simulation.seed), dice.between(BEGUN_MS, LAST_STRIKE_MS - MOMENT_TIMEOUT_MS))
    // It may meet whoever took over, while orders of the one before are still waited for.
    if (dice.chance(0.3)) strike(dice.pick(Object.keys(WORST)), dice.between(LAST_STRIKE_MS, 45_000))
    if (dice.chance(0.3)) this.#setClock(dice)
  }

  #setClock(dice: Dice): void {
    const { simulation, workers } = this.stage
    simulation.at(dice.between(BEGUN_MS, 60_000), null, () => {
      dice.pick([...workers.values()]).process.wallOffset += dice.between(-MAX_CLOCK_MS, MAX_CLOCK_MS)
    })
  }

  /** Read after each claim and each commit: what the tables say is what counts. */
  #noteEpochs({ text, code }: StatementSeen): void {
    const isClaim = /update account set epoch/.test(text)
    if (code !== null || !(isClaim || text.includes('orders_part'))) return
    if (isClaim) this.claims += 1
    for (const row of this.stage.database.query('select user_id, epoch from account')) {
      const [userId, epoch] = [String(row['user_id']), Number(row['epoch'])]
      const known = this.#epochs.get(userId) ?? 0
      if (epoch < known) this.stage.fail('only the newest owner commits', `${userId}: ${epoch} after ${known}`)
      this.#epochs.set(userId, epoch)
    }
  }

  checkCalm(): void {
    for (const { userId } of CUSTOMERS) {
      const { length } = this.stage.ownersOf(userId)
      if (length !== 1) throw new Violation('each account has one owner in calm', `${userId}: ${length}`)
    }
    for (const worker of this.stage.alive)
      if (!this.stage.isTrading(worker)) throw new Violation('all accounts trade in calm', worker.process.name)
  }
}
