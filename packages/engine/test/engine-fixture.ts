import { ACCOUNT_LIMITS, kstInstant, type Order } from '@digger/core'
import type { OwnedShards } from '@digger/database'
import { type TestDatabase, TestClock } from '@digger/database/testing'
import type { KisCredentials, KisRest, NewOrder } from '@digger/kis'
import { Engine } from '../src/engine.ts'
import type { MarketClock } from '../src/broker/steady-clock.ts'
import { Timetables } from '@digger/prices'
import type { AccountsObserver } from '../src/observer.ts'
import { execution, fakeKis } from '@digger/prices/testing'
import { FakeSocket } from '@digger/prices/testing'
import { SETTINGS } from '@digger/storage/testing'

export const CODE = '005930'
export const NOW = kstInstant('20260105', '100000')
export const CREDENTIALS: KisCredentials = {
  appKey: 'key',
  appSecret: 'secret',
  accountNumber: '1234567801',
  htsId: 'trader',
}
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

let users = 0
/** Fourteen letters. */
export function newUserId(): string {
  users += 1
  return `traderuser${String(users)
    .padStart(4, '0')
    .replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`
}

/** Time moved by hand, that the broker may set. */
export class SettableClock extends TestClock implements MarketClock {
  offMs: number | null = null
  machineAheadMs: number | null = 0
  readonly #listeners: ((byMs: number) => void)[] = []

  onSet(listener: (byMs: number) => void): void {
    this.#listeners.push(listener)
  }

  set(byMs: number): void {
    this.advance(byMs)
    for (const listener of this.#listeners) listener(byMs)
  }
}

/** One user's broker: takes every order, lists it unfilled, and keeps what was sent. */
export class BrokerFixture {
  readonly socket = new FakeSocket()
  readonly sent: NewOrder[] = []
  /** Numbers of the orders whose cancel it was asked for. */
  readonly cancels: string[] = []
  closed = 0
  /** What an order waits for before the broker's receipt comes. */
  receipt: Promise<void> = Promise.resolve()
  listFails = false
  listsAsked = 0
  /** What a list waits for before it comes. */
  list: Promise<void> = Promise.resolve()
  readonly rest: KisRest

  constructor(clock: TestClock) {
    this.rest = fakeKis({
      order: async (order, guard) => {
        const refusal = guard?.refuse() ?? null
        if (refusal !== null) throw new Error(refusal)
        this.sent.push(order)
        await this.receipt
        return { odno: String(this.sent.length).padStart(10, '0'), orgno: '06010', orderedAt: NOW }
      },
      cancel: async ({ odno }) => {
        this.cancels.push(odno)
        return { odno: `9${odno.slice(1)}`, orgno: '06010', orderedAt: NOW }
      },
      executions: async () => {
        this.listsAsked += 1
        await this.list
        if (this.listFails) throw new Error('no list')
        return this.sent.map((order, index) => this.#row(order, index))
      },
      balance: async () => ({ holdings: [], depositAmount: 2_000_000, stockValueAmount: 0, leftAt: NOW }),
      buyable: async () => ({ count: 1_000, price: 0, amount: 100_000_000, cash: 100_000_000, leftAt: clock.now() }),
      quote: async (code) => {
        const day = { base: 71_000, open: 71_000, high: 71_000, low: 71_000, upper: 92_000, lower: 50_000 }
        return { code, price: 71_000, ...day, volume: 0, halted: false, statuses: [] }
      },
      close: async () => void (this.closed += 1),
    })
  }

  #row({ code, side, count, price, venue }: NewOrder, index: number) {
    const odno = String(index + 1).padStart(10, '0')
    const filled = { filledCount: 0, filledAmount: 0, remainingCount: count }
    return execution({ day: '20260105', odno, code, side, venue, count, price, orderedAt: NOW, ...filled })
  }
}

/** A whole engine with a database, in time moved by hand, whose brokers are made up: one per time a key is opened. */
export class EngineFixture {
  /** Longer than any test goes on, unless it wants the timer. */
  static readonly TIMER_MS = 365 * 86_400_000
  readonly clock = new SettableClock(NOW)
  readonly brokers: BrokerFixture[] = []
  readonly problems: string[] = []
  /** What observers were called for. */
  readonly seen: string[] = []
  readonly userId = newUserId()
  readonly database: TestDatabase
  readonly timetables: Timetables
  readonly engine: Engine
  lease = true
  readonly #next: BrokerFixture[] = []

  /** Users whose accounts turned out to be another process'. */
  readonly fenced: string[] = []

  private constructor(database: TestDatabase, hours: 'always' | 'krx', owned: OwnedShards) {
    this.database = database
    this.timetables = new Timetables(hours)
    this.engine = new Engine({
      tables: { ...database, owned, lease: { held: () => this.lease } },
      clock: this.clock,
      env: 'real',
      limits: ACCOUNT_LIMITS.sim,
      timetables: this.timetables,
      connector: { connect: () => this.#connect() },
      problem: (_userId, error) => this.problems.push(error instanceof Error ? error.message : String(error)),
      fenced: (userId) => this.fenced.push(userId),
      timerMs: EngineFixture.TIMER_MS,
    })
    this.engine.observe(this.#observer())
  }

  /** On a database that other tests have used: with a user of its own, and no stop set. */
  static async open(database: TestDatabase, hours: 'always' | 'krx' = 'always'): Promise<EngineFixture> {
    const fixture = new EngineFixture(database, hours, database.owned)
    await database.db.deleteFrom('server_setting').execute()
    await fixture.addUser(fixture.userId)
    await fixture.engine.start()
    return fixture
  }

  /** Another process on the same database, with these shards. */
  static async beside(database: TestDatabase, owned: OwnedShards): Promise<EngineFixture> {
    const fixture = new EngineFixture(database, 'always', owned)
    await fixture.engine.start()
    return fixture
  }

  async addUser(id: string): Promise<void> {
    const row = { password_hash: 'x', account_masked: '****0001', account_mark: Buffer.from(id), bank_balance: 0 }
    await this.database.db
      .insertInto('users')
      .values({ id, email: `${id}@example.com`, ...row, digger_admin: false, created_at: NOW })
      .execute()
  }

  #observer(): AccountsObserver {
    return {
      socketChanged: (userId, connected) => this.seen.push(`socket ${userId === this.userId} ${connected}`),
      serverStopChanged: (stop) => this.seen.push(`stop ${stop}`),
      priceChanged: (code) => this.seen.push(`price ${code}`),
    }
  }

  /** The broker of the next key that is opened. */
  prepare(): BrokerFixture {
    const broker = new BrokerFixture(this.clock)
    this.#next.push(broker)
    return broker
  }

  #connect(): BrokerFixture {
    const broker = this.#next.shift() ?? new BrokerFixture(this.clock)
    this.brokers.push(broker)
    return broker
  }

  get orders(): Order[] {
    return [...this.engine.book(this.userId).orders.values()]
  }

  /** A second passes, and everything that follows from it is done. */
  async second(): Promise<void> {
    this.clock.advance(1_000)
    this.engine.activity.tick()
    await this.idle()
  }

  async idle(): Promise<void> {
    await turn()
    await this.engine.activity.idle()
  }

  /** The key is open, the book compared: armed. */
  async unlock(): Promise<BrokerFixture> {
    await this.engine.unlock(this.userId, CREDENTIALS)
    await this.idle()
    await this.second()
    const broker = this.brokers.at(-1)
    if (broker === undefined) throw new Error('no broker was made')
    return broker
  }

  async watch(code = CODE): Promise<void> {
    await this.engine.ask(this.userId, {
      kind: 'updateStock',
      code,
      version: null,
      settings: SETTINGS,
      listing: { issue: { code, kind: 'stock', market: 'KOSPI', nxt: false }, name: '삼성전자' },
    })
    await this.second()
  }

  async close(): Promise<void> {
    await this.engine.stop()
  }
}
