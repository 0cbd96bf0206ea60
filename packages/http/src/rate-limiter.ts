import type { Clock } from '@digger/database'
import type { Rate } from './request-limits.ts'

interface Bucket {
  tokens: number
  at: number
}

/** Subjects with a bucket of their own; each takes less than a kilobyte. */
const MAX_SUBJECTS = 20_000
const SWEEP_INTERVAL_MS = 1_000
const EVERYONE_ELSE = ''

/** A token bucket for each subject. When there are too many to remember, those that come new share one. */
export class RateLimiter {
  readonly #rate: Rate
  readonly #clock: Pick<Clock, 'now'>
  readonly #maxSubjects: number
  readonly #buckets = new Map<string, Bucket>()
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(rate: Rate, clock: Pick<Clock, 'now'>, maxSubjects = MAX_SUBJECTS) {
    this.#rate = rate
    this.#clock = clock
    this.#maxSubjects = maxSubjects
  }

  get size(): number {
    return this.#buckets.size
  }

  /** Takes one; false when there is none left. */
  take(subject: string): boolean {
    const { burst, perSecond } = this.#rate
    if (burst === Infinity) return true
    const now = this.#clock.now()
    const bucket = this.#buckets.get(subject) ?? this.#newcomer(subject, now)
    // A clock set back gives nothing and takes nothing.
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1_000) * perSecond)
    bucket.at = now
    if (bucket.tokens < 1) return false
    bucket.tokens -= 1
    return true
  }

  #newcomer(subject: string, now: number): Bucket {
    if (this.#buckets.size >= this.#maxSubjects) this.#sweep(now)
    const own = this.#buckets.size < this.#maxSubjects ? subject : EVERYONE_ELSE
    const bucket = this.#buckets.get(own) ?? { tokens: this.#rate.burst, at: now }
    this.#buckets.set(own, bucket)
    return bucket
  }

  /** Who has been quiet for long enough to be full again need not be remembered. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_INTERVAL_MS) return
    this.#sweptAt = now
    const { burst, perSecond } = this.#rate
    for (const [subject, { tokens, at }] of this.#buckets)
      if (tokens + ((now - at) / 1_000) * perSecond >= burst) this.#buckets.delete(subject)
  }
}
