import { remainCount } from '../../src/index.ts'
import type { Account, AccountEvent, CommandResult, Book, Fact, Order, Settings, Stop } from '../../src/index.ts'
import type { Agenda } from './agenda.ts'
import type { Broker } from './broker.ts'
import type { BrokerOrder } from './broker-types.ts'
import type { Watcher } from './shell.ts'
import { checkIntent, costOf, type Intent } from './intent.ts'
import { Corrections } from './money.ts'
import { Own } from './own.ts'
import { checkTables } from './tables.ts'
import { KnownStops } from './known-stops.ts'
import { PromisedCancels } from './promised-cancels.ts'
import { TakenBack } from './taken-back.ts'
import { Troubles } from './troubles.ts'
import { Violation } from './violation.ts'

/**
 * Watches one account against the broker's own truth. What it believes of settings, stops and orders it gathers from
 * the committed facts itself; the engine's rules are not used.
 */
export class Monitor implements Watcher {
  readonly settings = new Map<string, Settings>()
  readonly #stops = new KnownStops()
  /** Most won in all stocks together; null: no limit. */
  positionAmount: number | null = null
  serverStop: () => Stop = () => 'active'
  /** The server has been told how today's base lies to the last close. */
  isBaseKnown: (code: string) => boolean = () => true
  readonly corrections = new Corrections()
  readonly troubles = new Troubles()
  readonly #own: Own
  readonly intents = new Map<number, Intent>()
  readonly trace: string[] | null
  outside = false
  swaps = 0
  facts = 0
  readonly #sent = new Set<number>()
  readonly #answered = new Set<number>()
  /** Shares held from fills before this run, and from splits and bonus issues, per code. */
  readonly #unseen = new Map<string, number>()
  readonly #takenBack = new TakenBack()
  readonly #promisedCancels = new PromisedCancels()
  readonly #byLabel = new Map<number, BrokerOrder>()
  #last: Book | null = null
  readonly #agenda: Agenda
  readonly #broker: Broker

  constructor(agenda: Agenda, broker: Broker, trace: boolean) {
    this.#agenda = agenda
    this.#broker = broker
    this.trace = trace ? [] : null
    broker.onTaken = (order) => this.#onTaken(order)
    this.#own = new Own(broker)
    broker.onShares = (code, count, from) => {
      this.#unseen.set(code, (this.#unseen.get(code) ?? 0) + count)
      if (from === null) return
      this.#own.became(code, count, from)
      this.troubles.credited(code, count, this.#last)
    }
  }

  log(text: () => string): void {
    this.trace?.push(`${new Date(this.#agenda.now + 9 * 3_600_000).toISOString().slice(5, 23)} ${text()}`)
  }

  committed(facts: readonly Fact[], event: AccountEvent, before: Book, after: Book): void {
    this.#takenBack.learn(facts, event, before)
    this.#promisedCancels.learn(event, before, after.day)
    this.#own.learn(facts, event, before)
    this.corrections.learn(facts, before)
    if (this.trace !== null && (facts.length > 0 || (event.kind !== 'timer' && event.kind !== 'price'))) {
      this.log(() => `event ${JSON.stringify(event).slice(0, 400)}`)
    }
    for (const fact of facts) {
      this.facts += 1
      this.log(() => `  fact ${JSON.stringify(fact)}`)
      this.#learn(fact, after)
    }
    if (facts.some((fact) => 'orderId' in fact || fact.kind === 'orderIntended')) checkTables(after)
    const rests = (id: number): boolean => this.#byLabel.get(id)?.open === true
    this.#promisedCancels.check(after, this.#agenda.now, rests)
    this.#last = after
  }

  answered(ticket: number, result: CommandResult): void {
    this.log(() => `result ${ticket} ${JSON.stringify(result)}`)
    if (this.#answered.has(ticket)) throw new Violation('answers', `ticket ${ticket} was answered twice`)
    this.#answered.add(ticket)
    this.#promisedCancels.answered(ticket, result, this.#agenda.now)
  }

  isAnswered(ticket: number): boolean {
    return this.#answered.has(ticket)
  }

  restarted({ book }: Account): void {
    this.log(() => 'restarted')
    this.#takenBack.restarted()
    this.#promisedCancels.restarted(this.#agenda.now)
    if (this.#last !== null && pictureOf(book) !== pictureOf(this.#last)) {
      throw new Violation('I9 journal', 'the book rebuilt from the journal differs from the one before')
    }
  }

  /** An account that has been trading, and what the broker has of it. */
  inherit({ book, view }: Account): void {
    for (const [code, stock] of book.stocks) {
      this.settings.set(code, stock.settings)
      this.#unseen.set(code, remainCount(stock.lots) + stock.kept)
    }
    this.#stops.inherit(book)
    this.#own.inherit(book)
    this.#takenBack.inherit(view.stocks.heldBuys)
    for (const order of book.orders.values()) {
      const stock = book.stocks.get(order.code)
      const lots = stock?.lots.filter((lot) => order.lots.some((one) => one.lotId === lot.id)) ?? []
      if (stock !== undefined) this.intents.set(order.id, { order, settings: stock.settings, lots })
    }
    for (const order of this.#broker.orders) {
      if (order.label === null) continue
      this.#sent.add(order.label)
      this.#byLabel.set(order.label, order)
      const before = this.#unseen.get(order.code) ?? 0
      this.#unseen.set(order.code, order.side === 'buy' ? before - order.filledCount : before + order.filledCount)
    }
    this.#last = book
  }

  orderOf(label: number): BrokerOrder | undefined {
    return this.#byLabel.get(label)
  }

  #learn(fact: Fact, after: Book): void {
    this.#stops.learn(fact)
    this.troubles.learn(fact, after)
    switch (fact.kind) {
      case 'stockAdded':
      case 'settingsSaved':
      case 'stockAdjusted':
        this.settings.set(fact.code, fact.settings)
        return
      case 'orderIntended':
        return this.#onIntended(fact.order, after)
      case 'orderFound':
        return this.#onFound(fact.orderId, fact.odno)
      case 'orderFilled':
        return this.#onBooked(fact)
      case 'orderEnded':
        return this.#onEnded(fact.orderId, fact.end, after)
      default:
        return
    }
  }

  #onIntended(order: Order, after: Book): void {
    if (this.intents.has(order.id)) throw new Violation('I8 intent', `order ${order.id} was intended twice`)
    const settings = this.settings.get(order.code)
    const stock = after.stocks.get(order.code)
    if (settings === undefined || stock === undefined)
      throw new Violation('I8 intent', `no stock for order ${order.id}`)
    if (order.side === 'buy' && order.origin === 'auto' && this.#takenBack.has(order.code))
      throw new Violation('I10 taken back', `order ${order.id} buys again what a person took back`)
    if (order.side === 'sell' && order.origin === 'auto' && this.#takenBack.hasLot(order))
      throw new Violation('I10 taken back', `order ${order.id} sells again what a person took back`)
    // Before anything has shown the base a sell may be made, for the exchange takes none at a price of before.
    const mayBeMade = order.side === 'sell' && !this.isBaseKnown(order.code)
    if (order.origin === 'auto' && this.troubles.moved.has(order.code) && !mayBeMade)
      throw new Violation('I11 base', `order ${order.id} is made by prices of before`)
    this.#own.outside = this.outside
    this.#own.check(order, after)
    const intent: Intent = {
      order,
      settings,
      lots: stock.lots.filter((lot) => order.lots.some((one) => one.lotId === lot.id)),
    }
    this.intents.set(order.id, intent)
    const upper = this.#broker.stocks.get(order.code)?.band.upper ?? Infinity
    const cost = (code: string): number => costOf(after, code, order.id, this.#byLabel)
    const broken = checkIntent(intent, {
      stops: [this.serverStop(), ...this.#stops.of(order.code)],
      upper,
      otherCost: cost(order.code),
      elsewhere: [...after.stocks.keys()].reduce((sum, code) => (code === order.code ? sum : sum + cost(code)), 0),
      positionAmount: this.positionAmount,
    })
    if (broken !== null) throw new Violation(broken.promise, `order ${order.id}: ${broken.text}`)
  }

  #onTaken(order: BrokerOrder): void {
    this.log(() => `broker takes ${JSON.stringify({ ...order, shown: undefined })}`)
    const { label } = order
    if (label === null) return
    const intent = this.intents.get(label)
    if (intent === undefined)
      throw new Violation('I8 intent', `order ${label} reached the broker without a durable intent`)
    if (intent.order.origin === 'auto' && this.troubles.moved.has(order.code))
      throw new Violation('I11 base', `order ${label} is taken at a price of before`)
    if (this.#sent.has(label)) throw new Violation('I1 double', `order ${label} reached the broker twice`)
    this.#sent.add(label)
    this.#byLabel.set(label, order)
    if (this.#last?.orders.get(label)?.status === 'notPlaced') {
      throw new Violation('I1 double', `order ${label} was given up and reached the broker afterwards`)
    }
    for (const other of this.#broker.live) {
      if (other === order || other.label === null || other.code !== order.code || other.side !== order.side) continue
      const lots = this.intents.get(other.label)?.order.lots ?? []
      const shared = lots.some((one) => intent.order.lots.some((lot) => lot.lotId === one.lotId))
      if (order.side === 'buy' || shared) {
        throw new Violation(
          'I1 double',
          `orders ${other.label} and ${label} live at the broker for the same ${order.side}`,
        )
      }
    }
    if (order.side === 'buy' && this.#broker.freeCash < 0) {
      throw new Violation('I3 cash', `order ${label} leaves ${this.#broker.freeCash} won of free cash`)
    }
    if (order.side === 'sell' && !this.outside) this.#checkShares(order)
  }

  /** Without other programs: what is offered and sold was bought. */
  #checkShares(order: BrokerOrder): void {
    let shares = this.#unseen.get(order.code) ?? 0
    for (const one of this.#broker.orders) {
      if (one.code !== order.code) continue
      if (one.side === 'buy') shares += one.filledCount
      else shares -= one.open ? one.count : one.filledCount
    }
    if (shares < 0) throw new Violation('I5 shares', `order ${order.label} offers ${-shares} shares nobody bought`)
  }

  /**
   * Of equal orders without a verdict, ours or somebody else's, nothing shows which is which: taking the other one's
   * number is as good, as long as it is taken once. They trade places in the truth, too.
   */
  #onFound(orderId: number, odno: string): void {
    const order = this.intents.get(orderId)?.order
    const found = this.#broker.orders.find((one) => one.odno === odno)
    if (found === undefined || order === undefined)
      throw new Violation('I6 fills', `order ${orderId} found as a number that is none`)
    if (found.label === orderId) return
    const hasNumber = found.label !== null && this.#last?.orders.get(found.label)?.odno != null
    if (hasNumber || found.count !== order.count || isOther(found.price, order.price) || found.side !== order.side) {
      throw new Violation('I1 double', `order ${orderId} took the number of another order`)
    }
    this.swaps += 1
    const own = this.#byLabel.get(orderId)
    if (own !== undefined) own.label = found.label
    if (found.label !== null && own !== undefined) this.#byLabel.set(found.label, own)
    if (found.label !== null && own === undefined) this.#byLabel.delete(found.label)
    found.label = orderId
    this.#byLabel.set(orderId, found)
  }

  #onBooked(fact: Extract<Fact, { kind: 'orderFilled' }>): void {
    const truth = this.#byLabel.get(fact.orderId)
    const shown = truth?.shown.some(({ row }) => row.filledCount === fact.count && row.filledAmount === fact.amount)
    if (shown !== true)
      throw new Violation('I6 fills', `order ${fact.orderId}: booked ${fact.count} shares that were not filled so`)
  }

  #onEnded(orderId: number, end: string, after: Book): void {
    const truth = this.#byLabel.get(orderId)
    const order = after.orders.get(orderId)
    // What is found on a later day was taken back for its own.
    if (truth?.byOther === true && end === 'cancelled' && order?.cancelAsked === false && order.day === after.day)
      this.#takenBack.endedByPhone(order)
    if (truth?.open === true)
      throw new Violation('I1 double', `order ${orderId} counts as ${end} but lives at the broker`)
    if (end === 'notPlaced' && truth !== undefined)
      throw new Violation('I1 double', `order ${orderId} was placed, yet given up`)
  }
}

/** The list may show what was sent without a price at the one it got: any row of its kind may be its. */
const isOther = (found: number, ours: number): boolean => ours !== 0 && found !== 0 && found !== ours

export const pictureOf = (book: Book): string =>
  JSON.stringify({ ...book, stocks: [...book.stocks], orders: [...book.orders] })
