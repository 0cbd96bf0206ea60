import { ACCOUNT_LIMITS, kstInstant, type Settings } from '@digger/core'
import { UNLIMITED, type KisCredentials, type RateLimits } from '@digger/kis'
import { demoCredentials, startSim, type Sim, type SimOptions, Lockstep } from '@digger/kis-sim'
import { type TestClock, type TestDatabase, testDatabase } from '@digger/database/testing'
import { Connector } from '../src/broker/connector.ts'
import type { MarketClock } from '../src/broker/steady-clock.ts'
import { Engine } from '../src/engine.ts'
import type { Command, CommandDone } from '../src/accounts.ts'
import { Timetables } from '@digger/prices'
import { SETTINGS } from '@digger/storage/testing'

/** How the pretend exchange differs from one that is always open and answers as it likes. */
interface Place {
  readonly assumptions?: NonNullable<SimOptions['assumptions']>
  /** Epoch ms; with it the exchange keeps KRX's and NXT's hours. */
  readonly start?: number
  readonly happenings?: NonNullable<SimOptions['happenings']>
  /** The time that calls to the broker are spaced by; without it real time. */
  readonly spacing?: TestClock
}

export const CODE = '005930'
const NEVER_MS = 365 * 86_400_000
const START = kstInstant('20260105', '100000')

export const ladder: Settings = {
  ...SETTINGS,
  maxBuyPrice: 160_000,
  buyUnitPrice: 400_000,
  lastBuyPrice: null,
  sellPercent: 1,
}

/** One user's real engine, client, sockets and database against the pretend broker, in time that is moved by hand. */
export class Exchange {
  readonly sim: Sim
  /** Of engines that are made from now on. */
  database: TestDatabase
  readonly userId = 'tradertradertr'
  readonly credentials: KisCredentials = demoCredentials(0)
  readonly problems: unknown[] = []
  readonly #limits: RateLimits
  readonly #spacing: TestClock | undefined
  readonly #hours: 'always' | 'krx'
  /** Of engines that are made from now on. */
  clock: MarketClock
  #engine: Engine
  #lockstep: Lockstep

  private constructor(sim: Sim, database: TestDatabase, limits: RateLimits, { start, spacing }: Place) {
    this.sim = sim
    this.#limits = limits
    this.#spacing = spacing
    this.#hours = start === undefined ? 'always' : 'krx'
    this.database = database
    this.clock = sim.clock
    this.#engine = this.#newEngine()
    this.#lockstep = this.#newLockstep()
  }

  /** `limits`: how fast orders may follow each other. */
  static async open(limits: Partial<RateLimits> = {}, place: Place = {}): Promise<Exchange> {
    const { assumptions, start, happenings = [] } = place
    const hours = start === undefined ? 'always' : 'krx'
    const sim = await startSim({
      port: 0,
      hours,
      clock: { mode: 'manual', start: start ?? START },
      walk: 'off',
      limits: 'off',
      latency: 'none',
      happenings,
      assumptions: { pingPongMs: [NEVER_MS, NEVER_MS], ...assumptions },
    })
    const database = await testDatabase()
    const exchange = new Exchange(sim, database, { ...UNLIMITED, ...limits }, place)
    await database.db
      .insertInto('users')
      .values({
        id: exchange.userId,
        email: 'trader@example.com',
        password_hash: 'x',
        digger_admin: false,
        account_masked: '****0001',
        account_mark: Buffer.from('mark'),
        bank_balance: 0,
        created_at: START,
      })
      .execute()
    await exchange.start()
    return exchange
  }

  get engine(): Engine {
    return this.#engine
  }

  get account(): string {
    return this.credentials.accountNumber
  }

  get stock() {
    return this.#engine.book(this.userId).stocks.get(CODE)
  }

  get orders() {
    return [...this.#engine.book(this.userId).orders.values()]
  }

  /** Starts the engine, gives it the key, and lets it compare book and broker: armed. */
  async start(): Promise<void> {
    await this.#engine.start()
    await this.#engine.unlock(this.userId, this.credentials)
    await this.#engine.connect(this.userId)
    await this.wait(1_000)
  }

  /** Makes a new engine on the same database, as after a crash; the old one no longer reaches anything. `afterMs`: much later, and `meanwhile`. */
  async restart(afterMs = 0, meanwhile = async (): Promise<void> => {}): Promise<void> {
    const until = this.sim.clock.now() + afterMs
    await this.#engine.stop()
    await meanwhile()
    await this.sim.clock.advance(until - this.sim.clock.now())
    this.#engine = this.#newEngine()
    this.#lockstep = this.#newLockstep()
    await this.start()
  }

  async watch(settings: Partial<Settings> = {}): Promise<void> {
    await this.#engine.ask(this.userId, {
      kind: 'updateStock',
      code: CODE,
      version: null,
      settings: { ...ladder, ...settings },
      listing: { issue: { code: CODE, kind: 'stock', market: 'KOSPI', nxt: true }, name: '삼성전자' },
    })
    while (!this.sim.registered(this.credentials.appKey).some((one) => one.endsWith(CODE))) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    // The first price only re-bases.
    await this.price(this.sim.price(CODE))
    await this.wait(1_000)
  }

  /** Lets the market trade at a price; everything that follows from it is done when this resolves. */
  async price(price: number): Promise<void> {
    this.sim.setPrice(CODE, price)
    await this.#lockstep.settle()
  }

  /** Lets time pass; the server's timers run once a second. */
  async wait(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1_000) {
      await this.#lockstep.advance(Math.min(1_000, ms - passed))
      await this.#lockstep.tick()
    }
  }

  /** Moves time in one leap, without the server's timers. */
  async advance(ms: number): Promise<void> {
    await this.#lockstep.advance(ms)
  }

  /** Sends a person's command; time passes until the reply is there (cancels are confirmed by the next reading). */
  async ask(command: Command): Promise<CommandDone> {
    const reply = this.#engine.ask(this.userId, command)
    const answered = Promise.allSettled([reply]).then(() => true)
    const passed = () => this.wait(1_000).then(() => false)
    for (let i = 0; i < 60 && !(await Promise.race([answered, passed()])); i += 1);
    return reply
  }

  async settle(): Promise<void> {
    await this.#lockstep.settle()
  }

  /** Orders that the broker really took from this account (cancellations and modifications left out). */
  taken(side: 'buy' | 'sell') {
    return this.sim.orders(this.account).filter((order) => order.side === side && order.change === null)
  }

  async close(): Promise<void> {
    await this.#engine.stop()
    await this.sim.close()
    await this.database[Symbol.asyncDispose]()
  }

  #newEngine(): Engine {
    const tokens = { load: async () => null, save: async () => {} }
    const connector = new Connector({
      env: 'real',
      restUrl: this.sim.url,
      wsUrl: this.sim.wsUrl,
      clock: this.clock,
      tokens,
      limits: this.#limits,
      ...(this.#spacing && { spacing: this.#spacing }),
      problem: (_userId, error) => this.problems.push(error),
    })
    return new Engine({
      tables: this.database,
      clock: this.clock,
      env: 'real',
      limits: ACCOUNT_LIMITS.sim,
      timetables: new Timetables(this.#hours),
      connector,
      problem: (_userId, error) => this.problems.push(error),
      timerMs: NEVER_MS,
    })
  }

  #newLockstep(): Lockstep {
    return new Lockstep(this.sim, this.#engine.activity, [{ userId: this.userId, appKey: this.credentials.appKey }])
  }
}
