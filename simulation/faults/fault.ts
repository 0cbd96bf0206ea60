import type { Stage } from '../stage.ts'

/**
 * What a fault makes forgivable, while it lasts and for a while after it: `late`: fills booked and orders listed late;
 * `noAnswer`: a server stands still, so that nobody is answered; `internal`: a server tells people that something broke inside of it;
 * `rejects`: the exchange refuses what it had taken, so that a stock stops after three of them, until its person lets it go on.
 * What the network does to single orders needs none: `checks/strays.ts` knows which.
 */
export type Excuse = 'late' | 'noAnswer' | 'internal' | 'rejects'

/** One kind of thing that goes wrong. */
export interface Fault {
  /** How often it is chosen, against the others. */
  readonly weight: number
  /** For how long, ms: the shortest and the longest. */
  readonly lasts: readonly [number, number]
  /** `late` alone when absent. */
  readonly excuses?: readonly Excuse[]
  /** For how long after its end the broker's own rules may still hold everything up, ms; 0 when absent. */
  readonly echoesMs?: number
  /** Begins it; what it returns ends it. `draw`: 0 ≤ x < 1, the fault's own. */
  strike(stage: Stage, draw: number, forMs: number): () => void
}

export const NOTHING_TO_END = (): void => undefined

/** A share of a draw as one of a list. */
export function choose<T>(list: readonly T[], draw: number): T {
  const one = list[Math.floor(draw * list.length)]
  if (one === undefined) throw new RangeError('nothing to choose from')
  return one
}
