import type { Stage } from '../stage.ts'
import { Violation } from '../violation.ts'

const LOOK_MS = 500

/** What must come in time. */
export interface Awaited {
  /** Ms, asked at each look. */
  readonly within: number | (() => number)
  readonly holds: () => boolean | Promise<boolean>
  /** Broken when it does not come. */
  readonly promise: string
  readonly why: () => string | Promise<string>
}

/** Looks twice a second. Resolves to how long it took, ms; rejects with a `Violation`. */
export async function until({ simulation }: Stage, { within, holds, promise, why }: Awaited): Promise<number> {
  const since = simulation.now
  for (;;) {
    if (await holds()) return simulation.now - since
    const ms = typeof within === 'number' ? within : within()
    if (simulation.now - since > ms) throw new Violation(promise, `not within ${ms / 1_000} s: ${await why()}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
