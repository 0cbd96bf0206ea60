import { createHash } from 'node:crypto'
import type { Judge } from './judge.ts'

/** How a judge ended last, kept in `memory.json`. */
export interface Ended {
  readonly passed: boolean
  /** When, as ISO 8601. */
  readonly at: string
  readonly seconds: number
  readonly seed: number
  /** Of the code it covers, as it was then. */
  readonly code: string
}
export type Memory = Readonly<Record<string, Ended>>

export interface Known {
  readonly memory: Memory
  /** Of the code that a judge covers, as it is now. */
  readonly codeOf: (judge: Judge) => string
  /** Those that ended on the same day come in another order for each commit: no slice of time always leaves out the same. */
  readonly commit: string
}

/** Whether it has passed on this very code. */
export const isCurrent = (judge: Judge, { memory, codeOf }: Known): boolean => {
  const last = memory[judge.name]
  return last !== undefined && last.passed && last.code === codeOf(judge)
}

/** What failed last time first, then what never passed or whose code changed since, then the rest; each the oldest first. */
export function inOrder(judges: readonly Judge[], known: Known): Judge[] {
  const rank = (judge: Judge): number =>
    known.memory[judge.name]?.passed === false ? 0 : isCurrent(judge, known) ? 2 : 1
  const day = ({ name }: Judge): string => known.memory[name]?.at.slice(0, 10) ?? ''
  const lot = ({ name }: Judge): string => createHash('sha256').update(`${known.commit} ${name}`).digest('hex')
  const key = (judge: Judge): string => [rank(judge), day(judge), lot(judge)].join(' ')
  return judges.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** So long it is thought to take, in minutes: as long as last time, where it ran. */
export const expectedMinutes = ({ name, minutes }: Judge, memory: Memory): number => {
  const last = memory[name]
  return last === undefined ? minutes : last.seconds / 60
}

/** The first that is thought to end in time; null when none is. */
export const nextWithin = (judges: readonly Judge[], left: number, memory: Memory): Judge | null =>
  judges.find((judge) => expectedMinutes(judge, memory) <= left) ?? null
