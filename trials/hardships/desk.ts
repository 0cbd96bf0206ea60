import type { Order, Stock, StockUpdate } from '@digger/contract'
import type { z } from 'zod'
import type { Child } from '../crash/child.ts'
import { PASSWORD, type Person } from '../crash/person.ts'
import type { Stage } from '../crash/stage.ts'

type Update = z.input<typeof StockUpdate>

export interface Said {
  readonly status: number
  readonly text: string
}

/** A database that is gone may hold a reply back for long, ms. */
const PATIENCE_MS = 40_000

/** A second browser of a person, for exact calls beside the random ones. */
export class Desk {
  readonly person: Person
  readonly #base: string
  #cookie = ''

  private constructor(person: Person, base: string) {
    this.person = person
    this.#base = base
  }

  static async of(person: Person, server: Child): Promise<Desk> {
    const address = await server.printed(/http:\/\/127\.0\.0\.1:\d+/)
    if (address === null) throw new Error('the server is gone')
    const desk = new Desk(person, address[0])
    await desk.#must('POST', '/api/login', { email: person.email, password: PASSWORD })
    return desk
  }

  stock = (code: string): Promise<Stock> => this.#must('GET', `/api/user/stock/${code}`)
  /** Live ones. */
  orders = (): Promise<Order[]> => this.#must('GET', '/api/user/kis/order')

  async change(code: string, changed: Partial<Update>): Promise<void> {
    const now = await this.stock(code)
    const body: Update = {
      version: now.version,
      maxBuyPrice: now.maxBuyPrice,
      maxBuyAmount: now.maxBuyAmount,
      buyUnitPrice: now.buyUnitPrice,
      lastBuyPrice: now.lastBuyPrice,
      recoverLastBuyPrice: now.recoverLastBuyPrice,
      autoBuy: now.autoBuy,
      buyPercent: now.buyPercent,
      autoSell: now.autoSell,
      sellPercent: now.sellPercent,
      useMinSellPrice: now.useMinSellPrice,
      minSellPrice: now.minSellPrice,
      autoSellWithAvgPrice: now.autoSellWithAvgPrice,
      ...changed,
    }
    await this.#must('POST', `/api/user/stock/${code}`, body)
  }

  /** All shares that are free, in so many orders. */
  sellAt = (code: string, price: number, slices: number): Promise<Said> =>
    this.ask('POST', `/api/user/stock/${code}/sell/price?sellPrice=${price}&sellCount=${slices}`)
  cancel = (orderId: string): Promise<Said> => this.ask('POST', `/api/user/balance/cancel/${orderId}`)

  /** `well`: it says that trading can go on. No reply is no good word either. */
  async health(): Promise<{ readonly well: boolean; readonly armed: number }> {
    const { status, text } = await this.ask('GET', '/health').catch(() => ({ status: 0, text: '{}' }))
    const { ok, armed }: { ok?: boolean; armed?: number } = JSON.parse(text)
    return { well: status === 200 && ok === true, armed: armed ?? 0 }
  }

  async ask(method: string, path: string, body?: object): Promise<Said> {
    const reply = await fetch(this.#base + path, {
      method,
      headers: { cookie: this.#cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const cookies = reply.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    if (cookies.length > 0) this.#cookie = cookies.join('; ')
    return { status: reply.status, text: await reply.text() }
  }

  async #must<T>(method: string, path: string, body?: object): Promise<T> {
    const { status, text } = await this.ask(method, path, body)
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`)
    return JSON.parse(text)
  }
}

export const desksOf = (stage: Stage, server: Child): Promise<Desk[]> =>
  Promise.all(stage.people.map((person) => Desk.of(person, server)))
