import { kstIso, type Book, type Fact } from '@digger/core'
import type { LiveEvent, Stock } from '@digger/contract'
import type { LastPrice } from './port.ts'

export interface LiveWorld {
  readonly book: (userId: string) => Book | undefined
  readonly lastPrice: (code: string) => LastPrice | null
  readonly stops: (book: Book) => Extract<LiveEvent, { kind: 'stop' }>['stops']
  readonly present: (userId: string, code: string) => Stock | null
}

/** Tells watching people what changed. Nothing is computed for users whom nobody watches; bundling is the streams' work. */
export class LiveHub {
  readonly #world: LiveWorld
  readonly #listeners = new Map<string, Set<(event: LiveEvent) => void>>()

  constructor(world: LiveWorld) {
    this.#world = world
  }

  listen(userId: string, listener: (event: LiveEvent) => void): () => void {
    const listeners = this.#listeners.get(userId) ?? new Set()
    this.#listeners.set(userId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(userId)
    }
  }

  get watchedUsers(): Iterable<string> {
    return this.#listeners.keys()
  }

  tell(userId: string, event: LiveEvent): void {
    for (const listener of this.#listeners.get(userId) ?? []) listener(event)
  }

  tellAll(event: LiveEvent): void {
    for (const userId of this.#listeners.keys()) this.tell(userId, event)
  }

  /** One event for all who hold the stock: streams then turn it into text once. */
  price(code: string): void {
    const last = this.#listeners.size === 0 ? null : this.#world.lastPrice(code)
    if (last === null) return
    const event: LiveEvent = { kind: 'prices', prices: [{ code, price: last.price, at: kstIso(last.at) }] }
    for (const userId of this.#listeners.keys()) {
      if (this.#world.book(userId)?.stocks.has(code) === true) this.tell(userId, event)
    }
  }

  /** What a durable change means for the screens. */
  changed(userId: string, facts: readonly Fact[], book: Book): void {
    if (!this.#listeners.has(userId)) return
    const codes = new Set(facts.flatMap((fact) => codeOf(fact, book) ?? []))
    const stocks = [...codes].flatMap((code) => this.#world.present(userId, code) ?? [])
    if (stocks.length > 0) this.tell(userId, { kind: 'stocks', stocks })
    for (const code of codes) {
      if (facts.some((fact) => isTradeFact(fact) && codeOf(fact, book) === code))
        this.tell(userId, { kind: 'trades', code })
    }
    if (facts.some(isStopFact)) this.tell(userId, { kind: 'stop', stops: this.#world.stops(book) })
    if (facts.some(isLimitFact)) this.tell(userId, { kind: 'limits' })
    if (facts.some((fact) => 'orderId' in fact || fact.kind === 'orderIntended')) this.tell(userId, { kind: 'orders' })
  }
}

const isTradeFact = (fact: Fact): boolean =>
  fact.kind === 'lotBought' || fact.kind === 'lotSold' || fact.kind === 'lotSplit' || fact.kind === 'orderAccepted'

const isStopFact = ({ kind }: Fact): boolean =>
  kind === 'userStopped' || kind === 'stockStopped' || kind === 'limitReached' || kind === 'stockLimitReached'

const isLimitFact = ({ kind }: Fact): boolean => kind === 'limitsSet' || kind === 'dayOpened' || kind === 'limitReached'

function codeOf(fact: Fact, book: Book): string | null {
  if ('code' in fact) return fact.code
  if (fact.kind === 'lotSold') return fact.trade.code
  if (fact.kind === 'orderIntended') return fact.order.code
  return 'orderId' in fact ? (book.orders.get(fact.orderId)?.code ?? null) : null
}
