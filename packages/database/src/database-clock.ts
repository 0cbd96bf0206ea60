import type { Pool } from 'pg'
import { type Clock, every, realClock } from './clock.ts'

/** A machine's clock that is set makes others deaf to it for as long, ms. */
const LOOK_INTERVAL_MS = 10_000
/** What took longer says less than what is known already, ms. */
const MAX_LOOK_MS = 500

/**
 * The time of the database, for what several machines count together: their own clocks may be minutes apart. Between two looks it
 * goes on with the machine's.
 */
export class DatabaseClock implements Clock {
  readonly #ask: () => Promise<number>
  readonly #machine: Clock
  /** How far the database is ahead, ms. */
  #ahead: number | null = null
  readonly #end: () => void

  private constructor(ask: () => Promise<number>, machine: Clock) {
    this.#ask = ask
    this.#machine = machine
    // A database that is away shows elsewhere; nothing is counted meanwhile.
    this.#end = every(machine, LOOK_INTERVAL_MS, () => void this.look().catch(() => undefined))
  }

  /** `ask`: see `databaseTime`. */
  static async open(ask: () => Promise<number>, machine = realClock): Promise<DatabaseClock> {
    const clock = new DatabaseClock(ask, machine)
    await clock.look()
    return clock
  }

  async look(): Promise<void> {
    const asked = this.#machine.now()
    const at = await this.#ask()
    const answered = this.#machine.now()
    if (this.#ahead !== null && answered - asked > MAX_LOOK_MS) return
    this.#ahead = Math.round(at - (asked + answered) / 2)
  }

  now(): number {
    return this.#machine.now() + (this.#ahead ?? 0)
  }

  after(ms: number, run: () => void): () => void {
    return this.#machine.after(ms, run)
  }

  end(): void {
    this.#end()
  }
}

/** Epoch ms. */
export async function databaseTime(pool: Pick<Pool, 'query'>): Promise<number> {
  const { rows } = await pool.query<{ at: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::bigint as at',
  )
  const [row] = rows
  if (row === undefined) throw new Error('the database tells no time')
  return row.at
}
