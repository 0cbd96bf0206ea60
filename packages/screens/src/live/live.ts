import { kstIso, type Stop } from '@digger/core'
import type { LiveEvent } from '@digger/contract'
import { background, type Clock } from '@digger/database'
import type { AccountChanged, AccountsObserver, Accounts } from '@digger/engine'
import { stopsView } from '../views/limitView.ts'
import { Channel, type Sink, waitAfter } from './channel.ts'
import { liveEventsOf, stocksOf } from './live-events.ts'

export interface Joined {
  /** To be called when a browser that did not keep up does again. */
  readonly drained: () => void
  readonly leave: () => void
}

/** Where browsers hear of changes. */
export interface LiveSource {
  /** Open streams. */
  readonly streams: number
  join(userId: string, sink: Sink): Joined
  /** What does not come from an account, as the progress of a bulk call. */
  publish(userId: string, event: LiveEvent): void
  /** Keeps proxies from closing a quiet stream. */
  beat(): void
  close(): void
}

type Prices = Extract<LiveEvent, { kind: 'prices' }>
type Price = Prices['prices'][number]
const NO_PRICES: Prices = { kind: 'prices', prices: [] }

/**
 * Publishes live changes of users to whichever of their browsers are open. Nothing is computed for users nobody watches;
 * bundling is the channels' work.
 */
export class Live implements AccountsObserver, LiveSource {
  readonly #accounts: Accounts
  readonly #clock: Clock
  readonly #channels = new Map<string, Channel>()
  /** Prices that changed since the last were sent, newest only. */
  readonly #prices = new Map<string, Price>()
  #pricesTimer: (() => void) | null = null
  #pricesSentAt = Number.NEGATIVE_INFINITY
  /** Whether the last are being dealt out. */
  #isDealing = false

  constructor(accounts: Accounts, clock: Clock) {
    this.#accounts = accounts
    this.#clock = clock
    accounts.observe(this)
  }

  get streams(): number {
    let sum = 0
    for (const channel of this.#channels.values()) sum += channel.size
    return sum
  }

  join(userId: string, sink: Sink): Joined {
    const channel = this.#channels.get(userId) ?? new Channel(this.#clock)
    this.#channels.set(userId, channel)
    channel.add(sink)
    return {
      drained: () => channel.drained(sink),
      leave: () => {
        channel.remove(sink)
        if (channel.size > 0 || this.#channels.get(userId) !== channel) return
        this.#channels.delete(userId)
        channel.close()
      },
    }
  }

  /** Publishes what does not come from an account, as the progress of a bulk call. */
  publish(userId: string, event: LiveEvent): void {
    this.#channels.get(userId)?.publish(event)
  }

  beat(): void {
    for (const channel of this.#channels.values()) channel.beat()
  }

  close(): void {
    this.#pricesTimer?.()
    for (const channel of this.#channels.values()) channel.close()
    this.#channels.clear()
  }

  /**
   * Prices are bundled before they are dealt out: a thousand channels are then gone through ten times a second, not at every
   * trade of every stock.
   */
  priceChanged(code: string): void {
    const last = this.#channels.size === 0 ? null : this.#accounts.lastPrice(code)
    if (last === null) return
    this.#prices.set(code, { code, price: last.price, at: kstIso(last.at), base: this.#accounts.dayBase(code) })
    this.#dealPrices()
  }

  #dealPrices(): void {
    if (this.#pricesTimer || this.#isDealing || this.#prices.size === 0) return
    const wait = waitAfter(this.#pricesSentAt, this.#clock.now())
    if (wait <= 0) this.#sendPrices()
    else this.#pricesTimer = this.#clock.after(wait, () => this.#sendPrices())
  }

  #sendPrices(): void {
    const all: Prices = { kind: 'prices', prices: [...this.#prices.values()] }
    this.#prices.clear()
    this.#pricesTimer = null
    this.#isDealing = true
    // An order does not wait for all of a thousand browsers.
    for (const [userId, channel] of this.#channels)
      background.run(() => {
        const event = this.#heldOf(all, userId)
        if (event.prices.length > 0) channel.publish(event)
      })
    background.run(() => this.#dealt())
  }

  #dealt(): void {
    this.#isDealing = false
    // Counted from the end of the round: else a channel late in this one would not be due yet in the next.
    this.#pricesSentAt = this.#clock.now()
    this.#dealPrices()
  }

  /** Those of the stocks that the user holds; the very same event for all who hold every one of them. */
  #heldOf(all: Prices, userId: string): Prices {
    // A user who signed up while the database was away has no account until the next log-in.
    if (!this.#accounts.has(userId)) return NO_PRICES
    const { stocks } = this.#accounts.book(userId)
    if (all.prices.every(({ code }) => stocks.has(code))) return all
    return { kind: 'prices', prices: all.prices.filter(({ code }) => stocks.has(code)) }
  }

  accountChanged(change: AccountChanged): void {
    const channel = this.#channels.get(change.userId)
    if (channel === undefined) return
    for (const event of liveEventsOf(this.#accounts, change, this.#clock.now())) channel.publish(event)
  }

  socketChanged(userId: string, connected: boolean): void {
    this.publish(userId, { kind: 'socket', connected })
  }

  strangersChanged(userId: string): void {
    this.publish(userId, { kind: 'orders' })
  }

  duesChanged(userId: string, codes: readonly string[]): void {
    const stocks = this.#channels.has(userId) ? stocksOf(this.#accounts, userId, codes) : []
    if (stocks.length > 0) this.publish(userId, { kind: 'stocks', stocks })
  }

  /** Of everybody who holds the stock: what it is designated as stands on its card. */
  statusesChanged(code: string): void {
    for (const userId of this.#channels.keys()) if (this.#accounts.has(userId)) this.duesChanged(userId, [code])
  }

  serverStopChanged(stop: Stop): void {
    const why = this.#accounts.serverStopReason()
    for (const [userId, channel] of this.#channels) {
      if (!this.#accounts.has(userId)) continue
      channel.publish({ kind: 'stop', stops: stopsView(this.#accounts.book(userId), stop, why) })
    }
  }
}
