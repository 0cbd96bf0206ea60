import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sessionClient } from '@digger/database'
import { TestClock } from '@digger/database/testing'

const STEP_MS = 200
/** After each step those whose turn has come get so long, where nobody says otherwise, ms of ours. */
const PAUSE_MS = 5
/** A lease is renewed each second: whose is older has not been heard yet, and is waited for. */
const RENEWED_MS = 1_200
/** Whoever does not renew for so long is not going to, ms of ours. */
const RENEWAL_TIMEOUT_MS = 1_000

/** Whose lease is renewed by one of these clocks. */
export interface Renewing {
  readonly leaseAgeMs: number | null
}

interface Followed {
  readonly clock: TestClock
  /** When it was first found late, ms of ours. */
  lateAt: number | null
  isStill: boolean
}

/**
 * Time of workers and of the database they are on: it goes on by itself, many times as fast as ours, and waits for every worker that
 * renews its lease. So leases are as long as they are, whatever else the machine does.
 */
export class ClusterTime {
  readonly #folder = mkdtempSync(join(tmpdir(), 'digger-time-'))
  readonly #followed = new Map<Renewing, Followed>()
  #now = Date.now()
  #pauseMs: number
  #held = 0
  #ended = false
  readonly #running: Promise<void>

  private constructor(pauseMs: number) {
    this.#pauseMs = pauseMs
    chmodSync(this.#folder, 0o755)
    this.#publish()
    this.#running = this.#run()
  }

  /**
   * Of a database that nobody has opened yet: it tells this time to whoever asks. `pauseMs`: how long those whose turn has come get after
   * each fifth of a second.
   */
  static async of(databaseUrl: string, pauseMs: number = PAUSE_MS): Promise<ClusterTime> {
    const time = new ClusterTime(pauseMs)
    const client = sessionClient(databaseUrl)
    await client.connect()
    await client.query(`
      create function public.now() returns timestamptz language sql stable
      as $$ select to_timestamp(pg_read_file('${time.#file}')::float8 / 1000) $$`)
    await client.query(`alter database ${new URL(databaseUrl).pathname.slice(1)} set search_path = public, pg_catalog`)
    await client.end()
    return time
  }

  get #file(): string {
    return join(this.#folder, 'now')
  }

  /** In one step: the database reads it at any moment. */
  #publish(): void {
    writeFileSync(`${this.#file}.next`, String(this.#now))
    renameSync(`${this.#file}.next`, this.#file)
  }

  newClock(): TestClock {
    return new TestClock(this.#now)
  }

  /** From now on its clock goes on with the others. */
  follow(worker: Renewing, clock: TestClock): void {
    clock.setBack(clock.now() - this.#now)
    this.#followed.set(worker, { clock, lateAt: null, isStill: false })
  }

  /** As a process that is stopped, or killed: nothing of it runs by itself any more. */
  standStill(worker: Renewing): void {
    this.#of(worker).isStill = true
  }

  /** What was due meanwhile comes late. */
  wake(worker: Renewing): void {
    const { clock } = this.#of(worker)
    clock.setBack(clock.now() - this.#now)
    this.#of(worker).isStill = false
  }

  #of(worker: Renewing): Followed {
    const followed = this.#followed.get(worker)
    if (followed === undefined) throw new Error('nobody follows this one')
    return followed
  }

  /** From now on no time passes. */
  hold(): void {
    this.#held += 1
  }

  async whileHeld<T>(work: () => Promise<T>): Promise<T> {
    this.#held += 1
    try {
      return await work()
    } finally {
      this.#held -= 1
    }
  }

  /** From now on as fast as ours, for what other processes do. */
  goInOurs(): void {
    this.#pauseMs = STEP_MS
  }

  /** As fast as ours, for what a limit is set to that is not a lease's. */
  async inOurs<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#pauseMs
    this.#pauseMs = STEP_MS
    try {
      return await work()
    } finally {
      this.#pauseMs = before
    }
  }

  #step(): void {
    this.#now += STEP_MS
    this.#publish()
    for (const { clock, isStill } of this.#followed.values()) if (!isStill) clock.advance(STEP_MS)
  }

  /** Resolves when so much time has passed. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms
    while (this.#now < until) await delay(PAUSE_MS)
  }

  async #run(): Promise<void> {
    while (!this.#ended) {
      await delay(this.#pauseMs)
      if (this.#held === 0 && !this.#isAnyLate()) this.#step()
    }
  }

  #isAnyLate(): boolean {
    return [...this.#followed].map(([worker, followed]) => isLate(worker, followed)).includes(true)
  }

  async end(): Promise<void> {
    this.#ended = true
    await this.#running
    rmSync(this.#folder, { recursive: true })
  }
}

function isLate({ leaseAgeMs }: Renewing, followed: Followed): boolean {
  if (followed.isStill || leaseAgeMs === null || leaseAgeMs <= RENEWED_MS) {
    followed.lateAt = null
    return false
  }
  followed.lateAt ??= performance.now()
  return performance.now() - followed.lateAt < RENEWAL_TIMEOUT_MS
}
