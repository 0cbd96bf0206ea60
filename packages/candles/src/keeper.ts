import { randomUUID } from 'node:crypto'
import { isAnyTraded, type Timetable } from '@digger/core'
import { background, type Clock, type Db, every } from '@digger/database'
import type { Accounts, BrokerQueries } from '@digger/engine'
import { NotOfferedError } from '@digger/kis'
import { workOnDays } from './day-work.ts'
import { type Pause, pauseAfter } from './failures.ts'
import { workOnMinutes } from './minute-work.ts'
import { Pace } from './pace.ts'
import { lastFinishedDay } from './plan.ts'
import { wantedFrom } from './progress.ts'
import { addSeries, claimSeries, type Reader, releaseAll, type Series, writeStep } from './series.ts'
import { type Ended, Stopped, type WorkParts } from './work.ts'

/** How often it is looked whether there is anything to read, ms. */
const LOOK_MS = 30_000
/** What a process that is gone was reading is anybody's after this, ms. A step is at most eight calls. */
const CLAIM_MS = 120_000
/** Of some 18 calls a second that a key has, and of one on paper: while anything is traded they are for what trades. */
const CALLS_PER_MINUTE = { open: 20, closed: 120 } as const

export interface KeeperParts {
  readonly db: Db
  /** The market's time. */
  readonly clock: Clock
  /** The time of the broker's limits. */
  readonly wall: Clock
  readonly timetable: () => Timetable
  readonly accounts: Pick<Accounts, 'has' | 'unlocked' | 'kis'>
  /** No other process has this database. */
  readonly isAlone: boolean
  readonly callsPerMinute?: { readonly open: number; readonly closed: number }
  readonly claimMs?: number
  readonly problem: (error: unknown) => void
}

/**
 * Reads candles of the past, once for everybody, with the keys that are open here: of each stock that any account has ten years of days,
 * and then the minutes of the last months. What it has read is durable step by step, so that it goes on where it, or another process,
 * stopped. It never orders, and its calls wait behind all that trades.
 */
export class CandleKeeper {
  readonly #parts: KeeperParts
  readonly #reader: Reader
  readonly #pace: Pace
  #looking: Promise<void> | null = null
  #stopped = false
  #stopPolling: () => void = () => undefined
  /** Whose key was asked last: they take turns. */
  #lastUser = ''
  #isFirst = true

  constructor(parts: KeeperParts) {
    const { wall, clock, timetable, claimMs = CLAIM_MS, callsPerMinute = CALLS_PER_MINUTE } = parts
    this.#parts = parts
    this.#reader = { id: randomUUID(), claimMs }
    const perMinute = () => callsPerMinute[isAnyTraded(clock.now(), timetable()) ? 'open' : 'closed']
    this.#pace = new Pace({ clock: wall, perMinute })
  }

  start(): void {
    void this.wake()
    this.#stopPolling = every(this.#parts.wall, LOOK_MS, () => void this.wake())
  }

  /** Something may be there to be read. Resolves when nothing is left to do now. */
  wake(): Promise<void> {
    if (this.#stopped) return Promise.resolve()
    this.#looking ??= this.#look()
      .catch((error: unknown) => {
        if (!(error instanceof Stopped)) this.#parts.problem(error)
      })
      .finally(() => (this.#looking = null))
    return this.#looking
  }

  /** Asks for nothing more. Resolves when what was asked has come back. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#stopPolling()
    this.#pace.stop()
    await this.#looking
  }

  async #look(): Promise<void> {
    const { db, isAlone } = this.#parts
    if (this.#isFirst && isAlone) await releaseAll(db)
    this.#isFirst = false
    await addSeries(db)
    while (!this.#stopped) {
      const userId = await this.#nextUser()
      const series = userId === null ? null : await claimSeries(db, this.#reader, this.#due())
      if (userId === null || series === null) return
      await this.#read(series, userId)
    }
  }

  #due() {
    const { clock, timetable } = this.#parts
    const last = lastFinishedDay(clock.now(), timetable())
    return { last, minutesFrom: wantedFrom('minute', last), now: clock.now() }
  }

  /** A key that is open here, each in its turn; null: there is none. */
  async #nextUser(): Promise<string | null> {
    const { db } = this.#parts
    const users = await db.selectFrom('users').select('id').orderBy('id').execute()
    const open = users.map(({ id }) => id).filter((id) => this.#isOpen(id))
    const userId = open.find((id) => id > this.#lastUser) ?? open[0]
    if (userId === undefined) return null
    this.#lastUser = userId
    return userId
  }

  #isOpen(userId: string): boolean {
    const { accounts } = this.#parts
    return accounts.has(userId) && accounts.unlocked(userId)
  }

  /** Step by step to its end, or until the broker refuses. Throws Stopped where this process, or the key, is closed meanwhile. */
  async #read(first: Series, userId: string): Promise<void> {
    let series = first
    try {
      const kis = this.#parts.accounts.kis(userId)
      for (;;) {
        await background.own()
        const ended = await this.#step(series, kis)
        if (ended.kind !== 'goOn') return
        ;({ series } = ended)
      }
    } catch (error) {
      const isClosed = error instanceof Stopped || this.#stopped || !this.#isOpen(userId)
      await this.#leave(series, isClosed ? { note: series.note, ms: 0 } : pauseAfter(error))
      if (isClosed) throw new Stopped()
      // That paper has no minutes is known and shown; it is no problem of anybody's.
      if (!(error instanceof NotOfferedError)) this.#parts.problem(error)
    }
  }

  async #leave(series: Series, { note, ms }: Pause): Promise<void> {
    const { db, clock } = this.#parts
    await writeStep(db, this.#reader, series, { change: { note, next_at: clock.now() + ms }, over: true })
  }

  #step(series: Series, kis: BrokerQueries): Promise<Ended> {
    const { db, clock, timetable } = this.#parts
    const wait = async (calls: number): Promise<void> => {
      if (!(await this.#pace.take(calls))) throw new Stopped()
    }
    const work: WorkParts = { db, clock, timetable, reader: this.#reader, wait }
    return series.unit === 'day' ? workOnDays(work, series, kis) : workOnMinutes(work, series, kis)
  }
}
