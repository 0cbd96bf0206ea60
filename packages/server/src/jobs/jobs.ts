import { type BulkKind, JobKind } from '@digger/contract'
import type { Database } from '@digger/database'
import { AnswerLimit } from '@digger/engine'
import { createJob, JobRunner, type NewJob } from '@digger/jobs'
import type { LiveSource } from '@digger/screens'
import { JobProgress } from './job-progress.ts'
import { KINDS, LANES } from './kinds.ts'
import { runItem, type RunDeps } from './run-item.ts'

/** What has not begun by then was meant for another hour, ms. */
const BULK_MS = 3_600_000
/** A stop is meant until it holds, however long nobody had the account: who pressed it counts on it, ms. */
const STOP_MS = 30 * 86_400_000
/** The broker's nightly maintenance is not reached before, ms. */
const DAY_CLOSE_MS = 3 * 3_600_000

export interface JobsDeps extends Omit<RunDeps, 'shards'> {
  readonly database: Pick<Database, 'db' | 'owned'>
  readonly live: Pick<LiveSource, 'publish'>
  /** Those whose accounts are loaded, with their keys, where shards come and go; without it all that are owned. */
  readonly loadedShards?: () => readonly number[]
  /** Others work off what is asked for here. */
  readonly isElsewhere: boolean
}

interface Asker {
  readonly userId: string
  readonly email: string
}

/** Work for many users: made as rows, worked off by whoever has the accounts. */
export class Jobs {
  readonly #deps: JobsDeps
  readonly #runner: JobRunner
  readonly #progress: JobProgress
  readonly #stopping = Promise.withResolvers<void>()

  constructor(deps: JobsDeps) {
    this.#deps = deps
    const { database, wall, log, loadedShards = () => database.owned.all() } = deps
    const problem = (error: unknown): void => log.error({ err: error }, 'jobs: tried again')
    this.#progress = new JobProgress({ db: database.db, wall, live: deps.live, failed: problem })
    this.#runner = new JobRunner({
      db: database.db,
      clock: wall,
      shards: loadedShards,
      lanes: LANES,
      repeatable: JobKind.options.filter((kind) => KINDS[kind].isRepeatable),
      work: (item) => runItem({ ...deps, shards: loadedShards }, item),
      progressed: (jobs) => this.#progress.progressed(jobs),
      finished: (jobId) => this.#progress.finished(jobId),
      problem,
    })
  }

  /** Goes on with what a process before has left. `pollMs`: how often it looks for what others make, where there are others. */
  start(more: { pollMs: number | null }): void {
    this.#runner.start(more)
  }

  /** Makes the job and lets it begin. Returns its number. */
  async begin(
    kind: BulkKind | 'stopAll',
    { userId, email }: Asker,
    users: 'all' | readonly string[] = 'all',
  ): Promise<number> {
    const at = this.#deps.wall.now()
    const by = { byUser: userId, byEmail: email, key: null }
    const jobId = await this.#make({ kind, ...by, at, beginBy: at + (kind === 'stopAll' ? STOP_MS : BULK_MS), users })
    if (jobId === null) throw new Error('a job without a key was not made')
    this.changed(jobId)
    return jobId
  }

  /** What is done for everybody once a day: whoever is first makes it. Throws what the database throws. */
  async closeDay(day: string): Promise<void> {
    const at = this.#deps.wall.now()
    const by = { byUser: null, byEmail: '서버', key: day }
    await this.#make({ kind: 'dayClose', ...by, at, beginBy: at + DAY_CLOSE_MS, users: 'all' })
    this.#runner.wake()
  }

  /** Resolves when the job is over, when `ms` are, or when this process ends. */
  async wait(jobId: number, ms: number): Promise<void> {
    const { wall, isElsewhere, loadedShards } = this.#deps
    const limit = new AnswerLimit(wall, ms)
    const over = Promise.race([this.#progress.ended(jobId), this.#stopping.promise])
    // Another process may have the account.
    const isFollowed = !isElsewhere && loadedShards !== undefined
    if (isFollowed) this.#progress.follow(jobId)
    try {
      await limit.outcome(over).catch(() => undefined)
    } finally {
      limit.end()
      if (isFollowed) this.#progress.leave(jobId)
    }
  }

  /** Its rows were written: what is to be done or told about it is looked at. */
  changed(jobId: number): void {
    if (this.#deps.isElsewhere) this.#progress.follow(jobId)
    this.#runner.wake()
  }

  /** Begins nothing more, and lets go who waits. Resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#stopping.resolve()
    this.#progress.stop()
    await this.#runner.stop()
  }

  #make(job: Omit<NewJob, 'lane'> & { readonly kind: JobKind }): Promise<number | null> {
    return createJob(this.#deps.database.db, { ...job, lane: KINDS[job.kind].lane })
  }
}
