import type { Dice } from './dice.ts'
import type { Process } from './process.ts'

/** What can be taken back. */
export interface Planned {
  cancel(): void
}

/** The simulation as those see it that it is made of. */
export interface Timeline {
  readonly epoch: number
  /** Ms since the start of the run. */
  readonly now: number
  readonly processes: readonly Process[]
  readonly outside: { do<T>(work: () => Promise<T>): Promise<T> }
  dice(name: string): Dice
  at(at: number, process: Process | null, run: () => void): Planned
  after(ms: number, process: Process | null, run: () => void): Planned
  timer(ms: number, process: Process | null, run: () => void): Planned
  enter<T>(process: Process, run: () => T): T
  as(process: Process, run: () => void): void
  immediate(change: 1 | -1): void
  uncaught(error: unknown): void
  onClose(run: () => void): void
}
