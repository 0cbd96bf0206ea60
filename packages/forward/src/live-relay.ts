import { randomUUID } from 'node:crypto'
import type { Bus } from '@digger/cluster'
import { type Clock, every } from '@digger/database'
import type { Live, Sink } from '@digger/screens'
import { FrameBatches, MAX_TEXT } from './frame-batches.ts'
import { bytesOf, UNWATCHED_MS, understood, Watch, WATCH_INTERVAL_MS, watchSubject } from './live-message.ts'

interface Relayed {
  readonly stream: string
  next: number
  /** When each gateway where somebody watches has asked last, epoch ms. */
  readonly gateways: Map<string, number>
  readonly leave: () => void
}

/** A worker sends the live changes of those of its accounts that somebody watches at a gateway. */
export class LiveRelay {
  readonly #batches: FrameBatches
  readonly #live: Pick<Live, 'join'>
  readonly #clock: Clock
  readonly #has: (userId: string) => boolean
  readonly #relayed = new Map<string, Relayed>()
  readonly #ends: (() => void)[]

  constructor(
    worker: string,
    parts: { bus: Bus; live: Pick<Live, 'join'>; clock: Clock; has: (userId: string) => boolean },
  ) {
    this.#batches = new FrameBatches(parts.bus, parts.clock)
    this.#live = parts.live
    this.#clock = parts.clock
    this.#has = parts.has
    this.#ends = [
      parts.bus.answer(watchSubject(worker), async (data) => bytesOf(this.#watch(data))),
      every(this.#clock, WATCH_INTERVAL_MS, () => this.#leaveUnwatched()),
    ]
  }

  /** Returns the users who are not here. Where the streams of the others stand goes the way of their frames, behind what was sent before. */
  #watch(data: Uint8Array): readonly string[] {
    const watch = understood(Watch, data)
    if (watch === null) throw new Error('a question of another version')
    return watch.userIds.filter((userId) => {
      if (!this.#has(userId)) {
        this.#leave(userId)
        return true
      }
      const { gateways, stream, next } = this.#relayed.get(userId) ?? this.#begin(userId)
      gateways.set(watch.gateway, this.#clock.now())
      this.#batches.add(watch.gateway, userId, { stream, number: next, text: null })
      return false
    })
  }

  #begin(userId: string): Relayed {
    const sink: Sink = {
      write: (frame) => {
        this.#send(userId, relayed, frame)
        return true
      },
      end: () => this.#relayed.delete(userId),
    }
    const { leave } = this.#live.join(userId, sink)
    const relayed: Relayed = { stream: randomUUID(), next: 0, gateways: new Map(), leave }
    this.#relayed.set(userId, relayed)
    return relayed
  }

  #send(userId: string, relayed: Relayed, frame: string): void {
    // An owner before would disturb the next one's stream.
    if (!this.#has(userId)) return this.#leave(userId)
    const { stream, gateways } = relayed
    const number = relayed.next++
    // The mark says that a frame is missing: the browsers read everything anew.
    const at = frame.length > MAX_TEXT ? { number: number + 1, text: null } : { number, text: frame }
    for (const gateway of gateways.keys()) this.#batches.add(gateway, userId, { stream, ...at })
  }

  #leaveUnwatched(): void {
    const since = this.#clock.now() - UNWATCHED_MS
    for (const [userId, { gateways }] of this.#relayed) {
      for (const [gateway, askedAt] of gateways) if (askedAt < since) gateways.delete(gateway)
      if (gateways.size === 0) this.#leave(userId)
    }
  }

  #leave(userId: string): void {
    this.#relayed.get(userId)?.leave()
    this.#relayed.delete(userId)
  }

  end(): void {
    for (const end of this.#ends) end()
    for (const userId of this.#relayed.keys()) this.#leave(userId)
    this.#batches.flush()
  }
}
