import {
  emptyBook,
  evolve,
  kstInstant,
  type Account,
  type Book,
  type Context,
  type Fact,
  type Quote,
} from '@digger/core'
import { shardOf, OwnedShards } from '@digger/database'
import { emptiedDatabase, TestClock, type TestDatabase } from '@digger/database/testing'
import { AnswerLimit, type Command } from '@digger/engine'
import { loadOrCreate } from '@digger/storage'
import { NO_ACCOUNT_LIMITS } from '@digger/storage/testing'
import type { FillRule } from '../src/fills.ts'
import { Shadows } from '../src/shadows.ts'
import { CODE, DAY, ISSUE, SETTINGS, shown } from './stage.ts'

/** A real account that sends nothing, beside a process that rehearses it. */
export class Scene {
  now = kstInstant(DAY, 100_000)
  real: Book
  isEverything = false
  readonly owned = new OwnedShards()
  readonly problems: unknown[] = []
  readonly clock = new TestClock()
  shadows: Shadows
  readonly database: TestDatabase
  readonly userId: string
  #quote: Quote = { price: 80_000, at: this.now, live: true, halted: false, band: { lower: 1, upper: 1_000_000 } }

  constructor(database: TestDatabase, userId: string, epoch: number) {
    this.database = database
    this.userId = userId
    const facts: Fact[] = [
      { kind: 'stockAdded', code: CODE, name: '삼성전자', issue: ISSUE, settings: SETTINGS, at: 0 },
      { kind: 'stockShadowed', code: CODE, shadow: true, at: 0 },
    ]
    this.real = facts.reduce(evolve, emptyBook(DAY))
    this.own(epoch)
    this.shadows = this.process()
  }

  own(epoch: number): void {
    this.owned.take(shardOf(this.userId), { epoch, inheritedMs: 0 })
  }

  /** What a person orders by hand, answered within the time by `clock`. */
  async take(command: Command): Promise<void> {
    const limit = new AnswerLimit(this.clock)
    await this.shadows.take(this.userId, command, limit).finally(() => limit.end())
  }

  /** A process that begins with what the tables have. */
  process(): Shadows {
    return new Shadows({
      db: this.database.db.withPlugin({
        transformQuery: ({ node }) => ((this.queries += 1), node),
        transformResult: async ({ result }) => result,
      }),
      clock: { now: () => this.now },
      owned: this.owned,
      rule: this.rule,
      problem: (_userId, error) => void this.problems.push(error),
      rehearsing: this,
    })
  }

  readonly book = (): Book => this.real
  readonly isAuthorised = (): boolean => true
  readonly realStart = () => ({ atOnce: [], atOpening: [] })
  cash = async () => ({ amount: 10_000_000, askedAt: this.now })
  queries = 0
  rule: FillRule = 'through'
  halted = false
  /** No rule can decide. */
  broken = false

  contextOf(): Context {
    if (this.broken) throw new Error('a rehearsal does not come to rest')
    const timetable = { hours: 'krx', closed: new Set<string>(), special: new Map() } as const
    return {
      now: this.now,
      env: 'real',
      limits: NO_ACCOUNT_LIMITS,
      serverStop: 'active',
      timetable,
      quote: () => this.#quote,
    }
  }

  async still(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve))
    while (this.shadows.busy)
  }

  async tick(times = 1): Promise<void> {
    for (let n = 0; n < times; n += 1) {
      this.now += 1_000
      this.shadows.ticked(this.userId)
      await this.still()
    }
  }

  async price(price: number): Promise<void> {
    this.now += 1_000
    this.#quote = { ...this.#quote, price, at: this.now, shownAt: this.now, halted: this.halted }
    this.shadows.priceChanged(CODE)
    await this.still()
  }

  /** A price that was only read; none: the last trade was. */
  async read(price?: number): Promise<void> {
    this.now += 2_000
    if (price !== undefined) this.#quote = { ...this.#quote, price, shownAt: this.now }
    this.shadows.priceChanged(CODE)
    await this.still()
  }

  async happens(...facts: Fact[]): Promise<void> {
    const before = this.real
    this.real = facts.reduce(evolve, before)
    this.shadows.accountChanged({ userId: this.userId, before, after: this.real, facts })
    await this.still()
  }

  get account(): Account | undefined {
    return this.shadows.state(this.userId)?.account
  }

  get orders(): string[] {
    return [...(this.account?.book.orders.values() ?? [])].map(shown)
  }
}

/** With its rehearsal open. */
export async function openScene(): Promise<Scene> {
  const database = await emptiedDatabase()
  const userId = 'rehearserabcde'
  const person = { password_hash: 'x', digger_admin: false, account_masked: '****1234', account_mark: Buffer.from('x') }
  await database.db
    .insertInto('users')
    .values({ id: userId, email: 'one@digger.test', ...person, bank_balance: 0, created_at: 0, password_ends_at: null })
    .execute()
  const { epoch } = await loadOrCreate(database, userId, kstInstant(DAY, 90_000))
  const scene = new Scene(database, userId, epoch)
  await scene.tick(3)
  return scene
}
