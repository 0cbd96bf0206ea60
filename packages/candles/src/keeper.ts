import { randomUUID } from 'node:crypto'
import { isAnyTraded, type Timetable } from '@digger/core'
import { background, type Clock, type Db, every } from '@digger/database'
import type { Accounts } from '@digger/engine'
import { NotOfferedError } from '@digger/kis'
import { workOnDays } from './day-work.ts'
import { type Pause, pauseAfter, restAfter } from './failures.ts'
import { workOnMinutes } from './minute-work.ts'
import { Pace } from './pace.ts'
import { lastFinishedDay } from './plan.ts'
import { wantedFrom } from './progress.ts'
import type { DayQueries } from './read-days.ts'
import type { MinuteQueries } from './read-minutes.ts'
import { addSeries, claimSeries, type Reader, releaseAll, type Series, writeStep } from './series.ts'
import { type Ended, Stopped, type WorkParts } from './work.ts'

/** How often it is looked whether there is anything to read, ms. */
const LOOK_MS = 30_000
/** What a process that is gone was reading is anybody's after this, ms. A step is at most eight calls. */
const CLAIM_MS = 120_000
/** What is not answered by then is asked another time, ms: on bad days answers take longer, and prices need the line more. */
const ANSWER_MS = 4_000
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
  readonly answerMs?: number
  readonly problem: (error: unknown) => void
}

/**
 * Reads candles of the past, once for everybody, with the keys that are open here: of each stock that any account has ten years of days,
 * and then the minutes of the last months. What it has read is durable step by step, so that it goes on where it, or another process,
 * stopped. It never orders, and its calls wait behind all that trades. After a failure it rests, ever longer.
 */
export class CandleKeeper {
  readonly #parts: KeeperParts
  readonly #reader: Reader
  readonly #pace: Pace
  #looking: Promise<void> | null = null
  #stopped = false
  readonly #giveUp = new AbortController()
  /** Failures in a row, whatever series they were of. */
  #failures = 0
  /** Nothing is asked before, epoch ms. */
  #restsUntil = 0
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
    if (this.#stopped || this.#parts.clock.now() < this.#restsUntil) return Promise.resolve()
    this.#looking ??= this.#look()
      .catch((error: unknown) => {
        if (!(error instanceof Stopped)) this.#parts.problem(error)
      })
      .finally(() => (this.#looking = null))
    return this.#looking
  }

  /** Asks for nothing more, and gives up what is on the wire. */
  abandon(): void {
    this.#stopped = true
    this.#stopPolling()
    this.#pace.stop()
    this.#giveUp.abort()
  }

  /** The same. Resolves when the database is not used any more. */
  async stop(): Promise<void> {
    this.abandon()
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
      if (!(await this.#read(series, userId))) return
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

  /** Step by step to its end; false: the broker failed, and nothing else is to be asked for a while. Throws Stopped where this process, or the key, is closed meanwhile. */
  async #read(first: Series, userId: string): Promise<boolean> {
    let series = first
    try {
      const kis = this.#kis(userId)
      for (;;) {
        await background.own()
        const ended = await this.#step(series, kis)
        this.#failures = 0
        if (ended.kind !== 'goOn') return true
        ;({ series } = ended)
      }
    } catch (error) {
      const isClosed = error instanceof Stopped || this.#stopped || !this.#isOpen(userId)
      await this.#leave(series, isClosed ? { note: series.note, ms: 0 } : pauseAfter(error))
      if (isClosed) throw new Stopped()
      // That paper has no minutes is known and shown; it is no problem of anybody's.
      if (error instanceof NotOfferedError) return true
      this.#parts.problem(error)
      this.#failures += 1
      this.#restsUntil = this.#parts.clock.now() + restAfter(this.#failures)
      return false
    }
  }

  #kis(userId: string): DayQueries & MinuteQueries {
    const { accounts, answerMs = ANSWER_MS } = this.#parts
    return accounts.kis(userId).inBackground({ answerMs, signal: this.#giveUp.signal })
  }

  async #leave(series: Series, { note, ms }: Pause): Promise<void> {
    const { db, clock } = this.#parts
    await writeStep(db, this.#reader, series, { change: { note, next_at: clock.now() + ms }, over: true })
  }

  #step(series: Series, kis: DayQueries & MinuteQueries): Promise<Ended> {
    const { db, clock, timetable } = this.#parts
    const wait = async (calls: number): Promise<void> => {
      if (!(await this.#pace.take(calls))) throw new Stopped()
    }
    const work: WorkParts = { db, clock, timetable, reader: this.#reader, wait }
    return series.unit === 'day' ? workOnDays(work, series, kis) : workOnMinutes(work, series, kis)
  }
}
