/** The last so many are kept. */
const KEPT = 1_000

/** How long something took lately, ms. */
export class Durations {
  readonly #kept: number[] = []
  #next = 0

  add(ms: number): void {
    this.#kept[this.#next] = ms
    this.#next = (this.#next + 1) % KEPT
  }

  /** Of 0.5 the middle one; 0 where there was none yet. */
  quantile(share: number): number {
    const sorted = this.#kept.toSorted((a, b) => a - b)
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  }
}

export const TAKEOVER_STEPS = ['claim', 'load', 'keys', 'armed'] as const
export type TakeoverStep = (typeof TAKEOVER_STEPS)[number]
export const CALL_OUTCOMES = ['done', 'again', 'nobody', 'unknown'] as const
export type CallOutcome = (typeof CALL_OUTCOMES)[number]

/** What one process of several has done since it began: counted where it happens, shown by /health and /metrics. */
export class ClusterCounters {
  /** Shards that were taken, let go, and lost to others. */
  readonly shards = { claimed: 0, released: 0, lost: 0 }
  /** Others that were found dead, by how. */
  readonly buried = { lease: 0, session: 0 }
  /** Commits that were refused because another process had the account. */
  fenced = 0
  /** How long each step of the last takeover took, s: from the claim until all that may trade do. */
  readonly takeover: Record<TakeoverStep, number> = { claim: 0, load: 0, keys: 0, armed: 0 }
  readonly requests = { done: 0, nobody: 0, timeouts: 0, durations: new Durations() }
  /** Calls that a gateway sent on; `again`: went to the account's next owner. */
  readonly calls: Record<CallOutcome, number> = { done: 0, again: 0, nobody: 0, unknown: 0 }
  /** Times the line was cut, and streams of browsers that begin anew because something may have been missed. */
  readonly live = { gaps: 0, resyncs: 0 }
}
