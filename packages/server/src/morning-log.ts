import { automaticOf, dayEnds, isTradingDay, kstDay, morningLine, type Timetable } from '@digger/core'
import { type Clock, every } from '@digger/database'
import type { Accounts } from '@digger/engine'
import type { FastifyBaseLogger } from 'fastify'

interface MorningLogParts {
  /** The market's time. */
  readonly clock: Clock
  readonly timetable: () => Timetable
  readonly accounts: Pick<Accounts, 'book' | 'morning'>
  /** Whose accounts this process has. */
  readonly users: () => readonly string[]
  readonly log: Pick<FastifyBaseLogger, 'info'>
  readonly problem: (userId: string, error: unknown) => void
}

/** How late after the opening a line may be, ms. */
const LOOK_MS = 15_000

/**
 * One line for each account that trades something by itself as KRX opens, whether it trades or waits: a morning that stays red arms
 * nothing, and would leave none. Each account once a trading day; one that comes here during the session, then.
 */
export class MorningLog {
  readonly #parts: MorningLogParts
  #day = ''
  readonly #logged = new Set<string>()

  constructor(parts: MorningLogParts) {
    this.#parts = parts
  }

  /** Looks from now on. Returns the way to end it. */
  start(): () => void {
    return every(this.#parts.clock, LOOK_MS, () => this.#look())
  }

  #look(): void {
    const { clock, timetable, users, problem } = this.#parts
    if (!this.#isOpen(clock.now(), timetable())) return
    for (const userId of users()) {
      try {
        this.#write(userId)
      } catch (error) {
        problem(userId, error)
      }
    }
  }

  /** Where the market is always open there is no opening. */
  #isOpen(now: number, timetable: Timetable): boolean {
    const day = kstDay(now)
    if (timetable.hours === 'always' || !isTradingDay(day, timetable)) return false
    const { opens, regular } = dayEnds(day, timetable)
    if (now < opens || now >= regular) return false
    if (day !== this.#day) this.#logged.clear()
    this.#day = day
    return true
  }

  #write(userId: string): void {
    const { accounts, log } = this.#parts
    if (this.#logged.has(userId) || automaticOf({ account: { book: accounts.book(userId) } }).length === 0) return
    this.#logged.add(userId)
    // Whoever owns what is red is called; the server has no trouble of its own.
    log.info({ userId, morning: morningLine(accounts.morning(userId)) }, 'the market opens')
  }
}
