import { kstIso, type Stop } from '@digger/core'
import type { LiveEvent } from '@digger/contract'
import { type Clock, Turns } from '@digger/database'
import type { AccountChanged, AccountsObserver, Accounts } from '@digger/engine'
import { stopsView } from '../views/limitView.ts'
import { Channel, type Sink } from './channel.ts'
import { liveEventsOf } from './live-events.ts'

/** Bundles in one turn of the event loop: of a thousand at the same moment an order would wait for all. */
const BUNDLES_PER_TURN = 16

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

/**
 * Publishes live changes of users to whichever of their browsers are open. Nothing is computed for users nobody watches;
 * bundling is the channels' work.
 */
export class Live implements AccountsObserver, LiveSource {
  readonly #accounts: Accounts
  readonly #clock: Clock
  readonly #channels = new Map<string, Channel>()
  readonly #turns = new Turns(BUNDLES_PER_TURN)

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
    const channel = this.#channels.get(userId) ?? new Channel(this.#clock, this.#turns)
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
    for (const channel of this.#channels.values()) channel.close()
    this.#channels.clear()
  }

  /** One event for all who hold the stock: channels then turn it into text once. */
  priceChanged(code: string): void {
    const last = this.#channels.size === 0 ? null : this.#accounts.lastPrice(code)
    if (last === null) return
    const event: LiveEvent = { kind: 'prices', prices: [{ code, price: last.price, at: kstIso(last.at) }] }
    for (const [userId, channel] of this.#channels) {
      if (this.#holds(userId, code)) channel.publish(event)
    }
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

  serverStopChanged(stop: Stop): void {
    const why = this.#accounts.serverStopReason()
    for (const [userId, channel] of this.#channels) {
      if (!this.#accounts.has(userId)) continue
      channel.publish({ kind: 'stop', stops: stopsView(this.#accounts.book(userId), stop, why) })
    }
  }

  /** A user who signed up while the database was away has no account until the next log-in. */
  #holds(userId: string, code: string): boolean {
    return this.#accounts.has(userId) && this.#accounts.book(userId).stocks.has(code)
  }
}
