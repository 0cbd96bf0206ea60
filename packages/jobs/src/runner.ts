import { randomUUID } from 'node:crypto'
import { type Clock, type Db, every } from '@digger/database'
import { Ends } from './ends.ts'
import {
  type Claim,
  type Ended,
  endItems,
  endLateItems,
  finishJobs,
  hasOpenJobs,
  type Item,
  takeItems,
  takeOverItems,
} from './items.ts'
import { Lane } from './lane.ts'

/** After a failure of the database everything is looked at again this much later, ms. */
const RETRY_MS = 1_000

export interface RunnerParts {
  readonly db: Db
  readonly clock: Clock
  /** Those whose accounts this process has and has loaded. */
  readonly shards: () => readonly number[]
  /** How many accounts are worked on at once in each lane. */
  readonly lanes: Readonly<Record<string, number>>
  /** Kinds that may be done again where nobody knows whether they were. */
  readonly repeatable: readonly string[]
  /** Does one user's part. */
  readonly work: (item: Item) => Promise<Ended>
  /** Some items of these jobs have ended, or all of them. */
  readonly progressed: (jobs: ReadonlySet<number>) => void
  readonly finished: (jobId: number) => void
  readonly problem: (error: unknown) => void
}

/** Works off the items of those users whose accounts this process has. */
export class JobRunner {
  readonly #parts: RunnerParts
  readonly #id = randomUUID()
  readonly #lanes: readonly Lane[]
  readonly #ends: Ends
  #looking: Promise<void> | null = null
  #again = false
  #stopped = false
  #stopPolling: () => void = () => undefined
  #stopRetry: () => void = () => undefined

  constructor(parts: RunnerParts) {
    this.#parts = parts
    const { db, lanes, clock, problem } = parts
    this.#lanes = Object.entries(lanes).map(
      ([name, size]) =>
        new Lane({
          size,
          take: (limit) => (this.#stopped ? Promise.resolve([]) : takeItems(db, this.#claim(), name, limit)),
          work: (item) => this.#work(item),
          failed: (error) => this.#failed(error),
        }),
    )
    this.#ends = new Ends({ clock, problem, write: (ends) => this.#write(ends) })
  }

  /** `pollMs`: where others make jobs and shards come and go, it looks this often. */
  start({ pollMs }: { pollMs: number | null }): void {
    this.wake()
    if (pollMs !== null) this.#stopPolling = every(this.#parts.clock, pollMs, () => this.wake())
  }

  /** Something may be there to be done. */
  wake(): void {
    this.#again = true
    if (this.#looking !== null || this.#stopped) return
    this.#looking = this.#look().finally(() => {
      this.#looking = null
      if (this.#again) this.wake()
    })
  }

  /** Begins nothing more. Resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#stopPolling()
    this.#stopRetry()
    this.#ends.stop()
    await this.#looking
    await Promise.all(this.#lanes.map((lane) => lane.idle()))
  }

  async #look(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false
      const { db, shards } = this.#parts
      try {
        if (shards().length === 0 || !(await hasOpenJobs(db))) continue
        const claim = this.#claim()
        await takeOverItems(db, claim)
        await endLateItems(db, claim)
        await this.#finish()
        await Promise.all(this.#lanes.map((lane) => lane.fill()))
      } catch (error) {
        this.#failed(error)
      }
    }
  }

  #claim(): Claim {
    const { shards, repeatable, clock } = this.#parts
    return { runner: this.#id, shards: shards(), repeatable, now: clock.now() }
  }

  async #work(item: Item): Promise<void> {
    const ended = await this.#parts.work(item).catch((error: unknown): Ended => {
      this.#parts.problem(error)
      return { state: 'failed', result: UNFORESEEN }
    })
    await this.#ends.add({ ...item, ended })
    if (ended.state === 'leftOff') this.wake()
  }

  async #write(ends: readonly (Item & { readonly ended: Ended })[]): Promise<void> {
    const { db, progressed } = this.#parts
    await endItems(db, this.#claim(), ends)
    progressed(new Set(ends.map(({ jobId }) => jobId)))
    // What ended is written: whether that was all can be looked at again.
    await this.#finish().catch((error: unknown) => this.#failed(error))
  }

  async #finish(): Promise<void> {
    const { db, clock, finished } = this.#parts
    for (const jobId of await finishJobs(db, clock.now())) finished(jobId)
  }

  #failed(error: unknown): void {
    const { clock, problem } = this.#parts
    problem(error)
    this.#stopRetry()
    if (!this.#stopped) this.#stopRetry = clock.after(RETRY_MS, () => this.wake())
  }
}

const UNFORESEEN = '서버에서 문제가 생겼습니다. 잠시 뒤 다시 해 주세요.'
