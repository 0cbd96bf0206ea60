import type { Pool } from 'pg'
import { REASONS, type Disagreement } from './disagreement.ts'

/** What the watcher writes: that it is there, and a halt. Its role in the database can write nothing else. */
export class Reports {
  readonly #pool: Pool
  readonly #say: (line: string) => void
  readonly #lastLines = new Map<string, string>()

  constructor(pool: Pool, say: (line: string) => void) {
    this.#pool = pool
    this.#say = say
  }

  /** A line about something that goes on, once until it changes; null: it is over. */
  note(about: string, line: string | null): void {
    if (line === null) {
      if (this.#lastLines.delete(about)) this.#say(`${about}: over`)
    } else if (this.#lastLines.get(about) !== line) {
      this.#lastLines.set(about, line)
      this.#say(`${about}: ${line}`)
    }
  }

  /** Halts the whole server, once for each disagreement; one that is no reason to halt is only said. */
  async report(userId: string, { kind, key, text }: Disagreement, at: number): Promise<void> {
    const reason = REASONS[kind]
    if (reason === null) return this.note(`${userId} ${key}`, text)
    const why = `감시 프로그램이 멈췄습니다: ${reason} 관리자가 확인한 뒤 다시 시작할 수 있습니다.`
    const { rows } = await this.#pool.query<{ halted: boolean }>('select watcher_halt($1, $2, $3, $4, $5) as halted', [
      `${userId} ${key}`,
      userId,
      why,
      `${reason} ${text}`,
      at,
    ])
    if (rows[0]?.halted === true) this.#say(`HALTED: account ${userId}, ${kind}: ${text}`)
  }

  /** `trouble`: what keeps it from looking; the server shows it. */
  async beat(trouble: string | null): Promise<void> {
    await this.#pool.query(
      `insert into watcher (id, looks, trouble) values (1, 1, $1)
       on conflict (id) do update set looks = watcher.looks + 1, trouble = excluded.trouble`,
      [trouble],
    )
  }

  /** Whoever is gone on purpose is not missed. */
  async retire(): Promise<void> {
    await this.#pool.query('delete from watcher')
  }
}
