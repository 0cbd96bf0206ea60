import type { LiveEvent, Trade } from '@digger/contract'
import { MAX_TRADES } from './touched-trades.ts'

type EventOf<K extends LiveEvent['kind']> = Extract<LiveEvent, { kind: K }>
type Price = EventOf<'prices'>['prices'][number]
type Stock = EventOf<'stocks'>['stocks'][number]

/**
 * What happened since the last sending, newest only: a price that changed ten times is one line. It is bounded by the
 * number of stocks and the trades an event may carry, however long a slow browser keeps it waiting.
 */
export class Bundle {
  readonly #prices = new Map<string, Price>()
  readonly #stocks = new Map<string, Stock>()
  readonly #removed = new Set<string>()
  /** By stock and number of the trade; null: to be read anew. */
  readonly #trades = new Map<string, ReadonlyMap<number, Trade> | null>()
  readonly #progress = new Map<string, EventOf<'progress'>>()
  #orders = false
  #deposit = false
  #socket: EventOf<'socket'> | null = null
  #stop: EventOf<'stop'> | null = null
  #limits = false

  add(event: LiveEvent): void {
    switch (event.kind) {
      case 'prices':
        for (const price of event.prices) this.#prices.set(price.code, price)
        break
      case 'stocks':
        for (const stock of event.stocks) this.#stocks.set(stock.code, stock)
        break
      case 'removed':
        this.#removed.add(event.code)
        this.#stocks.delete(event.code)
        break
      case 'trades':
        this.#addTrades(event)
        break
      case 'orders':
        this.#orders = true
        break
      case 'deposit':
        this.#deposit = true
        break
      case 'socket':
        this.#socket = event
        break
      case 'stop':
        this.#stop = event
        break
      case 'limits':
        this.#limits = true
        break
      case 'progress':
        this.#progress.set(event.task, event)
        break
    }
  }

  #addTrades({ code, trades }: EventOf<'trades'>): void {
    const waiting = this.#trades.get(code)
    if (waiting === null || trades === null) return void this.#trades.set(code, null)
    const newest = new Map([...(waiting ?? []), ...trades.map((trade) => [trade.id, trade] as const)])
    this.#trades.set(code, newest.size > MAX_TRADES ? null : newest)
  }

  /** What is waiting, oldest kind of news first: state before prices. */
  events(): LiveEvent[] {
    const events: LiveEvent[] = []
    if (this.#stop) events.push(this.#stop)
    if (this.#limits) events.push({ kind: 'limits' })
    if (this.#socket) events.push(this.#socket)
    // One that was added again meanwhile follows in `stocks`.
    for (const code of this.#removed) events.push({ kind: 'removed', code })
    if (this.#stocks.size > 0) events.push({ kind: 'stocks', stocks: [...this.#stocks.values()] })
    for (const [code, trades] of this.#trades) {
      events.push({ kind: 'trades', code, trades: trades && [...trades.values()] })
    }
    if (this.#orders) events.push({ kind: 'orders' })
    if (this.#deposit) events.push({ kind: 'deposit' })
    events.push(...this.#progress.values())
    if (this.#prices.size > 0) events.push({ kind: 'prices', prices: [...this.#prices.values()] })
    return events
  }

  clear(): void {
    // Most bundles are prices only, and a map that is emptied anew costs as much as one that is filled.
    for (const kept of [this.#prices, this.#stocks, this.#removed, this.#trades, this.#progress])
      if (kept.size > 0) kept.clear()
    this.#orders = false
    this.#deposit = false
    this.#socket = null
    this.#stop = null
    this.#limits = false
  }
}

/** Server-sent events: `event:` is the kind, `data:` the rest as JSON. */
export const frameOf = (events: readonly LiveEvent[]): string => events.map(textOf).join('')

function textOf(event: LiveEvent): string {
  if (event.kind === 'prices') return pricesText(event.prices)
  const { kind, ...data } = event
  return `event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The last one that was made: users who watch the same stocks have the same bundle, one after the other. */
let last: { readonly prices: readonly Price[]; readonly text: string } = { prices: [], text: '' }

function pricesText(prices: readonly Price[]): string {
  if (prices.length === last.prices.length && prices.every((price, index) => price === last.prices[index]))
    return last.text
  last = { prices, text: `event: prices\ndata: {"prices":[${prices.map(priceText).join(',')}]}\n\n` }
  return last.text
}

/** Everyone who watches a stock receives the same price: its text is made once, however many streams it goes to. */
const texts = new WeakMap<Price, string>()

function priceText(price: Price): string {
  const known = texts.get(price)
  if (known !== undefined) return known
  const text = JSON.stringify(price)
  texts.set(price, text)
  return text
}
