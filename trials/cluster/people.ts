import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { NoReplyError, UserClient } from '../client/user-client.ts'
import type { Cluster } from './cluster.ts'
import { sessionsIn } from './person.ts'

export interface Acts {
  confirmed: number
  /** Answered with why not. */
  refused: number
  /** Nobody knows whether it was done. */
  unanswered: number
}

const ACT_INTERVAL_MS = 600
const TIMEOUT_MS = 10_000

/** Some people who go on using their screens whatever happens: they change settings and cancel orders through a gateway. */
export class People {
  readonly acts: Acts = { confirmed: 0, refused: 0, unanswered: 0 }
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
    const cookies: string[] = JSON.parse(readFileSync(sessionsIn(this.#cluster.folder), 'utf8'))
    this.#working = Promise.all(cookies.map((cookie) => this.#live(cookie, bases)))
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#working
    for (const end of this.#ends) end()
  }

  async #live(cookie: string, bases: readonly string[]): Promise<void> {
    const client = new UserClient(TIMEOUT_MS, cookie)
    while (!this.#isOver) {
      client.connectTo(this.#one(bases) ?? '')
      try {
        await this.#act(client)
        this.acts.confirmed += 1
      } catch (error) {
        if (error instanceof NoReplyError) this.acts.unanswered += 1
        else this.acts.refused += 1
      }
      await delay(ACT_INTERVAL_MS * (0.5 + this.#draw()))
    }
  }

  async #act(client: UserClient): Promise<void> {
    const code = this.#one(this.#cluster.codes) ?? ''
    if (this.#draw() < 0.5) {
      const percent = this.#one([0.8, 1, 1.2]) ?? 1
      return await client.changeSettings(code, { buyPercent: -percent, sellPercent: percent })
    }
    const order = this.#one(await client.orders())
    if (order === undefined) return
    const { status, text } = await client.cancel(order.orderId)
    if (status >= 500) throw new NoReplyError(text)
    if (status !== 200) throw new Error(text)
  }

  #one<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#draw() * list.length)]
  }
}
