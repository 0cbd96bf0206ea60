import type { Clock } from '../clock.ts'
import type { Db } from '../db/open.ts'

const SECOND_MS = 1_000
/** Failures in a row that cost nothing: people mistype. An address may be a whole office. */
const FREE = { email: 5, address: 20 } as const
const FIRST_WAIT_MS = 15 * SECOND_MS
const LONGEST_WAIT_MS = 900 * SECOND_MS
/** Quiet for this long: forgotten. */
const MEMORY_MS = 3_600 * SECOND_MS
const MOST_SUBJECTS = 50_000

type Subject = keyof typeof FREE
interface Failures {
  count: number
  lastAt: number
  blockedUntil: number
}

/**
 * Slows down guessing, per e-mail and per address: each failure past the free ones doubles the wait. Kept in memory for
 * speed and in the database so that a restart does not open the gate.
 */
export class LoginThrottle {
  readonly #db: Db
  readonly #clock: Clock
  readonly #failures = new Map<string, Failures>()
  #loaded: Promise<void> | undefined

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Milliseconds to wait; 0 means go. */
  async wait(email: string, address: string): Promise<number> {
    await (this.#loaded ??= this.#load())
    const now = this.#clock.now()
    const until = subjects(email, address).map(([, subject]) => this.#failures.get(subject)?.blockedUntil ?? 0)
    return Math.max(0, Math.max(...until) - now)
  }

  async failed(email: string, address: string): Promise<void> {
    await (this.#loaded ??= this.#load())
    const now = this.#clock.now()
    this.#sweep(now)
    for (const [kind, subject] of subjects(email, address)) {
      const before = this.#failures.get(subject)
      const count = before && now - before.lastAt < MEMORY_MS ? before.count + 1 : 1
      const over = count - FREE[kind]
      const wait = over < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** over, LONGEST_WAIT_MS)
      const failures = { count, lastAt: now, blockedUntil: now + wait }
      this.#failures.set(subject, failures)
      await this.#store(subject, failures)
    }
  }

  /** A right password clears its e-mail, not the address: one good account must not pay for guessing others. */
  async passed(email: string): Promise<void> {
    const subject = `email ${email}`
    if (!this.#failures.delete(subject)) return
    await this.#db.deleteFrom('login_failure').where('subject', '=', subject).execute()
  }

  async #load(): Promise<void> {
    const since = this.#clock.now() - MEMORY_MS
    await this.#db.deleteFrom('login_failure').where('last_at', '<', since).execute()
    const rows = await this.#db.selectFrom('login_failure').selectAll().limit(MOST_SUBJECTS).execute()
    for (const { subject, failures, last_at, blocked_until } of rows) {
      this.#failures.set(subject, { count: failures, lastAt: last_at, blockedUntil: blocked_until })
    }
  }

  async #store(subject: string, { count, lastAt, blockedUntil }: Failures): Promise<void> {
    const row = { failures: count, last_at: lastAt, blocked_until: blockedUntil }
    await this.#db
      .insertInto('login_failure')
      .values({ subject, ...row })
      .onConflict((conflict) => conflict.column('subject').doUpdateSet(row))
      .execute()
  }

  #sweep(now: number): void {
    if (this.#failures.size < MOST_SUBJECTS) return
    for (const [subject, { lastAt }] of this.#failures) if (now - lastAt > MEMORY_MS) this.#failures.delete(subject)
    if (this.#failures.size >= MOST_SUBJECTS) this.#failures.clear()
  }
}

const subjects = (email: string, address: string): [Subject, string][] => [
  ['email', `email ${email}`],
  ['address', `address ${address}`],
]
