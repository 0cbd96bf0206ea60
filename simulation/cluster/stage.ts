import type { Sim } from '@digger/kis-sim'
import type { DatabaseModel, StatementSeen } from '../database/model.ts'
import type { Dice } from '../machine/dice.ts'
import type { Process } from '../machine/process.ts'
import type { Simulation } from '../machine/simulation.ts'
import { Moment } from '../moment.ts'
import { Story } from '../story.ts'
import { Violation } from '../violation.ts'
import { CUSTOMERS, KEPT_SHARES, STOCKS } from './customers.ts'
import { Doubles } from './doubles.ts'
import * as product from './product.ts'
import { DATABASE_URL, listenAsDatabase } from './template.ts'
import { Worker, type WrittenOrder } from './worker.ts'

const BROKER_PORT = 18_443
/** The broker answers by then, ms. */
const BROKER_STARTS_MS = 50
const RESTART_MS = 3_000
const CASH_WON = 1_000_000_000
/** Beside the usual 1 to 5 s: what the product waits for is 20 s. */
const MAX_LAG_MS = 14_000
/** Of the stocks that are traded here. */
const TICK_WON = 50
/** So far at a time, and no further from where it began: buying begins below that, and everything bought can be sold again. */
const STEP_PERCENT = 2.2
const RANGE_PERCENT = [-5, 0.5] as const

export interface CommittedOrder {
  /** Whose commit it is. */
  readonly process: Process
  readonly side: 'buy' | 'sell'
}

/** The programs of a run: the database, the pretend broker and the workers; and what faults wait for. */
export class ClusterStage {
  readonly simulation: Simulation
  readonly database: DatabaseModel
  readonly story: Story
  readonly doubles: Doubles
  readonly workers = new Map<string, Worker>()
  /** An order's bytes are being written. */
  readonly orderWritten = new Moment<WrittenOrder>()
  /** An order is committed; its worker does not know yet. */
  readonly orderCommitted = new Moment<CommittedOrder>()
  /** A worker has taken accounts. */
  readonly claimed = new Moment<Process>()
  readonly #env: 'real' | 'paper'
  readonly #tokens = new Map()
  readonly #clients: ReadonlyMap<number, Process>
  readonly #market: Dice
  /** By worker: the session on which it renews its row. */
  readonly #sessions = new Map<Process, number>()
  #sim: Sim | null = null

  constructor(simulation: Simulation, database: DatabaseModel) {
    this.simulation = simulation
    this.database = database
    this.story = new Story(simulation)
    this.doubles = new Doubles(database, () => simulation.now)
    this.#market = simulation.dice('market')
    this.#env = simulation.dice('env').chance(0.5) ? 'real' : 'paper'
    this.#clients = listenAsDatabase(simulation, database)
  }

  get sim(): Sim {
    if (this.#sim === null) throw new Error('the broker has not started')
    return this.#sim
  }

  open(workers: number): void {
    const { simulation } = this
    const broker = simulation.start('broker')
    simulation.at(0, broker, () => {
      this.#startBroker().catch((error: unknown) => simulation.fail(error))
    })
    for (let n = 1; n <= workers; n += 1) simulation.at(BROKER_STARTS_MS + n, null, () => this.#start(`worker ${n}`))
  }

  async #startBroker(): Promise<void> {
    const holdings = STOCKS.map(({ code, base }) => ({ code, count: KEPT_SHARES, averagePrice: base }))
    const sim = await product.startSim({
      seed: this.simulation.seed,
      port: BROKER_PORT,
      hours: 'krx',
      clock: { mode: 'real' },
      universe: STOCKS,
      accounts: CUSTOMERS.map(({ credentials }) => ({ credentials, env: this.#env, cash: CASH_WON, holdings })),
      walk: 'off',
      // Nobody knows how long the broker keeps one: whoever slept for longer finds its connection closed.
      assumptions: { idleConnectionMs: this.simulation.dice('idle').pick([75_000, 300_000]) },
    })
    this.#sim = sim
    const dice = this.simulation.dice('broker')
    if (dice.chance(0.5)) sim.faults.add({ kind: 'listingLag', ms: dice.whole(0, MAX_LAG_MS), probability: 0.5 })
    // Fills are learned from the lists then, seconds later: a sale finds no connection that a buy has just used.
    if (dice.chance(0.6)) sim.faults.add({ kind: 'dropNotice', probability: 0.8 })
    sim.broker.ledger.onFact((fact) => {
      if (fact.kind !== 'accepted' || fact.order.change !== null) return
      const { account, side, code, count, price, odno } = fact.order
      this.story.add(`the broker takes ${side} ${count} of ${code} at ${price} (number ${odno}) of ${account}`)
      this.simulation.check(() => this.doubles.take(fact.order))
    })
  }

  #start(name: string): void {
    const { simulation, story } = this
    const process = simulation.start(name)
    process.tcpTries = 8
    const report = (text: string): void => story.add(`${name} (${process.pid}) ${text}`)
    const worker = new Worker({
      databaseUrl: DATABASE_URL,
      brokerPort: BROKER_PORT,
      env: this.#env,
      process,
      tokens: this.#tokens,
      written: (order) => simulation.check(() => this.#written(order)),
      report,
    })
    this.workers.set(name, worker)
    process.onEnd = ({ how }) => {
      report(how)
      simulation.after(RESTART_MS, null, () => this.#start(name))
    }
    simulation.at(simulation.now, process, () => {
      worker.begin().catch((error: unknown) => {
        report(`does not start: ${String(error)}`)
        simulation.end(process, { how: 'left', why: String(error) })
      })
    })
  }

  #written(written: WrittenOrder): void {
    const { process, userId, order, epoch } = written
    const { id, side, code, price } = order
    this.story.add(
      `${process.name} (${process.pid}) writes ${side} ${code} at ${price}: ${userId} ${id} of epoch ${epoch}`,
    )
    this.doubles.written(written)
    this.orderWritten.come(written)
  }

  /** To be told of each statement that the database has carried out. */
  noteStatement({ text, values, pid, code }: StatementSeen): void {
    const process = this.#clients.get(pid)
    if (code !== null || process === undefined) return
    if (text.startsWith('update worker set until')) this.#sessions.set(process, pid)
    if (/update account set epoch/.test(text)) this.claimed.come(process)
    if (!text.includes('orders_part')) return
    const rows: readonly { status: string; side: 'buy' | 'sell' }[] = JSON.parse(String(values[5]))
    for (const { status, side } of rows) if (status === 'intended') this.orderCommitted.come({ process, side })
  }

  /** The database ends the session that holds the worker's lock; its other connections stay. */
  cutSession(process: Process): void {
    const session = this.#sessions.get(process)
    this.database.cut(({ pid }) => pid === session)
  }

  /** One step of the market, of every stock; where that is too far from where it began, the other way. */
  moveMarket(percent: number = (this.#market.unit() * 2 - 1) * STEP_PERCENT): void {
    for (const { code, base } of STOCKS) {
      const now = this.sim.price(code)
      const [lowest, highest] = RANGE_PERCENT
      const away = (now / base - 1) * 100 + percent
      const by = away < lowest ? Math.abs(percent) : away > highest ? -Math.abs(percent) : percent
      this.sim.setPrice(code, Math.round((now * (1 + by / 100)) / TICK_WON) * TICK_WON)
    }
  }

  /** No worker stands still, no order is on its way, and none is without a verdict. */
  get isSettled(): boolean {
    if (!this.doubles.noneOut || this.database.inTransaction) return false
    if (!this.alive.every((worker) => this.isTrading(worker)) || this.alive.length < this.workers.size) return false
    if (CUSTOMERS.some(({ userId }) => this.ownersOf(userId).length !== 1)) return false
    const [row] = this.database.query(
      `select count(*) as open from account_order where status in ('intended', 'unknown')`,
    )
    return Number(row?.['open']) === 0
  }

  get alive(): readonly Worker[] {
    return [...this.workers.values()].filter(({ process }) => process.alive)
  }

  /** Who has an account, as far as each of them knows. */
  ownersOf(userId: string): readonly Worker[] {
    return this.alive.filter((worker) => worker.has(userId))
  }

  isTrading(worker: Worker): boolean {
    const { process } = worker
    return process.alive && process.pausedSince === null && this.simulation.enter(process, () => worker.isArmed)
  }

  fail(promise: string, what: string): void {
    this.simulation.fail(new Violation(promise, what))
  }
}
