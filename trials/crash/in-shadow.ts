import type { ShadowOrder } from '@digger/contract'
import type { Db } from '@digger/database'
import { findUserByEmail } from '@digger/identity'
import { verifyShadow } from '@digger/shadow'
import { NoReplyError } from '../client/user-client.ts'
import type { BrokerControl } from './broker-control.ts'
import { INITIAL_SETTINGS, type Person } from './person.ts'

/** The page shows today only, unless asked for more. */
const ALL_DAYS = '?fromDate=20260101'

/** A stock that one person has in the shadow from its first minute on: everything is decided for it, and nothing is ever sent. */
export class InShadow {
  readonly #person: Person
  readonly #code: string
  readonly #draw: () => number
  /** Orders with fills as people saw them last, by number: what is shown is durable. */
  #shown = new Map<string, ShadowOrder>()
  /** Rows that were in the journal when it was last read. */
  #rows = 0
  #isJoined = false

  constructor(person: Person, code: string, draw: () => number) {
    this.#person = person
    this.#code = code
    this.#draw = draw
  }

  get filled(): number {
    return this.#shown.size
  }

  /** Not bought before it is in the shadow. */
  async join(prices: Readonly<Record<string, number>>): Promise<void> {
    const { client } = this.#person
    const maxBuyPrice = Math.round((prices[this.#code] ?? 0) * 1.2)
    await client.json('POST', `/api/user/stock/${this.#code}`, { ...INITIAL_SETTINGS, maxBuyPrice, autoBuy: false })
    await client.json('POST', '/api/user/shadow', { code: this.#code, shadow: true })
    await client.changeSettings(this.#code, { autoBuy: true })
    this.#isJoined = true
  }

  /** Now and again a sale by hand, which a rehearsal takes and answers with a refusal, or a look at its page. The server may die meanwhile. */
  async act(): Promise<void> {
    if (!this.#isJoined) return
    const choice = this.#draw()
    try {
      if (choice < 0.05) await this.#person.client.sellAtMarket(this.#code)
      else if (choice < 0.2) this.#shown = await this.#filledOrders()
    } catch (error) {
      if (!(error instanceof NoReplyError)) throw error
    }
  }

  /** After a start: nothing of it was sent, and what was shown before is there once, with no fewer shares. */
  async problems(broker: BrokerControl): Promise<string[]> {
    if (!this.#isJoined) return []
    const { email, credentials } = this.#person
    const events = await broker.events(credentials.accountNumber)
    const sent = events.flatMap((event) =>
      event.kind === 'accepted' && event.order.code === this.#code ? event.order.odno : [],
    )
    const now = await this.#filledOrders()
    const lost = [...this.#shown.values()].filter(
      ({ orderId, filledQty, filledAmount }) =>
        (now.get(orderId)?.filledQty ?? 0) < filledQty || (now.get(orderId)?.filledAmount ?? 0) < filledAmount,
    )
    this.#shown = now
    return [
      ...sent.map((odno) => `${email}: order ${odno} of ${this.#code}, which is in the shadow, is at the exchange`),
      ...lost.map(({ orderId, filledQty }) => `${email}: ${orderId} was shown in the shadow with ${filledQty} shares`),
    ]
  }

  /** What the killed process left: a journal that only grew, and in which each row follows from those before it. */
  async left(db: Db): Promise<string[]> {
    if (!this.#isJoined) return []
    const user = await findUserByEmail(db, this.#person.email)
    if (!user) return [`${this.#person.email} is gone`]
    const { facts, problems } = await verifyShadow(db, user.id)
    const before = this.#rows
    this.#rows = facts
    const shorter = facts < before ? [`${facts} rows of the rehearsal, ${before} before`] : []
    return [...shorter, ...problems].map((text) => `${this.#person.email}: ${text}`)
  }

  async #filledOrders(): Promise<Map<string, ShadowOrder>> {
    const orders = await this.#person.client.json<ShadowOrder[]>('GET', `/api/user/shadow/order${ALL_DAYS}`)
    return new Map(orders.flatMap((order) => (order.filledQty > 0 ? [[order.orderId, order]] : [])))
  }
}
