import type { Dice } from '../machine/dice.ts'
import type { Process } from '../machine/process.ts'
import type { Moment } from '../moment.ts'
import type { ClusterStage } from './stage.ts'

/** Waits for the moment of which its name speaks, and strikes in it; all that it draws is its own. */
type Fault = (stage: ClusterStage, dice: Dice) => void

/** A successor has waited for the orders of the one before, and made them anew, ms. */
const LONG_MS = [140_000, 165_000] as const
/** Nothing that waits for an order strikes after this, ms. */
export const MOMENT_TIMEOUT_MS = 15_000

/** What strikes between an order's commit and its arrival at the broker. */
export const WORST: Readonly<Record<string, Fault>> = {
  /** The bytes are in the kernel, the line is cut, and the process is gone. */
  killedWithOrderOut: (stage, dice) =>
    once(stage, stage.orderWritten, ({ process }) => {
      cutFromBroker(stage, process, dice)
      killSoon(stage, process, dice)
    }),
  /** The same, and the process stands still. */
  stillWithOrderOut: (stage, dice) =>
    once(stage, stage.orderWritten, ({ process }) => {
      cutFromBroker(stage, process, dice)
      standStill(stage, process, dice)
    }),
  /** It stands still when its order is committed, before it hears of it: the age of the order counts from when it does. */
  stillAtCommit(stage, dice) {
    const isForSale = dice.chance(0.8)
    const isForLong = dice.chance(0.75)
    each(stage, stage.orderCommitted, ({ process, side }) => {
      if (isForSale && side !== 'sell') return false
      if (isForLong) standStillFor(stage, process, dice.between(...LONG_MS))
      else standStill(stage, process, dice)
      return true
    })
  },
  /** The line to the database is cut when an order is committed: its worker hears of it when the line is back, or never. */
  cutAtCommit: (stage, dice) =>
    once(stage, stage.orderCommitted, ({ process }) => {
      stage.story.add(`${process.name} is cut off from the database`)
      cut(stage, process, 'database', dice.between(1_000, 30_000))
    }),
  /**
   * The database ends the session that shows that a worker is there, and takes no new ones; the worker goes on with the connections
   * that it has. Another one takes its accounts, and the market falls.
   */
  sessionLost(stage, dice) {
    const { simulation, database } = stage
    const { process } = dice.pick([...stage.workers.values()])
    stage.story.add(`${process.name} loses its session`)
    stage.cutSession(process)
    database.faults.refuseConnections = true
    simulation.after(dice.between(500, 5_000), null, () => void (database.faults.refuseConnections = false))
    once(stage, stage.claimed, () => simulation.after(dice.between(10, 400), null, () => stage.moveMarket(-2)))
    each(stage, stage.orderWritten, (written) => {
      if (written.process !== process) return false
      cutFromBroker(stage, process, dice)
      if (dice.chance(0.5)) killSoon(stage, process, dice)
      else standStill(stage, process, dice)
      return true
    })
  },
}

function once<T>(stage: ClusterStage, moment: Moment<T>, run: (what: T) => void): void {
  stage.simulation.after(MOMENT_TIMEOUT_MS, null, moment.once(run))
}

/** Each time, until `run` has struck. */
function each<T>(stage: ClusterStage, moment: Moment<T>, run: (what: T) => boolean): void {
  const until = stage.simulation.now + MOMENT_TIMEOUT_MS
  const wait = (): void =>
    once(stage, moment, (what) => {
      if (!run(what) && stage.simulation.now < until) wait()
    })
  wait()
}

/** The kernel tries again 25.4 s after a write, and then 51 s after it, for the last time. */
function cutFromBroker(stage: ClusterStage, process: Process, dice: Dice): void {
  stage.story.add(`${process.name} is cut off from the broker`)
  cut(stage, process, 'broker', dice.between(3_000, 50_500))
}

function cut({ simulation }: ClusterStage, { name }: Process, from: 'broker' | 'database', forMs: number): void {
  const line = simulation.network.line(name, from)
  line.cut = true
  simulation.after(forMs, null, () => void (line.cut = false))
}

/** Not in this very turn: what it is about to write is in the kernel by then. */
const killSoon = ({ simulation }: ClusterStage, process: Process, dice: Dice): void =>
  void simulation.after(dice.between(0, 2_000), null, () => simulation.end(process, { how: 'killed', why: 'kill -9' }))

/** For about a lease, for about an order's age, or for longer than anybody waits. */
function standStill(stage: ClusterStage, process: Process, dice: Dice): void {
  const [from, to] = dice.pick([[2_000, 8_000], [8_000, 60_000], LONG_MS] as const)
  standStillFor(stage, process, dice.between(from, to))
}

function standStillFor({ simulation, story }: ClusterStage, process: Process, forMs: number): void {
  story.add(`${process.name} stands still for ${Math.round(forMs)} ms`)
  simulation.pause(process)
  simulation.after(forMs, null, () => simulation.resume(process))
}
