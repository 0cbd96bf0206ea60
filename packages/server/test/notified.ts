import { once } from 'node:events'
import { createServer } from 'node:http'
import type { NotificationKind } from '@digger/contract'
import type { Timetable } from '@digger/core'
import { Exchange } from '@digger/engine/testing'
import { Notifications, NotificationSetups, ONE_SERVER, Senders } from '@digger/notifications'
import { makeVapidKeys } from '@digger/notifications/testing'
import { vi } from 'vitest'

const ALWAYS: Timetable = { hours: 'always', closed: new Set(), special: new Map() }
const KRX: Timetable = { ...ALWAYS, hours: 'krx' }
/** Notifications are looked at so often, ms. */
const STEP_MS = 5_000

/** A person's account on a whole market, told over a webhook into this test. Market, people and the process share one time. */
export class Notified {
  readonly market: Exchange
  readonly setups: NotificationSetups
  readonly received: { readonly id: string; readonly text: string }[] = []
  readonly problems: unknown[] = []
  readonly #http = createServer()
  readonly #key: Buffer
  readonly #senders: Senders
  readonly #hours: Timetable
  #run: Notifications
  #offset = 0
  /** Whether real time counts, too: calls that fail are tried again by it. */
  isReal = false

  private constructor(market: Exchange, hours: Timetable) {
    this.market = market
    const { database, clock } = market
    const senders = new Senders(
      { pushContact: 'mailto:a@example.com', webhookTargets: ['127.0.0.1'] },
      makeVapidKeys(),
      clock,
    )
    const key = Buffer.from('0123456789abcdef0123456789abcdef')
    this.#key = key
    this.#senders = senders
    this.#hours = hours
    this.#run = this.#newRun()
    this.setups = new NotificationSetups({
      db: database.db,
      wall: clock,
      key,
      senders,
      botName: () => Promise.resolve(null),
      wake: () => this.#run.wake(),
    })
    // How long something has lasted in the process is counted by its even clock.
    const real = performance.now.bind(performance)
    let last = real()
    let passed = last
    vi.spyOn(performance, 'now').mockImplementation(() => {
      const now = real()
      // By itself it goes on just enough for whoever waits for it to go on at all.
      passed += (now - last) / (this.isReal ? 1 : 1_000)
      last = now
      return passed + this.#offset
    })
    this.#http.on('request', (request, reply) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const { id, title, lines }: { id: string; title: string; lines: string[] } = JSON.parse(
          Buffer.concat(parts).toString(),
        )
        this.received.push({ id, text: [title, ...lines].join('\n') })
        reply.end()
      })
    })
  }

  /** `start`: with it the exchange keeps its hours, epoch ms. */
  static async open({ start }: { start?: number } = {}): Promise<Notified> {
    const market = await Exchange.open({}, start === undefined ? {} : { start })
    const one = new Notified(market, start === undefined ? ALWAYS : KRX)
    one.#http.listen(0, '127.0.0.1')
    await once(one.#http, 'listening')
    const address = one.#http.address()
    const port = typeof address === 'object' ? address?.port : 0
    await one.setups.add(market.userId, { kind: 'webhook', url: `http://127.0.0.1:${port}/hook`, template: 'json' })
    one.#run.start()
    await one.#run.idle()
    return one
  }

  /** The process ends and another one begins, with its key. */
  async restart(): Promise<void> {
    await this.#run.stop()
    const { isReal } = this
    this.isReal = true
    await this.market.restart()
    this.isReal = isReal
    this.#run = this.#newRun()
    this.#run.start()
    await this.#run.idle()
  }

  #newRun(): Notifications {
    const { market } = this
    const { database, clock, userId, engine } = market
    return new Notifications({
      database,
      clock,
      wall: clock,
      accounts: engine,
      attention: () => market.engine.health.attention(),
      timetable: () => this.#hours,
      troubles: () => market.engine.health.troubles(),
      broker: () => market.engine.health.broker,
      process: () => ONE_SERVER,
      key: this.#key,
      senders: this.#senders,
      pageOf: () => `/${userId}/notification`,
      problem: (_userId, error) => this.problems.push(error),
    })
  }

  /** Time passes for everybody, and what is to be told is told. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      const step = Math.min(STEP_MS, ms - passed)
      this.#offset += step
      await this.market.wait(step)
      await this.#run.idle()
    }
  }

  /** The same while the account has no broker, whom there is nothing to wait for. */
  async passAlone(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      const step = Math.min(STEP_MS, ms - passed)
      this.#offset += step
      await this.market.sim.clock.advance(step)
      this.market.engine.activity.tick()
      await this.#run.idle()
    }
  }

  /** Kinds of all that was told so far, in its order. */
  async kinds(): Promise<NotificationKind[]> {
    const list = await this.setups.list(this.market.userId)
    return list.map(({ kind }) => kind).toReversed()
  }

  get texts(): string[] {
    return this.received.map(({ text }) => text)
  }

  async close(): Promise<void> {
    await this.#run.stop()
    vi.restoreAllMocks()
    await this.market.close()
    this.#http.closeAllConnections()
    await new Promise((resolve) => this.#http.close(resolve))
  }
}
