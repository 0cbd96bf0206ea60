import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { evolve, type Book, type Fact, kstInstant } from '@digger/core'
import { type Database, type DatabasePlace, openDatabase } from '@digger/database'
import { seedFolder, type TestPlace, testPlace } from '@digger/database/testing'
import { type Changes, changesOf, Committer, loadOrCreate } from '@digger/storage'
import { SETTINGS } from '@digger/storage/testing'
import { afterAll } from 'vitest'

export const NOW = kstInstant('20261120', '100000')
export const CODE = '005930'
const ISSUE = { code: CODE, kind: 'stock', market: 'KOSPI', nxt: true } as const

/** A folder that is gone after the file's tests. */
export function temporaryFolder(): (name: string) => string {
  const home = mkdtempSync(join(tmpdir(), 'digger-backup-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  return (name) => join(home, name)
}

export type Kind = 'embedded' | 'postgres'
/** What this run is on. */
export const KIND: Kind = process.env['DIGGER_TEST_POSTGRES'] === undefined ? 'embedded' : 'postgres'

/** New places for databases of either kind. */
export class Places {
  readonly #at = temporaryFolder()
  readonly #made: TestPlace[] = []
  #count = 0

  constructor() {
    afterAll(async () => {
      for (const place of this.#made.splice(0)) await place[Symbol.asyncDispose]()
    })
  }

  folder(): string {
    return this.#at(`folder-${++this.#count}`)
  }

  async empty(kind: Kind): Promise<Place> {
    return { dataDir: this.folder(), databaseUrl: kind === 'embedded' ? undefined : await this.#url({ empty: true }) }
  }

  /** A server's database that trades, with its tables. */
  async trading(kind: Kind): Promise<Trading> {
    const dataDir = this.folder()
    if (kind === 'embedded') await seedFolder(dataDir)
    return Trading.open({ dataDir, databaseUrl: kind === 'embedded' ? undefined : await this.#url() })
  }

  async #url(how?: { readonly empty: boolean }): Promise<string | undefined> {
    const place = await testPlace(how)
    this.#made.push(place)
    return place.config.DATABASE_URL
  }
}

export type Place = Pick<DatabasePlace, 'dataDir' | 'databaseUrl'>

/** What a server does to its database, without broker: accounts whose facts are committed. */
export class Trading {
  readonly place: Place
  readonly database: Database
  readonly #committer: Committer
  readonly #accounts = new Map<string, { book: Book; seq: number; epoch: number }>()

  private constructor(place: Place, database: Database) {
    this.place = place
    this.database = database
    this.#committer = new Committer(database.pool, database.lease)
  }

  static async open(place: Place): Promise<Trading> {
    return new Trading(place, await openDatabase({ ...place, trades: { shared: false, report: () => undefined } }))
  }

  close(): Promise<void> {
    return this.database.close()
  }

  /** With two lots, one of them sold. */
  async addUser(name: string): Promise<string> {
    const { db, pool } = this.database
    const id = name.padEnd(16, 'abcdefghijklmnop')
    const row = { password_hash: 'x', account_masked: '****1234', account_mark: Buffer.from(id), created_at: NOW }
    const user = { id, email: `${name}@digger.test`, ...row, digger_admin: false, bank_balance: 7 }
    await db.insertInto('users').values(user).execute()
    this.#accounts.set(id, await loadOrCreate({ db, pool }, id, NOW))
    await this.happen(
      id,
      { kind: 'stockAdded', at: NOW, code: CODE, name: '삼성전자', issue: ISSUE, settings: SETTINGS },
      lotBought(1, 70_000),
      lotBought(2, 69_300),
    )
    return id
  }

  async happen(userId: string, ...facts: Fact[]): Promise<void> {
    await this.#committer.commit(this.#decided(userId, facts))
  }

  #decided(userId: string, facts: readonly Fact[]): Changes {
    const account = this.#accounts.get(userId)
    if (account === undefined) throw new Error(`no account ${userId}`)
    const book = facts.reduce(evolve, account.book)
    this.#accounts.set(userId, { ...account, book, seq: account.seq + facts.length })
    return changesOf(userId, account, facts, book)
  }

  /** A lot that is bought: journal, stock and trade change together. */
  buy(userId: string): Promise<void> {
    const id = this.#accounts.get(userId)?.book.nextLotId ?? 0
    return this.happen(userId, lotBought(id, 69_000))
  }
}

const lotBought = (id: number, buyPrice: number): Fact => ({
  kind: 'lotBought',
  at: NOW,
  code: CODE,
  lot: {
    id,
    count: 2,
    buyPrice,
    buyAmount: buyPrice * 2,
    boughtAt: NOW + id,
    buyOrderId: null,
    heldBack: false,
    takenOver: false,
  },
})
