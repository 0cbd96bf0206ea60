import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { demoCredentials } from '@digger/kis-sim'
import { NoReplyError, UserClient } from '../client/user-client.ts'
import { Answers, CountedClient } from './answers.ts'
import type { Cluster } from './cluster.ts'
import { personOf, sessionsIn } from './person.ts'

export interface Acts {
  confirmed: number
  /** Answered with why not. */
  refused: number
  /** Nobody knows whether it was done. */
  unanswered: number
}

const ACT_INTERVAL_MS = 600
const SIGN_UP_TIMEOUT_MS = 40_000
/** How often they do what. The rest: they cancel an order. */
const CHANGE_SETTINGS = 0.45
const LOOK = 0.2
const LOG_IN = 0.05

/** Some people who go on using their screens whatever happens: they look, change settings, cancel orders and log in through a gateway. */
export class People {
  readonly acts: Acts = { confirmed: 0, refused: 0, unanswered: 0 }
  readonly answers = new Answers()
  /** Every set of cookies that they have had. */
  readonly cookies = new Set<string>()
  readonly #cluster: Cluster
  readonly #draw: () => number
  readonly #ends: (() => void)[] = []
  #working: Promise<unknown> = Promise.resolve()
  #isOver = false

  constructor(cluster: Cluster, draw: () => number) {
    this.#cluster = cluster
    this.#draw = draw
  }

  async begin(): Promise<void> {
    const doors = await Promise.all(this.#cluster.gateways.map((gateway) => this.#cluster.gatewayPort(gateway)))
    this.#ends.push(...doors.map(({ end }) => end))
    const bases = doors.map(({ port }) => `http://127.0.0.1:${port}`)
    await signUpInVain(bases[0] ?? '', this.#cluster.size.accounts)
    const cookies: string[] = JSON.parse(readFileSync(sessionsIn(this.#cluster.folder), 'utf8'))
    this.#working = Promise.all(cookies.map((cookie, n) => this.#live(n, cookie, bases)))
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#working
    for (const end of this.#ends) end()
  }

  async #live(n: number, cookie: string, bases: readonly string[]): Promise<void> {
    const client = new CountedClient(this.answers, cookie)
    this.cookies.add(cookie)
    while (!this.#isOver) {
      client.connectTo(this.#one(bases) ?? '')
      try {
        await this.#act(client, n)
        this.acts.confirmed += 1
      } catch (error) {
        if (error instanceof NoReplyError) this.acts.unanswered += 1
        else this.acts.refused += 1
      }
      this.cookies.add(client.cookie)
      await delay(ACT_INTERVAL_MS * (0.5 + this.#draw()))
    }
  }

  async #act(client: CountedClient, n: number): Promise<void> {
    const code = this.#one(this.#cluster.codes) ?? ''
    const { email, password } = personOf(n)
    const drawn = this.#draw()
    // A log-in whose answer was lost has ended the session before.
    if (drawn < LOG_IN || client.lastCode === 'LOGIN_REQUIRED') return void (await client.logIn(email, password))
    if (drawn < LOG_IN + LOOK) return await look(client, code)
    if (drawn < LOG_IN + LOOK + CHANGE_SETTINGS) {
      return await this.#changeSettings(client, code)
    }
    const order = this.#one(await client.orders())
    if (order === undefined) return
    const { status, text } = await client.cancel(order.orderId)
    if (status >= 500) throw new NoReplyError(text)
    if (status !== 200) throw new Error(text)
  }

  async #changeSettings(client: CountedClient, code: string): Promise<void> {
    const percent = this.#one([0.8, 1, 1.2]) ?? 1
    const before = await client.stock(code)
    try {
      await client.changeSettings(code, { buyPercent: -percent, sellPercent: percent })
    } catch (error) {
      // A fill that moves the price makes it another version. But what was asked again, and done before, is not refused.
      const isChanged = async () => (await client.stock(code)).sellPercent === percent && before.sellPercent !== percent
      if (client.lastCode === 'CONFLICT' && (await isChanged()))
        this.answers.count('POST', 'settings', 'refused though done')
      throw error
    }
  }

  #one<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#draw() * list.length)]
  }
}

/** What the pages of a stock read. */
async function look(client: CountedClient, code: string): Promise<void> {
  await client.json('GET', '/api/user/user')
  await client.stocks()
  await client.trades(code)
}

/** A stranger to the exchange: refused, but credentials have gone over the bus, which is searched for them. */
async function signUpInVain(base: string, n: number): Promise<void> {
  const client = new UserClient(SIGN_UP_TIMEOUT_MS)
  client.connectTo(base)
  const { status } = await client.request('POST', '/api/user/user', { ...personOf(n), ...demoCredentials(n) })
  if (status === 200) throw new Error('whoever the exchange does not have was signed up')
}
