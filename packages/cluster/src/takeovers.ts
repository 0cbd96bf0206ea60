import type { ClusterCounters, TakeoverStep } from './counters.ts'
import type { PlacementEvent } from './placement.ts'

const LOOK_INTERVAL_MS = 200
/** An account that is not armed by then waits for its broker, not for the takeover, ms. */
const ARMED_MAX_MS = 120_000

/** How long a worker's takeovers take, step by step, and how often shards came and went. */
export class Takeovers {
  readonly #counters: ClusterCounters
  readonly #isArmed: () => boolean
  #began = 0
  #timer: NodeJS.Timeout | undefined

  /** `isArmed`: whether all accounts whose keys are open trade. */
  constructor(counters: ClusterCounters, isArmed: () => boolean) {
    this.#counters = counters
    this.#isArmed = isArmed
  }

  count(event: PlacementEvent): void {
    if (event.kind === 'buried') return void (this.#counters.buried[event.why] += 1)
    this.#counters.shards[event.kind] += event.shards.length
    if (event.kind !== 'claimed') return
    this.#counters.takeover.claim = event.ms / 1_000
    this.#began = performance.now() - event.ms
  }

  async measure(step: TakeoverStep, work: () => Promise<void>): Promise<void> {
    const began = performance.now()
    await work()
    this.#counters.takeover[step] = (performance.now() - began) / 1_000
  }

  /** The last step: from the claim until all that may trade do. */
  awaitArmed(): void {
    this.end()
    const began = this.#began
    this.#timer = setInterval(() => {
      const ms = performance.now() - began
      if (!this.#isArmed() && ms < ARMED_MAX_MS) return
      this.#counters.takeover.armed = ms / 1_000
      this.end()
    }, LOOK_INTERVAL_MS)
    this.#timer.unref()
  }

  end(): void {
    clearInterval(this.#timer)
  }
}
