import type { KisCredentials } from '@digger/kis'
import { NoReplyError, settingsWith, UserClient, type ApiReply, type SettingsUpdate } from '../client/user-client.ts'
import type { StopLevel } from '../client/user-client.ts'

/** What the server has confirmed about one subject, and what it may or may not have done because no reply came. */
interface Promised {
  confirmed: string | null
  /** Each value asked for, with the address of the server that was asked. */
  readonly possible: Map<string, string>
}

/** A sale a person ordered and the server confirmed. */
export interface ConfirmedSale {
  readonly code: string
  readonly price: number
  readonly from: number
  readonly to: number
  /** By how much the server's clock may have been ahead of ours, ms. */
  readonly clockOff: number
}

/** Everybody on the stage has this password. */
export const PASSWORD = 'digger-crash-test'

const REQUEST_TIMEOUT_MS = 20_000
export const INITIAL_SETTINGS: SettingsUpdate = {
  maxBuyPrice: 0,
  maxBuyAmount: 3_000_000,
  buyUnitPrice: 300_000,
  lastBuyPrice: null,
  recoverLastBuyPrice: true,
  autoBuy: true,
  buyPercent: -0.1,
  autoSell: true,
  sellPercent: 0.1,
  useMinSellPrice: false,
  minSellPrice: null,
  autoSellWithAvgPrice: false,
}

/** A user at work: keeps changing settings, stopping and selling through the API, and remembers every promise made. */
export class Person {
  readonly email: string
  readonly credentials: KisCredentials
  readonly codes: readonly string[]
  readonly client = new UserClient(REQUEST_TIMEOUT_MS)
  readonly sales: ConfirmedSale[] = []
  acknowledged = 0
  /** Set by whoever sets the server's clock wrong, ms ahead. */
  clockOff = 0
  readonly #draw: () => number
  readonly #promises = new Map<string, Promised>()
  /** Stocks whose stop was set on purpose. */
  readonly #fixedStops = new Set<string>()
  #changes = 0
  #acting: Promise<void> | null = null

  constructor(email: string, credentials: KisCredentials, codes: readonly string[], draw: () => number) {
    this.email = email
    this.credentials = credentials
    this.codes = codes
    this.#draw = draw
  }

  /** Sign-up, log-in and the first settings; on a server that answers. */
  async join(prices: Readonly<Record<string, number>>): Promise<void> {
    const account = { email: this.email, password: PASSWORD, ...this.credentials }
    await this.client.json('POST', '/api/user/user', account)
    await this.client.logIn(this.email, PASSWORD)
    for (const [n, code] of this.codes.entries()) {
      const maxBuyPrice = Math.round((prices[code] ?? 0) * 1.2)
      const settings = { ...INITIAL_SETTINGS, maxBuyPrice, autoSellWithAvgPrice: n === this.codes.length - 1 }
      await this.client.json('POST', `/api/user/stock/${code}`, settings)
    }
  }

  /** One random action, after the one before it is answered: what came first must be certain. The server may die meanwhile. */
  act(): Promise<void> {
    this.#acting ??= this.#actOnce().finally(() => {
      this.#acting = null
    })
    return this.#acting
  }

  async #actOnce(): Promise<void> {
    const code = this.codes[Math.floor(this.#draw() * this.codes.length)] ?? ''
    const choice = this.#draw()
    try {
      if (choice < 0.45) await this.#changeSettings(code)
      else if (choice < 0.7) await this.#stop(code)
      else await this.#sell(code, choice < 0.85)
    } catch (error) {
      if (!(error instanceof NoReplyError)) throw error
    }
  }

  /** What was promised and is not there any more, one line each. */
  async brokenPromises(): Promise<string[]> {
    const stops = await this.client.stops()
    const problems: string[] = []
    for (const code of this.codes) {
      const { maxBuyAmount } = await this.client.stock(code)
      const found = { settings: String(maxBuyAmount), stop: stops.stocks.find((one) => one.code === code)?.stop }
      for (const kind of ['settings', 'stop'] as const)
        problems.push(...this.#compare(`${kind} ${code}`, found[kind] ?? ''))
    }
    return problems
  }

  /** What this person's book holds: broker numbers of live orders, and shares per stock. */
  async position(): Promise<{ orders: string[]; shares: Map<string, number> }> {
    const [orders, stocks] = [await this.client.orders(), await this.client.stocks()]
    return {
      orders: orders.map((order) => order.orderId),
      shares: new Map(stocks.map(({ code, remainCount }) => [code, remainCount])),
    }
  }

  /** Sets a stop on purpose, for as long as it is wanted: the random actions leave this stock's stop alone from now on. */
  async setStop(level: 'stock' | 'user' | 'server', code: string, stop: StopLevel): Promise<void> {
    if (level === 'stock') this.#fixedStops.add(code)
    await this.#acting
    await this.client.json('POST', '/api/user/stop', level === 'stock' ? { level, code, stop } : { level, stop })
    if (level !== 'stock') return
    const promised = this.#promised(`stop ${code}`)
    promised.confirmed = stop
    promised.possible.clear()
  }

  #compare(subject: string, found: string): string[] {
    const promised = this.#promised(subject)
    const { confirmed, possible } = promised
    if (confirmed === null && possible.size === 0) return []
    const holds = found === confirmed || possible.has(found) || confirmed === null
    // A server that is gone will not do it any more; one that runs may still be at it.
    for (const [value, asked] of possible) if (asked !== this.client.base) possible.delete(value)
    promised.confirmed = found
    return holds ? [] : [`${this.email}: ${subject} was confirmed as ${confirmed}, now it is ${found}`]
  }

  async #changeSettings(code: string): Promise<void> {
    const stock = await this.client.stock(code)
    const maxBuyAmount = 3_000_000 + ++this.#changes
    const update = settingsWith(stock, { maxBuyAmount })
    await this.#ask(`settings ${code}`, String(maxBuyAmount), () => this.client.saveSettings(code, update))
  }

  async #stop(code: string): Promise<void> {
    if (this.#fixedStops.has(code)) return
    const stop = this.#draw() < 0.15 ? 'reduce' : 'active'
    const body = { level: 'stock', code, stop }
    await this.#ask(`stop ${code}`, stop, () => this.client.request('POST', '/api/user/stop', body))
  }

  /** Sells all shares of a stock at once, or lets them rest high above the price. */
  async #sell(code: string, atMarket: boolean): Promise<void> {
    const from = Date.now()
    const { price, remainCount } = await this.client.stock(code)
    if (price === null || remainCount === 0) return
    // The tick above 500,000 won is 1,000: a price that fits every band of the table.
    const high = Math.ceil((price * 1.02) / 1_000) * 1_000
    const { status } = await (atMarket ? this.client.sellAtMarket(code) : this.client.sellAt(code, high, 1))
    if (status !== 200) return
    this.acknowledged += 1
    this.sales.push({ code, price: atMarket ? 0 : high, from, to: Date.now(), clockOff: this.clockOff })
  }

  async #ask(subject: string, value: string, send: () => Promise<ApiReply>): Promise<void> {
    const promised = this.#promised(subject)
    promised.possible.set(value, this.client.base)
    const { status } = await send()
    if (status >= 500) return
    promised.possible.delete(value)
    if (status !== 200) return
    this.acknowledged += 1
    promised.confirmed = value
    promised.possible.clear()
  }

  #promised(subject: string): Promised {
    const promised = this.#promises.get(subject) ?? { confirmed: null, possible: new Map() }
    this.#promises.set(subject, promised)
    return promised
  }
}
