import { bootNow, type Db } from '@digger/database'
import type { Trouble } from './vitals.ts'

/** It looks every half minute; after this long without a look it is gone, ms. */
const SILENT_MS = 120_000

/** What the watcher beside this server lets be known: that it looks, and what keeps it from looking. */
export class WatcherSigns {
  readonly #db: Db
  readonly #now: () => number
  #last: { readonly looks: number; readonly trouble: string | null; readonly since: number } | null = null

  /** `now`: boot time, ms. The two processes need no common clock: a count that stands still is a silence. */
  constructor(db: Db, now: () => number = bootNow) {
    this.#db = db
    this.#now = now
  }

  async look(): Promise<void> {
    const row = await this.#db.selectFrom('watcher').select(['looks', 'trouble']).executeTakeFirst()
    const since = row !== undefined && row.looks === this.#last?.looks ? this.#last.since : this.#now()
    this.#last = row === undefined ? null : { ...row, since }
  }

  /** A server that no watcher ever looked after has no such trouble. */
  get troubles(): readonly Trouble[] {
    if (this.#last === null) return []
    const { trouble, since } = this.#last
    const text = this.#now() - since > SILENT_MS ? GONE : trouble
    return text === null ? [] : [{ code: 'watcher', accounts: null, text }]
  }
}

const GONE =
  '감시 프로그램이 2분 넘게 보이지 않습니다. npm run watch로 다시 켜 주세요. 더 쓰지 않으려면 npm run watch -- --retire로 알려 주세요.'
