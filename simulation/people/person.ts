import type { Order, Shadow, ShadowStock, Stock, Trade } from '@digger/contract'
import type { Dispatcher } from 'undici'
import { Pool } from '../product.ts'
import { ANSWER_TIMEOUT_MS, newBrowser } from './browser.ts'
import { LiveStream } from './stream.ts'
import { PORTS, type Stage } from '../stage.ts'
import { ACCOUNTS, emailOf, PASSWORD } from '../template.ts'

export interface Answer {
  /** 0: no answer came. */
  readonly status: number
  readonly text: string
}

/** What somebody asked of the server, and what came of it. */
export interface Asked {
  readonly person: number
  readonly method: string
  readonly path: string
  readonly body: object | null
  readonly server: string
  /** Ms since the start of the run. */
  readonly at: number
  answeredAt: number | null
  answer: Answer | null
}

/** Who looks at what people ask, and at what they are told. */
export interface Witness {
  /** Just before it leaves. */
  asks(one: Asked): void
  /** What it throws ends the run. */
  answered(one: Asked): void
}

/** One person with a browser and a session; the browser asks whichever server it is sent to. */
export class Person {
  readonly index: number
  readonly email: string
  readonly account: string
  readonly codes: readonly string[]
  readonly asked: Asked[] = []
  userId = ''
  witness: Witness | null = null
  /** The page that one person leaves open all day. */
  live: LiveStream | null = null
  readonly #stage: Stage
  readonly #pools = new Map<string, Dispatcher>()
  #cookie = ''
  /** While a browser logs in its page asks nothing else: what left with the old cookie would find its session ended. */
  #loggingIn: Promise<Answer> | null = null

  constructor(stage: Stage, index: number) {
    this.#stage = stage
    this.index = index
    this.email = emailOf(index)
    this.account = ACCOUNTS[index]?.credentials.accountNumber ?? ''
    this.codes = stage.plan.accounts[index]?.stocks.map(({ code }) => code) ?? []
  }

  /** Whom the browser is sent to at the moment. */
  get server(): string {
    return this.#stage.active
  }

  async ask(method: 'GET' | 'POST' | 'DELETE', path: string, body: object | null = null): Promise<Answer> {
    if (this.#loggingIn !== null) await this.#loggingIn
    const answer = await this.#ask(method, path, body)
    if (answer.status !== 403 || !answer.text.includes('"STEP_UP"')) return answer
    // As the page does: it asks who it is, and sends the same once more.
    const proven = await this.#ask('POST', '/api/user/step-up', { password: PASSWORD })
    return proven.status === 200 ? this.#ask(method, path, body) : answer
  }

  async #ask(method: 'GET' | 'POST' | 'DELETE', path: string, body: object | null): Promise<Answer> {
    const { simulation, active: server } = this.#stage
    const one: Asked = {
      person: this.index,
      method,
      path,
      body,
      server,
      at: simulation.now,
      answeredAt: null,
      answer: null,
    }
    this.asked.push(one)
    this.witness?.asks(one)
    const answer = await this.#send(one)
    one.answeredAt = simulation.now
    one.answer = answer
    if (method !== 'GET' || answer.status >= 500)
      this.#stage.story.add(`${this.email}: ${method} ${path} → ${answer.status} ${answer.text.slice(0, 120)}`)
    this.witness?.answered(one)
    return answer
  }

  async #send({ method, path, body, server }: Asked): Promise<Answer> {
    try {
      const reply = await this.#pool(server).request({
        method: method === 'POST' ? 'POST' : method === 'DELETE' ? 'DELETE' : 'GET',
        path,
        headers: { cookie: this.#cookie, ...(body === null ? {} : { 'content-type': 'application/json' }) },
        ...(body === null ? {} : { body: JSON.stringify(body) }),
        headersTimeout: ANSWER_TIMEOUT_MS,
        bodyTimeout: ANSWER_TIMEOUT_MS,
      })
      const cookies = [reply.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0])
      if (cookies.length > 0) this.#cookie = cookies.join('; ')
      return { status: reply.statusCode, text: await reply.body.text() }
    } catch (error) {
      return { status: 0, text: error instanceof Error ? error.message : String(error) }
    }
  }

  #pool(server: string): Dispatcher {
    const made = this.#pools.get(server)
    if (made !== undefined) return made
    const port = server === 'B' ? PORTS.B : PORTS.A
    const pool = newBrowser(Pool, `http://127.0.0.1:${port}`)
    this.#pools.set(server, pool)
    return pool
  }

  watchLive(): void {
    if (this.index !== 0) return
    this.live = new LiveStream(
      () => this.#openEvents(),
      () => this.#stage.simulation.now,
    )
    void this.live.follow()
  }

  async #openEvents(): Promise<AsyncIterable<Buffer> | null> {
    const { statusCode, body } = await this.#pool(this.#stage.active).request({
      method: 'GET',
      path: '/api/user/events',
      headers: { cookie: this.#cookie },
      headersTimeout: ANSWER_TIMEOUT_MS,
      // The page waits for events for ever.
      bodyTimeout: 0,
    })
    if (statusCode === 200) return body
    await body.dump()
    return null
  }

  async signUp(): Promise<void> {
    const credentials = ACCOUNTS[this.index]?.credentials
    const { status, text } = await this.ask('POST', '/api/user/user', {
      email: this.email,
      password: PASSWORD,
      ...credentials,
    })
    if (status !== 200) throw new Error(`sign-up: ${status} ${text}`)
  }

  /** Resolves to whether the person is in. */
  async logIn(): Promise<boolean> {
    const loggingIn = this.ask('POST', '/api/login', { email: this.email, password: PASSWORD })
    this.#loggingIn = loggingIn
    const { status, text } = await loggingIn
    if (this.#loggingIn === loggingIn) this.#loggingIn = null
    if (status !== 200) return false
    const answer: { userId: string } = JSON.parse(text)
    this.userId = answer.userId
    return true
  }

  /** The settings of the plan, each tried again until it is saved. */
  async saveSettings(): Promise<void> {
    for (const { isSaved, ...stock } of this.#stage.plan.accounts[this.index]?.stocks ?? []) {
      if (!isSaved) continue
      const settings = {
        ...stock,
        lastBuyPrice: null,
        autoBuy: true,
        autoSell: true,
        useMinSellPrice: false,
        minSellPrice: null,
      }
      await this.ask('POST', `/api/user/stock/${stock.code}`, settings)
    }
  }

  /** One person trades wherever it is possible, the other on KRX alone, as every account begins. */
  async saveVenues(): Promise<void> {
    if (this.index === 0) await this.ask('POST', '/api/user/venues', { sor: true, preMarket: true, afterMarket: true })
  }

  /** Limits that a busy day comes near to. */
  async saveLimits(): Promise<void> {
    if (this.index !== 1) return
    const limits = { orderAmount: 2_000_000, dailyBuyAmount: 40_000_000, ordersPerMinute: 30 }
    await this.ask('POST', '/api/user/limits', limits)
  }

  async #json<T>(path: string, otherwise: T): Promise<T> {
    const { status, text } = await this.ask('GET', path)
    return status === 200 ? JSON.parse(text) : otherwise
  }

  stock = (code: string): Promise<Stock | null> => this.#json(`/api/user/stock/${code}`, null)
  stocks = (): Promise<readonly Stock[]> => this.#json('/api/user/stock?showOnlyWatch=false', [])
  orders = (): Promise<readonly Order[]> => this.#json('/api/user/kis/order', [])
  shadow = async (): Promise<readonly ShadowStock[]> =>
    (await this.#json<Shadow | null>('/api/user/shadow', null))?.stocks ?? []
  trades = (code: string): Promise<readonly Trade[]> => this.#json(`/api/user/stock/${code}/trade`, [])
}
