import { sql } from 'kysely'
import type { Db } from '@digger/database'

/** The last regular close of an issue, and the base of the day it ended; won. */
export interface ClosingPrice {
  /** KST. */
  readonly day: string
  readonly close: number
  readonly base: number
}

/**
 * What every issue closed with, as the broker showed it between KRX's close and its after-market: for all accounts, over
 * restarts. The next morning's base is held against it.
 */
export class ClosingPrices {
  readonly #db: Db
  readonly #known = new Map<string, ClosingPrice>()
  readonly #unwritten = new Map<string, ClosingPrice>()
  #writing = false

  constructor(db: Db) {
    this.#db = db
  }

  async load(): Promise<void> {
    const rows = await this.#db.selectFrom('closing_price').selectAll().execute()
    for (const { code, ...closing } of rows) if (!this.#known.has(code)) this.#known.set(code, closing)
  }

  of(code: string): ClosingPrice | undefined {
    return this.#known.get(code)
  }

  note(code: string, closing: ClosingPrice): void {
    this.#known.set(code, closing)
    this.#unwritten.set(code, closing)
  }

  /** Whether something is being written. What waits for the next second is not under way. */
  get busy(): boolean {
    return this.#writing
  }

  /** About once a second. What cannot be written is kept for the next time; throws why. */
  async write(): Promise<void> {
    if (this.#writing || this.#unwritten.size === 0) return
    const batch = [...this.#unwritten]
    this.#unwritten.clear()
    this.#writing = true
    try {
      await this.#db
        .insertInto('closing_price')
        .values(batch.map(([code, closing]) => ({ code, ...closing })))
        .onConflict((conflict) =>
          conflict.column('code').doUpdateSet({
            day: sql`excluded.day`,
            close: sql`excluded.close`,
            base: sql`excluded.base`,
          }),
        )
        .execute()
    } catch (error) {
      for (const [code, closing] of batch) if (!this.#unwritten.has(code)) this.#unwritten.set(code, closing)
      throw error
    } finally {
      this.#writing = false
    }
  }
}
