import type { Order, Stock, StockUpdate } from '@digger/contract'
import type { KisCredentials } from '@digger/kis'
import type { z } from 'zod'

type Update = z.input<typeof StockUpdate>

/** What a person asked for and was told is done, against what may or may not have been done: no reply came. */
interface Word {
  done: string | null
  /** By the address of the server that was asked. */
  readonly maybe: Map<string, string>
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

/** No reply, or none that says anything: the server was on its way out, so it may or may not have happened. */
class NoReply extends Error {}

/** Of everybody on this stage. */
export const PASSWORD = 'digger-crash-test'

const PATIENCE_MS = 20_000
const AT_FIRST: Update = {
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
  readonly credentials: KisCredentials
  readonly codes: readonly string[]
  readonly sales: ConfirmedSale[] = []
  acknowledged = 0
  /** Set by whoever sets the server's clock wrong, ms ahead. */
  clockOff = 0
  readonly #email: string
  readonly #draw: () => number
  readonly #words = new Map<string, Word>()
  #base = ''
  #cookie = ''
  readonly #handsOff = new Set<string>()
  #changes = 0
  #acting: Promise<void> | null = null

  constructor(email: string, credentials: KisCredentials, codes: readonly string[], draw: () => number) {
    this.#email = email
    this.credentials = credentials
    this.codes = codes
    this.#draw = draw
  }

  get email(): string {
    return this.#email
  }

  at(base: string): void {
    this.#base = base
  }

  /** Sign-up, log-in and the first settings; on a server that answers. */
  async join(prices: Readonly<Record<string, number>>): Promise<void> {
    const who = { email: this.#email, password: PASSWORD }
    await this.#must('POST', '/api/user/user', { ...who, ...this.credentials })
    await this.#must('POST', '/api/login', who)
    for (const [n, code] of this.codes.entries()) {
      const maxBuyPrice = Math.round((prices[code] ?? 0) * 1.2)
      const first = { ...AT_FIRST, maxBuyPrice, autoSellWithAvgPrice: n === this.codes.length - 1 }
      await this.#must('POST', `/api/user/stock/${code}`, first)
    }
  }

  /** One random thing, after the one before it is answered: what came first must be certain. The server may die meanwhile. */
  act(): Promise<void> {
    this.#acting ??= this.#actOnce().finally(() => {
      this.#acting = null
    })
    return this.#acting
  }

  async #actOnce(): Promise<void> {
    const code = this.codes[Math.floor(this.#draw() * this.codes.length)] ?? ''
    const what = this.#draw()
    try {
      if (what < 0.45) await this.#changeSettings(code)
      else if (what < 0.7) await this.#stop(code)
      else await this.#sell(code, what < 0.85)
    } catch (error) {
      if (!(error instanceof NoReply)) throw error
    }
  }

  /** What was promised and is not there any more, one line each. */
  async broken(): Promise<string[]> {
    const stops = await this.#must<{ stocks: { code: string; stop: string }[] }>('GET', '/api/user/stop')
    const problems: string[] = []
    for (const code of this.codes) {
      const stock = await this.#must<Stock>('GET', `/api/user/stock/${code}`)
      const found = { settings: String(stock.maxBuyAmount), stop: stops.stocks.find((one) => one.code === code)?.stop }
      for (const kind of ['settings', 'stop'] as const)
        problems.push(...this.#holds(`${kind} ${code}`, found[kind] ?? ''))
    }
    return problems
  }

  /** What this person's book holds: broker numbers of live orders, and shares per stock. */
  async position(): Promise<{ orders: string[]; shares: Map<string, number> }> {
    const orders = await this.#must<Order[]>('GET', '/api/user/kis/order')
    const stocks = await this.#must<Stock[]>('GET', '/api/user/stock?showOnlyWatch=false')
    return {
      orders: orders.map((order) => order.orderId),
      shares: new Map(stocks.map(({ code, remainCount }) => [code, remainCount])),
    }
  }

  /** When the socket was last made; null before. */
  async connectedAt(): Promise<string | null> {
    const socket = await this.#must<{ connected: boolean; connectedAt: string | null }>('GET', '/api/user/socket')
    return socket.connected ? socket.connectedAt : null
  }

  /** What the server says of itself, well or not. */
  async health(): Promise<{ armed: number; queue: number; queuePeak: number }> {
    const { text } = await this.#ask('GET', '/health')
    const { armed, mailbox, brokerQueue, brokerQueuePeak } = JSON.parse(text)
    return { armed, queue: mailbox + brokerQueue, queuePeak: brokerQueuePeak }
  }

  /** Orders without a verdict, of everybody on this server. */
  async unknownOrders(): Promise<number> {
    const { text } = await this.#ask('GET', '/metrics')
    const count = /^digger_unknown (\d+)$/m.exec(text)?.[1]
    if (count === undefined) throw new Error(`/metrics says nothing of orders without a verdict: ${text.slice(0, 200)}`)
    return Number(count)
  }

  card = (code: string): Promise<Stock> => this.#must('GET', `/api/user/stock/${code}`)

  #holds(subject: string, found: string): string[] {
    const word = this.#word(subject)
    if (word.done === null && word.maybe.size === 0) return []
    const kept = found === word.done || word.maybe.has(found) || word.done === null
    // A server that is gone will not do it any more; one that runs may still be at it.
    for (const [value, asked] of word.maybe) if (asked !== this.#base) word.maybe.delete(value)
    const problem = `${this.#email}: ${subject} was confirmed as ${word.done}, now it is ${found}`
    word.done = found
    return kept ? [] : [problem]
  }

  async #changeSettings(code: string): Promise<void> {
    const stock = await this.#must<Stock>('GET', `/api/user/stock/${code}`)
    const { version, maxBuyPrice, buyUnitPrice, lastBuyPrice, recoverLastBuyPrice, buyPercent, sellPercent } = stock
    const { autoBuy, autoSell, useMinSellPrice, minSellPrice, autoSellWithAvgPrice } = stock
    const maxBuyAmount = 3_000_000 + ++this.#changes
    const body: Update = {
      version,
      maxBuyPrice,
      maxBuyAmount,
      buyUnitPrice,
      lastBuyPrice,
      recoverLastBuyPrice,
      buyPercent,
      sellPercent,
      autoBuy,
      autoSell,
      useMinSellPrice,
      minSellPrice,
      autoSellWithAvgPrice,
    }
    await this.#promise(`settings ${code}`, String(maxBuyAmount), 'POST', `/api/user/stock/${code}`, body)
  }

  /** On purpose, and for as long as it is wanted: the random ones leave this stock alone from now on. */
  async setStop(level: 'stock' | 'user' | 'server', code: string, stop: 'active' | 'reduce' | 'halt'): Promise<void> {
    if (level === 'stock') this.#handsOff.add(code)
    await this.#acting
    await this.#must('POST', '/api/user/stop', level === 'stock' ? { level, code, stop } : { level, stop })
    if (level !== 'stock') return
    const word = this.#word(`stop ${code}`)
    word.done = stop
    word.maybe.clear()
  }

  async #stop(code: string): Promise<void> {
    if (this.#handsOff.has(code)) return
    const stop = this.#draw() < 0.15 ? 'reduce' : 'active'
    await this.#promise(`stop ${code}`, stop, 'POST', '/api/user/stop', { level: 'stock', code, stop })
  }

  /** All shares of a stock at once, or resting high above the price. */
  async #sell(code: string, atMarket: boolean): Promise<void> {
    const from = Date.now()
    const { price, remainCount } = await this.#must<Stock>('GET', `/api/user/stock/${code}`)
    if (price === null || remainCount === 0) return
    // The tick above 500,000 won is 1,000: a price that fits every band of the table.
    const high = Math.ceil((price * 1.02) / 1_000) * 1_000
    const path = atMarket ? 'sell/market-price' : `sell/price?sellPrice=${high}&sellCount=1`
    const { status } = await this.#ask('POST', `/api/user/stock/${code}/${path}`)
    if (status !== 200) return
    this.acknowledged += 1
    this.sales.push({ code, price: atMarket ? 0 : high, from, to: Date.now(), clockOff: this.clockOff })
  }

  async #promise(subject: string, value: string, method: string, path: string, body: object): Promise<void> {
    const word = this.#word(subject)
    word.maybe.set(value, this.#base)
    const { status } = await this.#ask(method, path, body)
    if (status >= 500) return
    word.maybe.delete(value)
    if (status !== 200) return
    this.acknowledged += 1
    word.done = value
    word.maybe.clear()
  }

  #word(subject: string): Word {
    const word = this.#words.get(subject) ?? { done: null, maybe: new Map() }
    this.#words.set(subject, word)
    return word
  }

  async #must<T>(method: string, path: string, body?: object): Promise<T> {
    const { status, text } = await this.#ask(method, path, body)
    if (status >= 500) throw new NoReply(`${method} ${path}: ${status} ${text}`)
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`)
    return JSON.parse(text)
  }

  async #ask(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
    try {
      const reply = await fetch(this.#base + path, {
        method,
        headers: { cookie: this.#cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const cookies = reply.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
      if (cookies.length > 0) this.#cookie = cookies.join('; ')
      return { status: reply.status, text: await reply.text() }
    } catch (error) {
      throw new NoReply(`${method} ${path}`, { cause: error })
    }
  }
}
