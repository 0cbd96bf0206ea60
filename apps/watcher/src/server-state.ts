import type { Pool } from 'pg'
import type { StopTime } from './journal-account.ts'

/** The server writes every three seconds that it is there; without that for this long nobody trades, ms. */
const RUNNING_MS = 10_000

/** What the tables say of the server itself: whether it runs, and when all of it was halted. */
export class ServerState {
  readonly #pool: Pool
  readonly #runningMs: number
  #seenAt: number | null = null
  #changedAt = Number.NEGATIVE_INFINITY
  #halts: { readonly from: number; readonly to: number }[] = []
  #isHalted = false

  /** `intervalMs`: from one look to the next. */
  constructor(pool: Pool, intervalMs: number) {
    this.#pool = pool
    this.#runningMs = RUNNING_MS + intervalMs
  }

  /** `even`: an even clock, ms. `at`: the broker's time, epoch ms. */
  async look(even: number, at: number): Promise<void> {
    const holder = await this.#pool.query<{ seen_at: number }>('select seen_at from engine_holder')
    const seenAt = holder.rows[0]?.seen_at ?? null
    // Only a change that was watched proves that it runs now: the two machines need no common clock.
    if (this.#seenAt !== null && seenAt !== this.#seenAt) this.#changedAt = even
    this.#seenAt = seenAt
    const stop = await this.#pool.query<{ value: string }>(`select value from server_setting where name = 'serverStop'`)
    this.#note(stop.rows[0]?.value === 'halt', at)
  }

  runs(even: number): boolean {
    return even - this.#changedAt <= this.#runningMs
  }

  /** Nobody writes down when it is halted and let go: it counts from the first look that saw it to the last one. */
  get stops(): readonly StopTime[] {
    return this.#halts.map((halt) => ({ code: null, stop: 'halt', ...halt }))
  }

  #note(isHalted: boolean, at: number): void {
    const last = this.#halts.at(-1)
    if (isHalted && this.#isHalted && last !== undefined)
      this.#halts = [...this.#halts.slice(0, -1), { ...last, to: at }]
    else if (isHalted) this.#halts.push({ from: at, to: at })
    this.#isHalted = isHalted
  }
}
