import type { Pool } from 'pg'
import { dayBegins } from './korean-time.ts'
import { JournalAccount } from './journal-account.ts'
import { factOf } from './journal-facts.ts'
import { NotReadable } from './order-list.ts'

/** Rows read with one statement. */
const CHUNK = 5_000

interface Row {
  readonly seq: number
  readonly at: number
  readonly fact: unknown
}

/** The part of a journal before a day. It is read once; today's rows are read anew with every look. */
interface Past {
  readonly day: string
  readonly seq: number
  readonly account: JournalAccount
}

export interface JournalReading {
  /** As it was when the broker's list was asked for. */
  readonly before: JournalAccount
  /** As it was after the list came. */
  readonly after: JournalAccount
}

/** Reads the journals of accounts by itself, fact by fact. */
export class Journal {
  readonly #pool: Pool
  readonly #past = new Map<string, Past>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Number of the newest row. */
  async newest(userId: string): Promise<number> {
    const { rows } = await this.#pool.query<{ seq: number | null }>(
      'select max(seq) as seq from journal where user_id = $1',
      [userId],
    )
    return rows[0]?.seq ?? 0
  }

  /** `mark`: the newest row before the list was asked for. Throws NotReadable. */
  async read(userId: string, day: string, mark: number): Promise<JournalReading> {
    const past = await this.#pastOf(userId, day)
    const before = new JournalAccount(past.account)
    const after = new JournalAccount(past.account)
    for await (const row of this.#rows(userId, past.seq)) {
      takeInto(after, row)
      if (row.seq <= mark) takeInto(before, row)
    }
    return { before, after }
  }

  async #pastOf(userId: string, day: string): Promise<Past> {
    const held = this.#past.get(userId)
    if (held?.day === day) return held
    const begins = dayBegins(day)
    const account = new JournalAccount(held?.account)
    let seq = held?.seq ?? 0
    for await (const row of this.#rows(userId, seq)) {
      if (row.at >= begins) break
      takeInto(account, row)
      seq = row.seq
    }
    account.forgetPast()
    const past = { day, seq, account }
    this.#past.set(userId, past)
    return past
  }

  async *#rows(userId: string, from: number): AsyncGenerator<Row> {
    for (let last = from; ;) {
      const { rows } = await this.#pool.query<Row>(
        'select seq, at, fact from journal where user_id = $1 and seq > $2 order by seq limit $3',
        [userId, last, CHUNK],
      )
      yield* rows
      if (rows.length < CHUNK) return
      last = rows.at(-1)?.seq ?? last
    }
  }
}

function takeInto(account: JournalAccount, { seq, fact }: Row): void {
  try {
    const read = factOf(fact)
    if (read !== null) account.take(read)
  } catch (error) {
    throw new NotReadable(`row ${seq} of the journal cannot be read`, { cause: error })
  }
}
