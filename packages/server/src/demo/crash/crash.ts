import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { demoCredentials } from '@digger/kis-sim'
import { openDatabase } from '../../db/open.ts'
import { generator } from '../history.ts'
import { audit, type Audit } from './audit.ts'
import { BrokerHands } from './broker.ts'
import { Child } from './child.ts'
import { Person } from './person.ts'

export interface CrashPlan {
  readonly kills: number
  /** Graceful ends after the kills. */
  readonly terms: number
  readonly seed: number
  /** A new, empty folder. */
  readonly folder: string
  readonly say: (line: string) => void
}

export interface CrashResult {
  readonly problems: readonly string[]
  readonly audits: readonly Audit[]
  readonly acknowledged: number
  readonly killedEarly: number
  /** From the start of the process until every account may trade again, ms. */
  readonly armedMs: readonly number[]
}

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))
const MARKET = fileURLToPath(new URL('market.ts', import.meta.url))
const CASH_WON = 100_000_000
const CODES = ['005930', '000660', '035720', '005380', '069500', '247540', '035420', '000270']
const STOCKS_EACH = 4
/** Every fifth kill strikes while the server starts, at most this late, ms. */
const EARLY_MS = 4_000
/** Longest time at work before a kill, ms. */
const WORK_MS = 10_000
const PAUSE_MS = 150
const ARM_PATIENCE_MS = 120_000
const SETTLE_PATIENCE_MS = 150_000

/** Kills the server at random moments while it trades through a broker with faults, and says what broke. */
export async function crash(plan: CrashPlan): Promise<CrashResult> {
  mkdirSync(plan.folder, { recursive: true })
  const market = new Child(MARKET, [String(plan.seed)], {}, join(plan.folder, 'market.log'))
  const line = await market.printed(/\{.*\}/)
  if (line === null) throw new Error(`the pretend broker did not start: ${plan.folder}/market.log`)
  const { url, wsUrl }: { url: string; wsUrl: string } = JSON.parse(line[0])
  try {
    return await new Run(plan, url, wsUrl).whole()
  } finally {
    await market.end('SIGTERM')
  }
}

class Run {
  readonly #plan: CrashPlan
  readonly #env: NodeJS.ProcessEnv
  readonly #broker: BrokerHands
  readonly #draw: () => number
  readonly #people: readonly Person[]
  readonly #problems: string[] = []
  readonly #armedMs: number[] = []
  #killedEarly = 0

  constructor(plan: CrashPlan, url: string, wsUrl: string) {
    this.#plan = plan
    this.#broker = new BrokerHands(url)
    this.#draw = generator(plan.seed)
    this.#env = {
      DATA_DIR: join(plan.folder, 'data'),
      PORT: '0',
      LOG_LEVEL: 'warn',
      KIS_ENV: 'sim',
      KIS_REST_URL: url,
      KIS_WS_URL: wsUrl,
      DATABASE_URL: '',
      MASTER_KEY_FILE: '',
    }
    this.#people = [0, 1].map(
      (n) =>
        new Person(
          `crash${n}@example.com`,
          demoCredentials(n),
          CODES.slice(n * STOCKS_EACH, (n + 1) * STOCKS_EACH),
          this.#draw,
        ),
    )
  }

  async whole(): Promise<CrashResult> {
    const { kills, terms, say } = this.#plan
    for (let n = 0; n <= kills + terms; n += 1) {
      const server = new Child(MAIN, [], this.#env, join(this.#plan.folder, 'server.log'))
      const last = n === kills + terms
      const how = n < kills ? 'SIGKILL' : 'SIGTERM'
      if (n > 0 && how === 'SIGKILL' && this.#draw() < 0.2) {
        await delay(this.#draw() * EARLY_MS)
        await server.end('SIGKILL')
        this.#killedEarly += 1
        continue
      }
      const before = performance.now()
      await this.#open(server)
      if (n === 0) await this.#begin()
      else await this.#promisesKept()
      if (this.#draw() < 0.8 || last) await this.#armed(server, before)
      if (last) await this.#calm()
      else await this.#work(this.#draw() * WORK_MS)
      const code = await server.end(how)
      if (how === 'SIGTERM' && code !== 0) this.#problems.push(`asked to end, the server left with ${code}`)
      say(`${n + 1}/${kills + terms + 1} ${how}, ${this.#problems.length} problems so far`)
    }
    return this.#judge()
  }

  async #open(server: Child): Promise<void> {
    const address = await server.printed(/http:\/\/127\.0\.0\.1:\d+/)
    if (address === null) throw new Error(`the server did not start: ${this.#plan.folder}/server.log`)
    for (const person of this.#people) person.at(address[0])
  }

  async #begin(): Promise<void> {
    const prices = await this.#broker.prices()
    for (const person of this.#people) await person.join(prices)
    const some = { probability: 0.04 }
    for (const endpoint of ['orderBuy', 'orderSell', 'orderRevise']) {
      await this.#broker.addFault('loseReply', { ...some, endpoint })
      await this.#broker.addFault('loseRequest', { ...some, endpoint })
      await this.#broker.addFault('broken', { ...some, endpoint, carriedOut: true })
      await this.#broker.addFault('delay', { ...some, endpoint, ms: 1_500 })
    }
    await this.#broker.addFault('dropNotice', { probability: 0.1 })
    await this.#broker.addFault('duplicateNotice', { probability: 0.05 })
    await this.#broker.addFault('broken', { probability: 0.02, endpoint: 'executions' })
    await this.#broker.addFault('cut', { probability: 0.0005 })
  }

  async #promisesKept(): Promise<void> {
    for (const person of this.#people) this.#problems.push(...(await person.broken()))
  }

  /** Waits until every account may trade again. */
  async #armed(server: Child, since: number): Promise<void> {
    while (performance.now() - since < ARM_PATIENCE_MS) {
      const { armed } = (await this.#people[0]?.health()) ?? { armed: 0 }
      if (armed >= this.#people.length) return void this.#armedMs.push(performance.now() - since)
      if (server.ended) break
      await delay(50)
    }
    this.#problems.push('an account was not armed in time')
  }

  async #work(ms: number): Promise<void> {
    const until = performance.now() + ms
    const works = async (person: Person): Promise<void> => {
      while (performance.now() < until) {
        await Promise.race([person.act(), delay(Math.max(0, until - performance.now()))])
        await delay(Math.min(PAUSE_MS, Math.max(0, until - performance.now())))
      }
    }
    await Promise.all(this.#people.map(works))
  }

  /** Faults over, prices still: book and broker must come to name the same orders and shares. */
  async #calm(): Promise<void> {
    await this.#broker.clearFaults()
    await this.#broker.halt(CODES)
    const since = performance.now()
    let same = 0
    // Twice in a row: a single look may fall between two steps.
    while (same < 2 && performance.now() - since < SETTLE_PATIENCE_MS) {
      await delay(1_000)
      const agree = await Promise.all(this.#people.map((person) => this.#agrees(person)))
      same = agree.every(Boolean) ? same + 1 : 0
    }
    this.#plan.say(`settled after ${((performance.now() - since) / 1000).toFixed(0)} s`)
  }

  async #agrees(person: Person): Promise<boolean> {
    const { accountNumber } = person.credentials
    const [live, holdings] = [await this.#broker.liveOrders(accountNumber), await this.#broker.holdings(accountNumber)]
    const { orders, shares } = await person.position()
    const theirs = live.filter((order) => order.change === null).map((order) => order.odno)
    return (
      orders.length === theirs.length &&
      orders.every((odno) => theirs.includes(odno)) &&
      person.codes.every((code) => (holdings.find((one) => one.code === code)?.count ?? 0) === shares.get(code))
    )
  }

  async #judge(): Promise<CrashResult> {
    const database = await openDatabase({ dataDir: String(this.#env['DATA_DIR']) })
    try {
      const audits: Audit[] = []
      for (const person of this.#people) {
        const truth = await this.#broker.truth(person.credentials.accountNumber, CASH_WON)
        audits.push(await audit(database.db, person, truth))
      }
      const acknowledged = this.#people.reduce((sum, person) => sum + person.acknowledged, 0)
      const problems = [...this.#problems, ...audits.flatMap((one) => one.problems)]
      return { problems, audits, acknowledged, killedEarly: this.#killedEarly, armedMs: this.#armedMs }
    } finally {
      await database.close()
    }
  }
}
