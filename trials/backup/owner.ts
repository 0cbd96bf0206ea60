import { setTimeout as delay } from 'node:timers/promises'
import { PASSWORD, type Person } from '../crash/person.ts'
import type { Stage } from '../crash/stage.ts'

interface Stops {
  readonly server: string
  readonly serverReason: string | null
  readonly otherServer: { readonly text: string } | null
}

const AGREE_TIMEOUT_MS = 120_000
/** As many orders show that an account trades. */
const MIN_ORDERS = 2
const TRADES_TIMEOUT_MS = 180_000
const END_TIMEOUT_MS = 120_000

/** Somebody whose account was put back: what they see, and what they press. */
export class Owner {
  readonly email: string
  /** When the book of a stock was corrected, by code. */
  readonly fixedAt = new Map<string, number[]>()
  readonly #person: Person
  readonly #stage: Stage
  readonly #lookMs: number

  constructor(person: Person, stage: Stage, lookMs: number) {
    this.#lookMs = lookMs
    this.#person = person
    this.#stage = stage
    this.email = person.email
  }

  get #client() {
    return this.#person.client
  }

  /** Sessions of before open nothing. */
  async logInAnew(): Promise<string[]> {
    const { status } = await this.#client.request('GET', '/api/user/stop')
    await this.#client.logIn(this.email, PASSWORD)
    return status === 401 ? [] : [`${this.email}: a session of before was answered with ${status}`]
  }

  async checkHalted(): Promise<string[]> {
    const { server, serverReason, otherServer } = await this.#client.json<Stops>('GET', '/api/user/stop')
    const isHalted = server === 'halt' && serverReason?.startsWith('백업에서 되살린') === true
    const asks = otherServer?.text.includes('백업에서 되살린') === true
    return isHalted && asks
      ? []
      : [`${this.email}: not halted and asking: ${JSON.stringify({ server, serverReason, otherServer })}`]
  }

  letServerGoOn = (): Promise<void> => this.#person.setStop('server', '', 'active')

  /** Whether the account goes on at this press. */
  async mayGoOn(): Promise<boolean> {
    const { status } = await this.#client.request('POST', '/api/user/other-server/dismiss')
    const { otherServer } = await this.#client.json<Stops>('GET', '/api/user/stop')
    return status === 200 && otherServer === null
  }

  /** Presses until it is taken: what was traded lately has to be read first. */
  async agree(): Promise<string[]> {
    const began = performance.now()
    while (performance.now() - began < AGREE_TIMEOUT_MS) {
      await this.#applyWhereAsked()
      if (await this.mayGoOn()) return []
      await delay(this.#lookMs)
    }
    const { text } = await this.#client.request('POST', '/api/user/other-server/dismiss')
    return [`${this.email}: could not go on within ${AGREE_TIMEOUT_MS / 1_000} s: ${text}`]
  }

  /** An order that was on its way when the backup was taken may be one of several alike: only its person ends that doubt. */
  async #applyWhereAsked(): Promise<void> {
    for (const code of this.#person.codes) {
      const { blocked } = await this.#client.stock(code)
      if (blocked?.includes('주문 적용') === true)
        await this.#client.request('POST', `/api/user/stock/${code}/order/apply`)
    }
  }

  /** Stocks that say that book and broker differ are corrected, again where an order of before fills afterwards. */
  async #correct(): Promise<number> {
    let differing = 0
    for (const code of this.#person.codes) {
      const { blocked } = await this.#client.stock(code)
      if (blocked === null) continue
      differing += 1
      // The very decision that corrects may make the next order.
      const asked = Date.now()
      const { status } = await this.#client.request('POST', `/api/user/stock/${code}/fix-balance`)
      // One that waits for another press says so.
      if (status !== 200) await this.#client.request('POST', `/api/user/stock/${code}/order/apply`)
      else this.fixedAt.set(code, [...(this.fixedAt.get(code) ?? []), asked])
    }
    return differing
  }

  /** Prices at which the settings buy: where they drift up by chance nothing is due. */
  async tempt(): Promise<void> {
    for (const code of this.#person.codes) {
      const { nextBuyPrice } = await this.#client.stock(code)
      // One beyond the day's limits asks for nothing.
      if (nextBuyPrice !== null) await this.#stage.broker.setPrice(code, nextBuyPrice).catch(() => undefined)
    }
  }

  /**
   * Orders that the server of before has taken back look like a person's own cancellation, which is not made again that day, and some
   * stocks were stopped by their person before the backup.
   */
  async #letStocksGoOn(): Promise<string[]> {
    const problems: string[] = []
    for (const code of this.#person.codes) {
      await this.#person.setStop('stock', code, 'active')
      const { status, text } = await this.#client.request('POST', `/api/user/stock/${code}/order/apply`)
      if (status !== 200) problems.push(`${this.email}: orders of ${code} could not be made anew: ${text}`)
    }
    return problems
  }

  async correctUntilItTrades(): Promise<string[]> {
    const before = (await this.#stage.ordersOf(this.#person)).length
    await this.#correct()
    const problems = await this.#letStocksGoOn()
    const began = performance.now()
    let count = 0
    while (performance.now() - began < TRADES_TIMEOUT_MS) {
      await this.#correct()
      await this.tempt()
      count = (await this.#stage.ordersOf(this.#person)).length - before
      if (count >= MIN_ORDERS) return problems
      await delay(this.#lookMs)
    }
    return [
      ...problems,
      `${this.email}: ${count} orders within ${TRADES_TIMEOUT_MS / 1_000} s after everything was agreed`,
    ]
  }

  /** While nothing trades any more: until no stock differs, by what the broker says now and not when it was last read. */
  async correctToTheEnd(): Promise<void> {
    const began = performance.now()
    let same = 0
    while (same < 2 && performance.now() - began < END_TIMEOUT_MS) {
      const isRead = await this.#compareAnew()
      const differing = await this.#correct()
      same = isRead && differing === 0 ? same + 1 : 0
      if (same < 2) await delay(this.#lookMs)
    }
  }

  /** A look at one stock compares all. False: the broker could not be read just now. */
  async #compareAnew(): Promise<boolean> {
    const { status } = await this.#client.request('POST', `/api/user/stock/${this.#person.codes[0]}/check-balance`)
    return status === 200
  }
}
