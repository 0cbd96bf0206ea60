import { randomUUID } from 'node:crypto'
import type { Bus, ClusterCounters, AccountOwners } from '@digger/cluster'
import type { LiveEvent } from '@digger/contract'
import { background, type Clock, every } from '@digger/database'
import { frameOf, type Joined, type LiveSource, type Sink } from '@digger/screens'
import { byOwner } from './by-owner.ts'
import {
  bytesOf,
  type Frame,
  LiveMessage,
  liveSubject,
  NotHere,
  understood,
  WATCH_INTERVAL_MS,
  watchSubject,
} from './live-message.ts'

const ANSWER_MS = 2_000
/** After a question that nobody answered it is asked again this much later, ms. */
const RETRY_MS = 500
/** Frames that wait for their turn, some seconds' worth of a thousand users: a gateway further behind misses what comes. */
const MAX_WAITING = 20_000

export interface RemoteLiveParts {
  readonly bus: Bus
  readonly owners: AccountOwners
  readonly clock: Clock
  readonly counters?: ClusterCounters
}

/** All streams of one user at this gateway. */
interface Watched {
  readonly sinks: Set<Sink>
  /** Those that do not keep up: they end with the next frame, and their browsers begin anew. */
  readonly slow: Set<Sink>
  /** Null until the owner has said where its stream stands. */
  at: { readonly stream: string; next: number } | null
  /** How many times the owner has been asked. */
  asked: number
}

/**
 * Live changes at a gateway: numbered frames from whoever has the account. A gap, a new owner or a line that was cut ends the
 * browsers' streams: they connect again within a second, and read everything anew.
 */
export class RemoteLive implements LiveSource {
  readonly #gateway = randomUUID()
  readonly #bus: Bus
  readonly #owners: AccountOwners
  readonly #clock: Clock
  readonly #counters: ClusterCounters | undefined
  readonly #watched = new Map<string, Watched>()
  #waiting = 0
  readonly #unanswered = new Set<string>()
  #cancelRetry: (() => void) | null = null
  readonly #ends: (() => void)[]

  constructor({ bus, owners, clock, counters }: RemoteLiveParts) {
    this.#bus = bus
    this.#owners = owners
    this.#clock = clock
    this.#counters = counters
    this.#ends = [
      bus.subscribe(liveSubject(this.#gateway), (data) => this.#receive(data)),
      every(clock, WATCH_INTERVAL_MS, () => this.#ask([...this.#watched.keys()])),
      bus.onGap(() => this.#ask([...this.#watched.keys()])),
      () => this.#cancelRetry?.(),
    ]
  }

  get streams(): number {
    return [...this.#watched.values()].reduce((sum, { sinks }) => sum + sinks.size, 0)
  }

  join(userId: string, sink: Sink): Joined {
    const watched = this.#watched.get(userId) ?? this.#watch(userId)
    watched.sinks.add(sink)
    return {
      drained: () => void watched.slow.delete(sink),
      leave: () => {
        watched.sinks.delete(sink)
        watched.slow.delete(sink)
        if (watched.sinks.size === 0 && this.#watched.get(userId) === watched) this.#watched.delete(userId)
      },
    }
  }

  /** What this gateway itself has to say to the user's browsers here. */
  publish(userId: string, event: LiveEvent): void {
    const watched = this.#watched.get(userId)
    if (watched !== undefined) write(watched, frameOf([event]))
  }

  beat(): void {
    for (const watched of this.#watched.values()) write(watched, ': beat\n\n')
  }

  close(): void {
    for (const end of this.#ends) end()
    for (const userId of this.#watched.keys()) this.#endStreams(userId)
  }

  #watch(userId: string): Watched {
    const watched: Watched = { sinks: new Set(), slow: new Set(), at: null, asked: 0 }
    this.#watched.set(userId, watched)
    this.#ask([userId])
    return watched
  }

  #receive(data: Uint8Array): void {
    const message = understood(LiveMessage, data)
    if (message === null) return
    for (const frame of message.frames) {
      if (this.#waiting >= MAX_WAITING) return
      this.#waiting += 1
      // A call does not wait for all of a thousand browsers.
      background.run(() => {
        this.#waiting -= 1
        this.#take(frame, message.texts)
      })
    }
  }

  #take([userId, stream, number, index]: Frame, texts: readonly string[]): void {
    const watched = this.#watched.get(userId)
    if (watched === undefined) return
    const text = index === null ? null : texts[index]
    const { at } = watched
    if (at === null) {
      // A frame before the first mark may be of an owner before.
      if (text !== null) return
      // What has changed since a question that went astray was not heard.
      if (watched.asked > 1) return this.#begin(userId)
      watched.at = { stream, next: number }
    } else if (at.stream !== stream || at.next !== number || text === undefined) this.#begin(userId)
    else if (text !== null) {
      at.next += 1
      write(watched, text)
    }
  }

  /** Something was missed: the browsers read everything anew. */
  #begin(userId: string): void {
    if (this.#counters !== undefined) this.#counters.live.resyncs += 1
    this.#endStreams(userId)
  }

  #endStreams(userId: string): void {
    const sinks = this.#watched.get(userId)?.sinks ?? []
    // Whoever comes now begins anew, also while these are still closing.
    this.#watched.delete(userId)
    for (const sink of sinks) sink.end()
  }

  #ask(userIds: readonly string[]): void {
    for (const userId of userIds) {
      const watched = this.#watched.get(userId)
      if (watched !== undefined) watched.asked += 1
    }
    void this.#notAnswered(userIds).then((rest) => this.#askLater(rest))
  }

  #askLater(userIds: readonly string[]): void {
    for (const userId of userIds) if (this.#watched.has(userId)) this.#unanswered.add(userId)
    if (this.#unanswered.size === 0) return
    this.#cancelRetry ??= this.#clock.after(RETRY_MS, () => {
      const again = [...this.#unanswered].filter((userId) => this.#watched.has(userId))
      this.#unanswered.clear()
      this.#cancelRetry = null
      this.#ask(again)
    })
  }

  /** Those of the users whose owner is not known, or did not answer. */
  async #notAnswered(userIds: readonly string[]): Promise<readonly string[]> {
    const asked = await byOwner(this.#owners, userIds).catch(() => [{ worker: null, userIds }])
    const rest = asked.map(({ worker, userIds: theirs }) => this.#askWorker(worker, theirs).catch(() => theirs))
    return (await Promise.all(rest)).flat()
  }

  async #askWorker(worker: string | null, userIds: readonly string[]): Promise<readonly string[]> {
    if (worker === null) return userIds
    const question = bytesOf({ gateway: this.#gateway, userIds })
    const notHere = understood(NotHere, await this.#bus.request(watchSubject(worker), question, ANSWER_MS)) ?? userIds
    if (notHere.length > 0) await this.#owners.read()
    return notHere
  }
}

function write({ sinks, slow }: Watched, frame: string): void {
  for (const sink of sinks) {
    if (slow.has(sink)) sink.end()
    else if (!sink.write(frame)) slow.add(sink)
  }
}
