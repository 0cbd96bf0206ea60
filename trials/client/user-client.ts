import type { Order, Stock, StockUpdate, Trade } from '@digger/contract'
import type { z } from 'zod'

export type SettingsUpdate = z.input<typeof StockUpdate>
export type StopLevel = 'active' | 'reduce' | 'halt'

export interface ApiReply {
  readonly status: number
  readonly text: string
}

/** What /health answers, and whether it says that trading can go on. */
export interface Health {
  readonly well: boolean
  readonly armed: number
  readonly mailbox: number
  readonly brokerQueue: number
  readonly brokerQueuePeak: number
  /** How long the oldest due order has been held up, ms. */
  readonly dueAge: number
  readonly cashQuestions: number
  readonly listsRead: number
  readonly troubles: readonly { code: string; text: string }[]
}

/** No reply, or none that says anything: the server was on its way out, so it may or may not have happened. */
export class NoReplyError extends Error {}

/** One person's browser at one server at a time: the product's HTTP calls with this person's cookies. */
export class UserClient {
  readonly #timeoutMs: number
  #base = ''
  #cookie: string
  /** Of the log-in; null: the session was begun before. */
  #password: string | null = null

  /** `cookie`: of a session that was begun before. */
  constructor(timeoutMs: number, cookie = '') {
    this.#timeoutMs = timeoutMs
    this.#cookie = cookie
  }

  /** As a browser would send it. */
  get cookie(): string {
    return this.#cookie
  }

  get base(): string {
    return this.#base
  }

  /** Cookies stay: a session outlives the process that gave it. */
  connectTo(base: string): void {
    this.#base = base
  }

  /** Throws `NoReplyError` when no reply comes in time. */
  async request(method: string, path: string, body?: object, timeoutMs = this.#timeoutMs): Promise<ApiReply> {
    const reply = await this.#send(method, path, body, timeoutMs)
    if (reply.status !== 403 || !reply.text.includes('"STEP_UP"') || this.#password === null) return reply
    // As the page does: it asks who it is, and sends the same once more.
    const proven = await this.#send('POST', '/api/user/step-up', { password: this.#password }, timeoutMs)
    return proven.status === 200 ? this.#send(method, path, body, timeoutMs) : reply
  }

  async #send(method: string, path: string, body: object | undefined, timeoutMs: number): Promise<ApiReply> {
    try {
      const reply = await fetch(this.#base + path, {
        method,
        headers: { cookie: this.#cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const cookies = reply.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
      if (cookies.length > 0) this.#cookie = cookies.join('; ')
      return { status: reply.status, text: await reply.text() }
    } catch (error) {
      throw new NoReplyError(`${method} ${path}`, { cause: error })
    }
  }

  /** Throws unless the call is answered with 200. */
  async json<T>(method: string, path: string, body?: object): Promise<T> {
    const { status, text } = await this.request(method, path, body)
    // BUSY of a database that is gone says, too, that nobody knows whether it was done.
    if (status >= 500 || status === 429) throw new NoReplyError(`${method} ${path}: ${status} ${text}`)
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`)
    return JSON.parse(text)
  }

  async logIn(email: string, password: string): Promise<{ userId: string }> {
    this.#password = password
    return this.json('POST', '/api/login', { email, password })
  }

  stock = (code: string): Promise<Stock> => this.json('GET', `/api/user/stock/${code}`)
  stocks = (): Promise<Stock[]> => this.json('GET', '/api/user/stock?showOnlyWatch=false')
  /** Live orders of the book only. */
  async orders(): Promise<Order[]> {
    const orders = await this.json<Order[]>('GET', '/api/user/kis/order')
    return orders.filter(({ foreign }) => !foreign)
  }
  /** Open ones, each with its target. */
  trades = (code: string): Promise<Trade[]> => this.json('GET', `/api/user/stock/${code}/trade`)
  stops = (): Promise<{ stocks: { code: string; stop: string }[] }> => this.json('GET', '/api/user/stop')

  saveSettings = (code: string, update: SettingsUpdate): Promise<ApiReply> =>
    this.request('POST', `/api/user/stock/${code}`, update)

  /** Saves the settings as they are now, with these changes. */
  async changeSettings(code: string, changes: Partial<SettingsUpdate>): Promise<void> {
    await this.json('POST', `/api/user/stock/${code}`, settingsWith(await this.stock(code), changes))
  }

  /** Sells all shares that are free, in so many orders. */
  sellAt = (code: string, price: number, slices: number): Promise<ApiReply> =>
    this.request('POST', `/api/user/stock/${code}/sell/price?sellPrice=${price}&sellCount=${slices}`)
  sellAtMarket = (code: string): Promise<ApiReply> => this.request('POST', `/api/user/stock/${code}/sell/market-price`)
  cancel = (orderId: string): Promise<ApiReply> => this.request('POST', `/api/user/balance/cancel/${orderId}`)

  /** When the price socket was last made; null before. */
  async connectedAt(): Promise<string | null> {
    const socket = await this.json<{ connected: boolean; connectedAt: string | null }>('GET', '/api/user/socket')
    return socket.connected ? socket.connectedAt : null
  }

  /** Null where no reply can be read. */
  async health(): Promise<Health | null> {
    try {
      const { status, text } = await this.request('GET', '/health')
      const health: Omit<Health, 'well'> & { ok: boolean } = JSON.parse(text)
      return { ...health, well: status === 200 && health.ok }
    } catch {
      return null
    }
  }

  /** How many stocks of everybody on this server stand still, by cause. */
  async stoppedStocks(): Promise<Record<string, number>> {
    const { text } = await this.request('GET', '/metrics')
    const found = [...text.matchAll(/^digger_stocks_stopped\{cause="(\w+)"\} (\d+)$/gm)]
    if (found.length === 0) throw new Error(`/metrics says nothing of stocks that stopped: ${text.slice(0, 200)}`)
    return Object.fromEntries(found.map(([, cause = '', count]) => [cause, Number(count)]))
  }

  /** How many orders of everybody on this server have no verdict. */
  async unknownOrders(): Promise<number> {
    const { text } = await this.request('GET', '/metrics')
    const count = /^digger_unknown (\d+)$/m.exec(text)?.[1]
    if (count === undefined) throw new Error(`/metrics says nothing of orders without a verdict: ${text.slice(0, 200)}`)
    return Number(count)
  }
}

/** The body that saves a stock's settings as they are, with these changes. */
export const settingsWith = (stock: Stock, changes: Partial<SettingsUpdate>): SettingsUpdate => ({
  version: stock.version,
  maxBuyPrice: stock.maxBuyPrice,
  maxBuyAmount: stock.maxBuyAmount,
  buyUnitPrice: stock.buyUnitPrice,
  lastBuyPrice: stock.lastBuyPrice,
  recoverLastBuyPrice: stock.recoverLastBuyPrice,
  autoBuy: stock.autoBuy,
  buyPercent: stock.buyPercent,
  autoSell: stock.autoSell,
  sellPercent: stock.sellPercent,
  useMinSellPrice: stock.useMinSellPrice,
  minSellPrice: stock.minSellPrice,
  autoSellWithAvgPrice: stock.autoSellWithAvgPrice,
  ...changes,
})
