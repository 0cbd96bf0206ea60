import type { z } from 'zod'
import type { Stage } from '../stage.ts'

/** One question to the database, asked again only when something was committed since: many looks ask the same of the same rows. */
export class CommittedQuery<Answer> {
  readonly #sql: string
  readonly #schema: z.ZodType<Answer>
  readonly #known = new Map<string, Answer>()
  #changes = 0

  constructor(sql: string, schema: z.ZodType<Answer>) {
    this.#sql = sql
    this.#schema = schema
  }

  ask({ database, changes }: Stage, ...values: readonly (string | number)[]): Answer {
    // What a transaction wrote may be taken back: nothing of it is kept.
    if (database.inTransaction) return this.#read(database, values)
    if (this.#changes !== changes) this.#known.clear()
    this.#changes = changes
    const key = values.join(' ')
    const answer = this.#known.get(key) ?? this.#read(database, values)
    this.#known.set(key, answer)
    return answer
  }

  #read(database: Stage['database'], values: readonly (string | number)[]): Answer {
    return this.#schema.parse(database.query(this.#sql, values))
  }
}
