import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { demoCredentials } from '@digger/kis-sim'
import { type Db, openDatabase } from '@digger/database'
import { generator, verifyAll } from '@digger/app'
import { sql } from 'kysely'
import { audit, type Audit } from './audit.ts'
import { BrokerControl } from './broker-control.ts'
import { Child } from './child.ts'
import { InShadow } from './in-shadow.ts'
import { lateFills, checkLiveness, type Liveness } from './liveness.ts'
import { Person } from './person.ts'
import { stoppedForNothing } from './standing-still.ts'

export interface StagePlan {
  readonly seed: number
  /** A new, empty folder. */
  readonly folder: string
  readonly print: (line: string) => void
  /** Added to the environment of every server of this stage. */
  readonly env?: NodeJS.ProcessEnv
  /** The script of another pretend broker. */
  readonly market?: string
}

const MAIN = fileURLToPath(import.meta.resolve('@digger/app/main'))
const MARKET = fileURLToPath(new URL('market.ts', import.meta.url))
export const CASH_WON = 100_000_000
const CODES = ['005930', '000660', '035720', '005380', '069500', '247540', '035420', '000270']
const STOCKS_EACH = 4
/** Nobody's but the one's who has it in the shadow. */
const SHADOWED = '055550'
const ACTION_INTERVAL_MS = 150
const ARM_TIMEOUT_MS = 120_000
const SETTLE_TIMEOUT_MS = 150_000
/** Three tries, five seconds apart, fall into it: what counted as the order's own fault would stop its stock. */
const REFUSED_MS = 35_000
const REFUSED_LOOK_MS = 1_000
/** Each of two people has four stocks; some are full, or wait for an order without a verdict. */
const MIN_REFUSED = 3
const CLOSED = { code: 'APBK0918', text: '장운영시간이 아닙니다.' }

/** A pretend broker, people who trade through it, and servers that come and go: every process is a real one. */
export class Stage {
  readonly #plan: StagePlan
  readonly #env: NodeJS.ProcessEnv
  readonly #servers: Child[] = []
  readonly market: Child
  readonly broker: BrokerControl
  readonly draw: () => number
  readonly people: readonly Person[]
  readonly inShadow: readonly InShadow[]
  readonly problems: string[] = []
  /** From the start of the process until every account may trade again, ms. */
  readonly armedMs: number[] = []
  readonly livenessChecks: Liveness[] = []

  private constructor(plan: StagePlan, market: Child, url: string, wsUrl: string) {
    this.#plan = plan
    this.market = market
    this.broker = new BrokerControl(url)
    this.draw = generator(plan.seed)
    this.#env = {
      DATA_DIR: join(plan.folder, 'data'),
      PORT: '0',
      LOG_LEVEL: 'warn',
      KIS_ENV: 'sim',
      KIS_REST_URL: url,
      KIS_WS_URL: wsUrl,
      DATABASE_URL: '',
      MASTER_KEY_FILE: '',
      ...plan.env,
    }
    this.people = [0, 1].map(
      (n) =>
        new Person(
          `crash${n}@example.com`,
          demoCredentials(n),
          CODES.slice(n * STOCKS_EACH, (n + 1) * STOCKS_EACH),
          this.draw,
        ),
    )
    this.inShadow = this.people.slice(0, 1).map((person) => new InShadow(person, SHADOWED, this.draw))
  }

  static async open(plan: StagePlan): Promise<Stage> {
    mkdirSync(plan.folder, { recursive: true })
    const market = new Child(plan.market ?? MARKET, [String(plan.seed)], {}, join(plan.folder, 'market.log'))
    const line = await market.printed(/\{.*\}/)
    if (line === null) throw new Error(`the pretend broker did not start: ${plan.folder}/market.log`)
    const { url, wsUrl }: { url: string; wsUrl: string } = JSON.parse(line[0])
    const stage = new Stage(plan, market, url, wsUrl)
    // Whoever signs up here chooses their stocks, and no administrator is there to let them.
    await stage.withDatabase((db) => sql`alter table users alter column may_add_stocks set default true`.execute(db))
    return stage
  }

  /** Also ends servers that a failed run left behind. */
  async close(): Promise<void> {
    for (const server of this.#servers) if (!server.ended) await server.end('SIGKILL')
    await this.market.end('SIGTERM')
  }

  /** A server process that may be ended before it is ready. */
  spawn(env: NodeJS.ProcessEnv = {}): Child {
    const server = new Child(MAIN, [], { ...this.#env, ...env }, join(this.#plan.folder, 'server.log'))
    this.#servers.push(server)
    return server
  }

  /** Waits until people can reach the server. */
  async waitUntilOpen(server: Child): Promise<void> {
    const address = await server.printed(/http:\/\/127\.0\.0\.1:\d+/)
    if (address === null) throw new Error(`the server did not start: ${this.#plan.folder}/server.log`)
    for (const person of this.people) person.client.connectTo(address[0])
  }

  async join(): Promise<void> {
    const prices = await this.broker.prices()
    for (const person of this.people) await person.join(prices)
  }

  /** From now on one stock more, of which nothing is ever sent. */
  async joinShadow(): Promise<void> {
    const prices = await this.broker.prices()
    for (const one of this.inShadow) await one.join(prices)
  }

  async checkPromises(): Promise<void> {
    for (const person of this.people) this.problems.push(...(await person.brokenPromises()))
    for (const one of this.inShadow) this.problems.push(...(await one.problems(this.broker)))
  }

  /** What a process that has ended left of the rehearsal. */
  async checkShadowLeft(): Promise<void> {
    await this.withDatabase(async (db) => {
      for (const one of this.inShadow) this.problems.push(...(await one.left(db)))
    })
  }

  /** Waits until every account may trade again. */
  async waitUntilArmed(server: Child, since: number): Promise<void> {
    while (performance.now() - since < ARM_TIMEOUT_MS) {
      // A server whose broker cannot be read yet says so with a status of its own.
      const armed = (await this.people[0]?.client.health())?.armed ?? 0
      if (armed >= this.people.length) return void this.armedMs.push(performance.now() - since)
      if (server.ended) break
      await delay(50)
    }
    this.problems.push('an account was not armed in time')
  }

  /** Lets people act at random for so long. */
  async work(ms: number): Promise<void> {
    const until = performance.now() + ms
    const works = async (person: Pick<Person, 'act'>): Promise<void> => {
      while (performance.now() < until) {
        await Promise.race([person.act(), delay(Math.max(0, until - performance.now()))])
        await delay(Math.min(ACTION_INTERVAL_MS, Math.max(0, until - performance.now())))
      }
    }
    await Promise.all([...this.people, ...this.inShadow].map(works))
  }

  /**
   * The broker takes no order for a while, in the words of one that is closed, while prices ask for orders: nothing about any of them is
   * wrong. People look on, for whoever presses lets a stopped stock go on.
   */
  async refuseForNow(): Promise<void> {
    for (const endpoint of ['orderBuy', 'orderSell']) await this.broker.addFault('refuse', { endpoint, ...CLOSED })
    const since = performance.now()
    while (performance.now() - since < REFUSED_MS) {
      for (const person of this.people) for (const code of person.codes) await this.#bringToBuy(person, code)
      await delay(REFUSED_LOOK_MS)
    }
    const refused = await this.broker.faultCount('refuse')
    if (refused < MIN_REFUSED) this.problems.push(`${refused} orders refused for the hour: this proves nothing`)
    await this.broker.clearFaults()
    // A stock waits a minute after the first refusal.
    await delay(REFUSED_MS)
  }

  async #bringToBuy(person: Person, code: string): Promise<void> {
    const { nextBuyPrice } = await person.client.stock(code)
    // One beyond the day's limits asks for nothing.
    if (nextBuyPrice !== null) await this.broker.setPrice(code, nextBuyPrice).catch(() => undefined)
  }

  /** Without faults and with moving prices every account trades: what is due is ordered, what is filled is booked. */
  async checkLiveness(): Promise<void> {
    await this.broker.clearFaults()
    // Before anybody lets a stopped stock go on: what stopped without a word shows now.
    this.problems.push(...(await stoppedForNothing(this.people)))
    for (const person of this.people) for (const code of person.codes) await person.setStop('stock', code, 'active')
    const life = await checkLiveness(this.broker, this.people)
    this.livenessChecks.push(life)
    this.problems.push(...life.problems)
  }

  /** Counts the work of the whole run; a run with nothing to do proves nothing, so that is a problem. */
  async countWork(): Promise<string[]> {
    const calls = await this.broker.calls()
    const events = await Promise.all(this.people.map((person) => this.broker.events(person.credentials.accountNumber)))
    const all = events.flat()
    const counts: Record<string, number> = {
      orders: all.filter((event) => event.kind === 'accepted' && event.order.change === null).length,
      fills: all.filter((event) => event.kind === 'filled').length,
      'cash queries': calls['buyable'] ?? 0,
      'fills in the shadow': this.inShadow.reduce((sum, { filled }) => sum + filled, 0),
      'lists read': calls['executions'] ?? 0,
      'due prices': this.livenessChecks.flatMap(({ dueMs }) => dueMs).length,
      'queue peak': Math.max(0, ...this.livenessChecks.map(({ queuePeak }) => queuePeak)),
    }
    for (const [what, count] of Object.entries(counts))
      if (count === 0) this.problems.push(`${what} 0 in the whole run: this proves nothing`)
    const due = this.livenessChecks.flatMap(({ dueMs }) => dueMs.map((ms) => `${(ms / 1_000).toFixed(1)} s`))
    return [
      Object.entries(counts)
        .map(([what, count]) => `${what} ${count}`)
        .join(', '),
      `due buys placed and targets sold after ${due.join(', ')}`,
    ]
  }

  /** Without faults and with prices that stand still, book and broker must come to name the same orders and shares. */
  async settle(): Promise<void> {
    await this.broker.clearFaults()
    await this.broker.halt(CODES)
    const since = performance.now()
    let same = 0
    // Twice in a row: a single look may fall between two steps.
    while (same < 2 && performance.now() - since < SETTLE_TIMEOUT_MS) {
      await delay(1_000)
      const agree = await Promise.all(this.people.map((person) => this.#matchesBroker(person)))
      same = agree.every(Boolean) ? same + 1 : 0
    }
    this.#plan.print(`settled after ${((performance.now() - since) / 1000).toFixed(0)} s`)
  }

  async #matchesBroker(person: Person): Promise<boolean> {
    const { accountNumber } = person.credentials
    const [live, holdings] = [await this.broker.liveOrders(accountNumber), await this.broker.holdings(accountNumber)]
    const { orders, shares } = await person.position()
    const theirs = live.filter((order) => order.change === null).map((order) => order.odno)
    return (
      orders.length === theirs.length &&
      orders.every((odno) => theirs.includes(odno)) &&
      person.codes.every((code) => (holdings.find((one) => one.code === code)?.count ?? 0) === shares.get(code))
    )
  }

  /** A person's orders as the broker took them, without changes and cancellations. */
  async ordersOf({ credentials }: Person) {
    const events = await this.broker.events(credentials.accountNumber)
    return events.flatMap((event) => (event.kind === 'accepted' && event.order.change === null ? [event.order] : []))
  }

  /** When each order of these people was taken by the broker, epoch ms of this machine. */
  async ordersTaken(): Promise<number[]> {
    const orders = await Promise.all(this.people.map((person) => this.ordersOf(person)))
    return orders.flat().map(({ at }) => at)
  }

  /** Compares book, broker and journal; the server must have ended. Adds what it finds to `problems`. */
  audit(): Promise<Audit[]> {
    return this.withDatabase(async (db) => {
      const audits: Audit[] = []
      for (const person of this.people) {
        const truth = await this.broker.truth(person.credentials.accountNumber, CASH_WON)
        audits.push(await audit(db, person, truth))
        for (const life of this.livenessChecks) this.problems.push(...(await lateFills(db, person, truth.events, life)))
      }
      const { ok, lines } = await verifyAll(db)
      this.problems.push(...audits.flatMap((one) => one.problems), ...(ok ? [] : lines))
      return audits
    })
  }

  /** The tables as they are on disk; no server may run. */
  async withDatabase<T>(look: (db: Db) => Promise<T>): Promise<T> {
    const address = this.#env['DATABASE_URL']
    const databaseUrl = address === '' ? undefined : address
    const database = await openDatabase({ dataDir: String(this.#env['DATA_DIR']), databaseUrl })
    try {
      return await look(database.db)
    } finally {
      await database.close()
    }
  }
}
