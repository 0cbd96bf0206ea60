import type { Stock } from '@digger/contract'
import type { Fact, SimOrder } from '@digger/kis-sim'
import { setNear } from '../faults/market.ts'
import type { Answer, Person } from '../people/person.ts'
import { OTHER_SERVER } from '../people/presses.ts'
import type { Stage } from '../stage.ts'
import { isConnected } from './broker-socket.ts'
import { isExcused } from './excuses.ts'
import { BOOK_MS, LISTED_MS, listMs, SETTLE_MS } from './latency.ts'
import { DUE_MS, FULL, ORDER_LIMIT_MS } from './due.ts'
import type { Noticed } from './noticed.ts'
import type { Rehearsals } from './rehearsals.ts'
import type { CommittedRows } from './rows.ts'
import { until } from './until.ts'
import { Violation } from '../violation.ts'

/** After the last fault every account may trade again within this, ms. */
const ARM_MS = 60_000
/** Every account has its socket again within this: the pauses of a broker that was away for two minutes grow to 96 s, ms. */
const SOCKET_MS = 120_000
/** Stocks of each person that are brought to a price, half of them to the next buy. */
const PROBES = 4
/** So many events may wait in mailboxes and queues of two people with twelve stocks each. */
const MAX_QUEUE = 120

const SOCKET_PATH = '/api/user/socket'
/** Who is told to press again later does so after this, ms. */
const PRESS_AGAIN_MS = 5_000

export interface LifeFigures {
  readonly armedMs: number
  readonly dueMs: readonly number[]
  readonly queuePeak: number
}

interface LifeParts {
  readonly rows: CommittedRows
  readonly facts: readonly Fact[]
  readonly noticed: Noticed
  readonly rehearsals: Rehearsals
}

/** What must happen once nothing goes wrong any more: armed, due orders out, fills booked, nothing left waiting. */
export class Life {
  readonly #stage: Stage
  readonly #people: readonly Person[]
  readonly #facts: readonly Fact[]
  readonly #rows: CommittedRows
  readonly #noticed: Noticed
  readonly #rehearsals: Rehearsals
  /** Called when every account may trade again. */
  onCalm: () => void = () => undefined
  queuePeak = 0
  #troubled = ''

  constructor(stage: Stage, people: readonly Person[], { rows, facts, noticed, rehearsals }: LifeParts) {
    this.#stage = stage
    this.#people = people
    this.#facts = facts
    this.#rows = rows
    this.#noticed = noticed
    this.#rehearsals = rehearsals
  }

  /** Runs in people's browsers: what they see is what counts. Rejects with a `Violation`. */
  async check(): Promise<LifeFigures> {
    const { simulation, story } = this.#stage
    story.add('nothing goes wrong any more')
    const since = simulation.now
    const armedMs = await until(this.#stage, {
      within: ARM_MS,
      holds: () => this.#armed(),
      promise: 'armed in time',
      why: () => this.#troubles(),
    })
    story.add(`all accounts are armed after ${Math.round(simulation.now - since)} ms`)
    // Whoever left and could not come back comes back now.
    for (const person of this.#people)
      if (!(await person.logIn())) throw new Violation('people are answered', `${person.email} cannot log in`)
    for (const person of this.#people) await this.#noticed.check(person)
    this.onCalm()
    for (const person of this.#people) await this.#goOn(person)
    for (const person of this.#people) await this.#stoppedNowhere(person)
    for (const person of this.#people)
      await until(this.#stage, {
        within: SOCKET_MS,
        holds: () => isConnected(this.#stage, person),
        promise: 'prices come again in time',
        why: () => `the socket of ${person.email} is not up`,
      })
    for (const person of this.#people) await this.#rehearsals.check(person)
    const dueMs: number[] = []
    for (const person of this.#people) dueMs.push(...(await this.#probe(person)))
    if (dueMs.length === 0) throw new Violation('something was due', 'no stock could be brought to a price')
    return { armedMs, dueMs, queuePeak: this.queuePeak }
  }

  #armed(): boolean {
    const vitals = this.#stage.vitals()
    if (vitals === null) return false
    const { opened, armed, troubles } = vitals
    // Armed accounts send nothing while their server cannot show that it owns the database.
    const owns = !troubles.some(({ code }) => code === 'lease' || code === 'write')
    return opened === this.#people.length && armed === opened && owns
  }

  #troubles(): string {
    const vitals = this.#stage.vitals()
    if (vitals === null) return 'no server answers'
    const { opened, authorised, armed, troubles } = vitals
    return `${opened} opened, ${authorised} authorised, ${armed} armed; ${troubles.map(({ code }) => code).join(', ')}`
  }

  /** People end every stop they made, and switch on what they switched off. */
  async #goOn(person: Person): Promise<void> {
    const calls: { path: string; body: object }[] = [
      { path: '/api/user/stop', body: { level: 'user', stop: 'active' } },
      { path: OTHER_SERVER, body: {} },
    ]
    const socket = person.asked.findLast(({ path, method }) => path === SOCKET_PATH && method !== 'GET')
    // Whoever took the live line down and did not get it up again.
    if (socket !== undefined && (socket.method === 'DELETE' || socket.answer?.status !== 200))
      calls.push({ path: SOCKET_PATH, body: {} })
    for (const stock of await person.stocks()) {
      if (isStopped(stock)) this.#stage.looks.count('stopped stocks', !this.#noticed.concerns(person, stock.code))
      if (stock.stop !== 'active' || this.#isRefused(person, stock.code))
        calls.push({ path: '/api/user/stop', body: { level: 'stock', code: stock.code, stop: 'active' } })
      // Saving also lets the automat begin again where a person cancelled its orders.
      calls.push({
        path: `/api/user/stock/${stock.code}`,
        body: { ...stock, version: undefined, autoBuy: true, autoSell: true },
      })
    }
    for (const { path, body } of calls) {
      const { status, text } = path === SOCKET_PATH ? await this.#connect(person) : await person.ask('POST', path, body)
      if (status !== 200)
        throw new Violation('people are answered', `POST ${path} in calm: ${status} ${text.slice(0, 200)}`)
    }
  }

  /** The exchange refused three orders in a row, which a fault explains: the card asks its person to look and let it go on. */
  #isRefused({ userId }: Person, code: string): boolean {
    const { plan, simulation } = this.#stage
    return this.#rows.blockOf(userId, code) === 'rejects' && isExcused(plan, 'rejects', 0, simulation.now, 0)
  }

  /** Nothing here is left to settle but what came of strays: whatever stopped a stock, it goes on. */
  async #stoppedNowhere(person: Person): Promise<void> {
    let stopped: string[] = []
    await until(this.#stage, {
      within: ARM_MS,
      holds: async () => {
        const cards = await person.stocks()
        stopped = cards
          .filter((card) => isStopped(card) && !this.#noticed.concerns(person, card.code))
          .map(({ code, blocked, frozen }) => `${code}: ${blocked ?? JSON.stringify(frozen)}`)
        return stopped.length === 0
      },
      promise: 'no stock stands still',
      why: () => `${person.email}: ${stopped.join('; ')}`,
    })
  }

  /** The broker holds on to a line that is gone for a while, and says so; a person presses again. */
  async #connect(person: Person): Promise<Answer> {
    const { simulation } = this.#stage
    const since = simulation.now
    for (;;) {
      const answer = await person.ask('POST', SOCKET_PATH, {})
      if (answer.status !== 502 || simulation.now - since > SOCKET_MS) return answer
      await new Promise((resolve) => setTimeout(resolve, PRESS_AGAIN_MS))
    }
  }

  /** Brings some stocks to their next buy, and some resting sales to their price, and waits for the order, the fill, the book. */
  async #probe(person: Person): Promise<number[]> {
    const buys = (await person.stocks()).filter((stock) => canBuy(stock))
    const took: number[] = []
    for (const { code } of buys) {
      const ms = took.length < PROBES / 2 ? await this.#buy(person, code) : null
      if (ms !== null) took.push(ms)
    }
    const sales = this.#stage.sim.liveOrders(person.account).filter(({ side, price }) => side === 'sell' && price > 0)
    for (const { odno } of sales.slice(0, PROBES / 2)) took.push(await this.#sell(person, odno))
    return took
  }

  async #buy(person: Person, code: string): Promise<number | null> {
    const from = this.#facts.length
    const isIt = (fact: Fact): boolean =>
      fact.kind === 'accepted' &&
      fact.order.change === null &&
      fact.order.side === 'buy' &&
      fact.order.code === code &&
      fact.account === person.account
    const lastSeen: { card: Stock | null } = { card: null }
    let full = false
    let within = DUE_MS
    const ms = await until(this.#stage, {
      within: () => within,
      holds: async () => {
        if (this.#facts.slice(from).some(isIt) || this.#buys(person, code)) return true
        lastSeen.card = await person.stock(code)
        full = lastSeen.card?.reasons.some((reason) => FULL.has(reason.code)) === true
        if (full) return true
        const says = (word: string): boolean => lastSeen.card?.reasons.some((reason) => reason.code === word) === true
        if (says('ordersPerMinute')) within = DUE_MS + ORDER_LIMIT_MS
        // One that a fault left without a verdict keeps the next one of its stock waiting.
        if (says('orderUnknown')) within = DUE_MS + SETTLE_MS
        // What is traded meanwhile moves the next buy, and the market moves on by itself.
        if (lastSeen.card?.nextBuyPrice) this.#setPrice(code, lastSeen.card.nextBuyPrice)
        return false
      },
      promise: 'due orders go out',
      why: () => `a buy of ${code} of ${person.email}: ${lastSeen.card?.reasons.map(({ text }) => text).join(' ')}`,
    })
    return full ? null : ms
  }

  /** Whether a buy of the stock is at the exchange already: the one that was due. */
  #buys(person: Person, code: string): boolean {
    return this.#stage.sim.liveOrders(person.account).some((order) => order.code === code && order.side === 'buy')
  }

  async #sell(person: Person, odno: string): Promise<number> {
    const order = (): SimOrder | undefined => this.#stage.sim.orders(person.account).find((one) => one.odno === odno)
    const { code = '', price = 0 } = order() ?? {}
    const what = `the sale ${odno} of ${code} at ${price} of ${person.email}`
    const ms = await until(this.#stage, {
      within: DUE_MS,
      holds: () => {
        if ((order()?.remaining ?? 0) === 0) return true
        this.#setPrice(code, price)
        return false
      },
      promise: 'targets are sold',
      why: () => what,
    })
    const booked = (): boolean =>
      this.#rows.orders(person.userId).some((row) => row.odno === odno && row.filled_count === order()?.filledCount)
    const within = BOOK_MS + LISTED_MS + listMs(this.#stage.sim.orders(person.account).length)
    await until(this.#stage, { within, holds: booked, promise: 'fills are booked', why: () => what })
    return ms
  }

  #setPrice(code: string, price: number): boolean {
    return this.#stage.simulation.enter(this.#stage.brokerProcess, () => setNear(this.#stage, code, price))
  }

  /** To be called now and again for the whole run. */
  noteQueues(): void {
    const vitals = this.#stage.vitals()
    if (!this.#stage.looks.count('queues', vitals !== null) || vitals === null) return
    const { mailbox, brokerQueue } = vitals
    const troubles = vitals.troubles.map(({ code }) => code).join(', ')
    if (troubles !== this.#troubled) this.#stage.story.add(`the server's troubles: ${troubles || 'none'}`)
    this.#troubled = troubles
    this.queuePeak = Math.max(this.queuePeak, mailbox + brokerQueue)
    if (mailbox + brokerQueue > MAX_QUEUE)
      throw new Violation('queues stay bounded', `${mailbox} events and ${brokerQueue} calls wait`)
  }
}

/** Nothing automatic happens in it until a person settles something, or the next day comes. */
const isStopped = ({ blocked, frozen }: Stock): boolean => (blocked ?? frozen) !== null

const canBuy = (stock: Stock): boolean =>
  stock.autoBuy &&
  stock.nextBuyPrice !== null &&
  stock.blocked === null &&
  stock.stop === 'active' &&
  !stock.reasons.some(({ code }) => code === 'orderUnknown')
