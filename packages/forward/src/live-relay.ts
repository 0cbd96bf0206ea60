import { randomUUID } from 'node:crypto'
import type { Bus } from '@digger/cluster'
import { type Clock, every } from '@digger/database'
import type { Live, Sink } from '@digger/screens'
import { pack } from './frame.ts'
import { liveSubject, UNWATCHED_MS, WATCH_INTERVAL_MS, watchSubject } from './live-subjects.ts'

interface Relayed {
  readonly stream: string
  next: number
  askedAt: number
  readonly leave: () => void
}

/** A worker sends the live changes of those of its accounts that somebody watches at a gateway. */
export class LiveRelay {
  readonly #bus: Bus
  readonly #live: Pick<Live, 'join'>
  readonly #clock: Clock
  readonly #has: (userId: string) => boolean
  readonly #relayed = new Map<string, Relayed>()
  readonly #ends: (() => void)[]

  constructor(
    worker: string,
    parts: { bus: Bus; live: Pick<Live, 'join'>; clock: Clock; has: (userId: string) => boolean },
  ) {
    this.#bus = parts.bus
    this.#live = parts.live
    this.#clock = parts.clock
    this.#has = parts.has
    this.#ends = [
      this.#bus.answer(watchSubject(worker), async (data) => Buffer.from(JSON.stringify(this.#watch(data)))),
      every(this.#clock, WATCH_INTERVAL_MS, () => this.#leaveUnwatched()),
    ]
  }

  #watch(data: Uint8Array): { readonly stream: string; readonly next: number } | null {
    const userId = Buffer.from(data).toString()
    if (!this.#has(userId)) {
      this.#leave(userId)
      return null
    }
    const relayed = this.#relayed.get(userId) ?? this.#begin(userId)
    relayed.askedAt = this.#clock.now()
    return { stream: relayed.stream, next: relayed.next }
  }

  #begin(userId: string): Relayed {
    const stream = randomUUID()
    const sink: Sink = {
      write: (frame) => {
        this.#bus.publish(liveSubject(userId), pack({ stream, number: relayed.next++ }, Buffer.from(frame)))
        return true
      },
      end: () => this.#relayed.delete(userId),
    }
    const { leave } = this.#live.join(userId, sink)
    const relayed: Relayed = { stream, next: 0, askedAt: this.#clock.now(), leave }
    this.#relayed.set(userId, relayed)
    return relayed
  }

  #leaveUnwatched(): void {
    const since = this.#clock.now() - UNWATCHED_MS
    for (const [userId, { askedAt }] of this.#relayed) if (askedAt < since) this.#leave(userId)
  }

  #leave(userId: string): void {
    this.#relayed.get(userId)?.leave()
    this.#relayed.delete(userId)
  }

  end(): void {
    for (const end of this.#ends) end()
    for (const userId of this.#relayed.keys()) this.#leave(userId)
  }
}
