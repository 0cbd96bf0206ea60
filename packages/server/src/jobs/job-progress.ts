import { JobKind } from '@digger/contract'
import { type Clock, type Db, every } from '@digger/database'
import { countsOf, jobOf } from '@digger/jobs'
import type { LiveSource } from '@digger/screens'
import { KINDS } from './kinds.ts'

/** Screens hear of a job that goes on at most this often, ms. */
const PUBLISH_INTERVAL_MS = 250
/** Where other processes work, the tables are asked this often while a job of this one goes on, ms. */
const FOLLOW_INTERVAL_MS = 1_000

export interface ProgressDeps {
  readonly db: Db
  readonly wall: Clock
  readonly live: Pick<LiveSource, 'publish'>
  readonly failed: (error: unknown) => void
}

/** Publishes how far jobs are to those who asked for them, and resolves for who waits for their end. */
export class JobProgress {
  readonly #deps: ProgressDeps
  /** Jobs of which the next look is due. */
  readonly #due = new Set<number>()
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>()
  readonly #following = new Map<number, () => void>()
  /** One look after the other: what is published never goes back. */
  #turn: Promise<void> = Promise.resolve()

  constructor(deps: ProgressDeps) {
    this.#deps = deps
  }

  /** Resolves when the job is over: as soon as this process finishes it, or within `FOLLOW_INTERVAL_MS` where another one does. */
  ended(jobId: number): Promise<void> {
    const known = this.#waiting.get(jobId) ?? Promise.withResolvers<void>()
    this.#waiting.set(jobId, known)
    return known.promise
  }

  /** Looks at a job that others work on, until it is over. */
  follow(jobId: number): void {
    if (this.#following.has(jobId)) return
    this.#following.set(
      jobId,
      every(this.#deps.wall, FOLLOW_INTERVAL_MS, () => void this.#look(jobId)),
    )
  }

  /** Follows it no longer, whether or not it is over. */
  leave(jobId: number): void {
    this.#unfollow(jobId)
  }

  progressed(jobs: ReadonlySet<number>): void {
    for (const jobId of jobs) {
      if (this.#due.has(jobId)) continue
      this.#due.add(jobId)
      this.#deps.wall.after(PUBLISH_INTERVAL_MS, () => {
        if (this.#due.delete(jobId)) void this.#look(jobId)
      })
    }
  }

  finished(jobId: number): void {
    this.#due.delete(jobId)
    void this.#look(jobId)
    this.#end(jobId)
  }

  stop(): void {
    for (const jobId of this.#following.keys()) this.#unfollow(jobId)
    this.#due.clear()
  }

  #look(jobId: number): Promise<void> {
    this.#turn = this.#turn.then(() => this.#publish(jobId))
    return this.#turn
  }

  async #publish(jobId: number): Promise<void> {
    const { db, live, failed } = this.#deps
    try {
      const job = await jobOf(db, jobId)
      if (job?.byUser != null) {
        const { name } = KINDS[JobKind.parse(job.kind)]
        live.publish(job.byUser, { kind: 'progress', task: name, ...countsOf(job) })
      }
      if (job === null || job.finishedAt !== null) this.#end(jobId)
    } catch (error) {
      failed(error)
    }
  }

  #end(jobId: number): void {
    this.#unfollow(jobId)
    this.#waiting.get(jobId)?.resolve()
    this.#waiting.delete(jobId)
  }

  #unfollow(jobId: number): void {
    this.#following.get(jobId)?.()
    this.#following.delete(jobId)
  }
}
