import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Db } from '@digger/database'
import type { MasterKey } from '@digger/identity'
import { readOrderList, type Access, type BrokerPlace } from './broker.ts'
import { believe, compare } from './compare.ts'
import type { Graces, Standing } from './disagreement.ts'
import { Journal } from './journal.ts'
import { openKeys } from './keys.ts'
import { koreanDay } from './korean-time.ts'
import { describeOdd, mayBeOurs } from './odd-rows.ts'
import { NotReadable, type OddRow } from './order-list.ts'
import { Reports } from './reports.ts'
import { ServerState } from './server-state.ts'

/** Between two accounts, ms: the broker's ledger serves all its customers. */
const ACCOUNT_SPACING_MS = 100

export interface WatcherParts {
  /** Cannot write. */
  readonly reading: { readonly db: Db; readonly pool: Pool }
  readonly writing: Pool
  readonly master: MasterKey
  readonly place: BrokerPlace
  readonly graces: Graces
  readonly intervalMs: number
  /** An account with orders that cannot be read for this long is a trouble of the server's, ms. */
  readonly blindMs: number
  readonly say: (line: string) => void
}

/** Compares each account's list at the broker with its journal, again and again. It can halt, and nothing else. */
export class Watcher {
  readonly #parts: WatcherParts
  readonly #journal: Journal
  readonly #server: ServerState
  readonly #reports: Reports
  readonly #standing = new Map<string, Standing>()
  readonly #blindSince = new Map<string, number>()
  /** What the broker's clock is ahead of ours, ms. */
  #ahead = 0

  constructor(parts: WatcherParts) {
    const { reading, writing, intervalMs, say } = parts
    this.#parts = parts
    this.#journal = new Journal(reading.pool)
    this.#server = new ServerState(reading.pool, intervalMs)
    this.#reports = new Reports(writing, say)
  }

  /** Looks until it is called off. Never throws: what goes wrong is said, and tried again. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const began = performance.now()
      await this.look().then(
        () => this.#reports.note('the watcher', null),
        (error: unknown) => this.#reports.note('the watcher', messageOf(error)),
      )
      await delay(Math.max(0, this.#parts.intervalMs - (performance.now() - began)), undefined, { signal }).catch(
        () => undefined,
      )
    }
  }

  async look(): Promise<void> {
    const { reading, master, place } = this.#parts
    const { access, closed } = await openKeys(reading.db, master, place.env)
    const problems = new Map(closed)
    for (const [userId, own] of access) {
      try {
        await this.#lookAt(userId, own)
      } catch (error) {
        if (!(error instanceof NotReadable)) throw error
        problems.set(userId, error.message)
      }
      await delay(ACCOUNT_SPACING_MS)
    }
    for (const userId of [...access.keys(), ...closed.keys()])
      this.#reports.note(`account ${userId} cannot be watched`, problems.get(userId) ?? null)
    await this.#reports.beat(await this.#troubleOf(problems))
  }

  async #lookAt(userId: string, access: Access): Promise<void> {
    const { place, graces } = this.#parts
    await this.#server.look(performance.now(), this.#now())
    const now = this.#now()
    const day = koreanDay(now)
    const mark = await this.#journal.newest(userId)
    const list = await readOrderList(place, access, now)
    this.#setClock(list.at)
    // After the list: whatever is listed was written down before it left.
    const journal = await this.#journal.read(userId, day, mark)
    this.#passBy(userId, list.odd, (row) => mayBeOurs(row, journal.after, day))
    const found = compare({ list, ...journal, serverStops: this.#server.stops }, day, graces)
    const even = performance.now()
    const state = { now: even, graces, serverRuns: this.#server.runs(even) }
    const { believed, standing } = believe(found, this.#standing.get(userId) ?? new Map(), state)
    this.#standing.set(userId, standing)
    for (const one of believed) await this.#reports.report(userId, one, this.#now())
  }

  /** Says which rows it does without. Throws NotReadable where one of them may be Digger's own. */
  #passBy(userId: string, odd: readonly OddRow[], isOurs: (row: OddRow) => boolean): void {
    const ours = odd.find(isOurs)
    if (ours !== undefined) throw new NotReadable(describeOdd(ours))
    const rows = odd.map(describeOdd).join('; ')
    this.#reports.note(`account ${userId} has orders of others that cannot be read`, rows === '' ? null : rows)
  }

  /** Only an account that orders something today is missed. */
  async #troubleOf(problems: ReadonlyMap<string, string>): Promise<string | null> {
    const now = performance.now()
    for (const userId of this.#blindSince.keys()) if (!problems.has(userId)) this.#blindSince.delete(userId)
    let blind = 0
    for (const userId of problems.keys()) {
      const since = this.#blindSince.get(userId) ?? now
      this.#blindSince.set(userId, since)
      if (now - since >= this.#parts.blindMs && (await this.#ordersToday(userId))) blind += 1
    }
    return blind === 0 ? null : `감시 프로그램이 계좌 ${blind}개의 증권사 목록이나 장부를 읽지 못하고 있습니다.`
  }

  async #ordersToday(userId: string): Promise<boolean> {
    const { rows } = await this.#parts.reading.pool.query(
      'select 1 from account_order where user_id = $1 and day = $2 limit 1',
      [userId, koreanDay(this.#now())],
    )
    return rows.length > 0
  }

  #now(): number {
    return Date.now() + this.#ahead
  }

  /** The header tells whole seconds: a small difference is none. */
  #setClock(at: number): void {
    const ahead = at - Date.now()
    this.#ahead = Math.abs(ahead) > this.#parts.graces.clockMs ? ahead : 0
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
