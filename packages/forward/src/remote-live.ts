import type { Bus, ClusterCounters, AccountOwners } from '@digger/cluster'
import type { LiveEvent } from '@digger/contract'
import { type Clock, every } from '@digger/database'
import { frameOf, type LiveSource, type Sink } from '@digger/screens'
import { unpack } from './frame.ts'
import { FrameHead, liveSubject, WATCH_INTERVAL_MS, Watching, watchSubject } from './live-subjects.ts'

const ANSWER_MS = 2_000
/** After a question that nobody answered it is asked again this much later, ms. */
const RETRY_MS = 500

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
  at: { stream: string; next: number } | null
  isLost: boolean
  readonly end: () => void
}

/**
 * Live changes at a gateway: numbered frames from whoever has the account. A gap, a new owner or a line that was cut ends the
 * browsers' streams: they connect again within a second, and read everything anew.
 */
export class RemoteLive implements LiveSource {
  readonly #bus: Bus
  readonly #owners: AccountOwners
  readonly #clock: Clock
  readonly #counters: ClusterCounters | undefined
  readonly #watched = new Map<string, Watched>()
  readonly #ends: (() => void)[]

  constructor({ bus, owners, clock, counters }: RemoteLiveParts) {
    this.#bus = bus
    this.#owners = owners
    this.#clock = clock
    this.#counters = counters
    this.#ends = [every(clock, WATCH_INTERVAL_MS, () => this.#askAll()), bus.onGap(() => this.#askAll())]
  }

  get streams(): number {
    return [...this.#watched.values()].reduce((sum, { sinks }) => sum + sinks.size, 0)
  }

  join(userId: string, sink: Sink): { readonly drained: () => void; readonly leave: () => void } {
    const watched = this.#watched.get(userId) ?? this.#watch(userId)
    watched.sinks.add(sink)
    return {
      drained: () => void watched.slow.delete(sink),
      leave: () => {
        watched.sinks.delete(sink)
        watched.slow.delete(sink)
        if (watched.sinks.size === 0) this.#leave(userId, watched)
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
    for (const [userId, watched] of this.#watched) {
      for (const sink of watched.sinks) sink.end()
      this.#leave(userId, watched)
    }
  }

  #watch(userId: string): Watched {
    const watched: Watched = {
      sinks: new Set(),
      slow: new Set(),
      at: null,
      isLost: false,
      end: this.#bus.subscribe(liveSubject(userId), (data) => this.#receive(watched, data)),
    }
    this.#watched.set(userId, watched)
    void this.#ask(userId, watched)
    return watched
  }

  #leave(userId: string, watched: Watched): void {
    watched.end()
    if (this.#watched.get(userId) === watched) this.#watched.delete(userId)
  }

  #receive(watched: Watched, data: Uint8Array): void {
    const { head, body } = unpack(data)
    const { stream, number } = FrameHead.parse(head)
    // Before the owner has answered it may be of an owner before.
    if (watched.at === null) return
    if (watched.at.stream !== stream || watched.at.next !== number) return this.#begin(watched)
    watched.at.next = number + 1
    write(watched, body.toString())
  }

  /** Something was missed: the browsers read everything anew. */
  #begin(watched: Watched): void {
    watched.at = null
    if (this.#counters !== undefined) this.#counters.live.resyncs += 1
    for (const sink of watched.sinks) sink.end()
  }

  #askAll(): void {
    for (const [userId, watched] of this.#watched) void this.#ask(userId, watched)
  }

  async #ask(userId: string, watched: Watched): Promise<void> {
    const answer = await this.#where(userId).catch(() => null)
    if (this.#watched.get(userId) !== watched) return
    if (answer === null) {
      watched.isLost = true
      this.#clock.after(RETRY_MS, () => this.#watched.get(userId) === watched && void this.#ask(userId, watched))
      return
    }
    const known = watched.at
    // Frames come before the answer that was given after them: what is behind has been lost.
    if (known !== null && (known.stream !== answer.stream || known.next !== answer.next)) return this.#begin(watched)
    if (known === null && watched.isLost) this.#begin(watched)
    watched.isLost = false
    watched.at = answer
  }

  async #where(userId: string): Promise<{ stream: string; next: number } | null> {
    const worker = await this.#owners.of(userId)
    if (worker === null) return null
    const answer = await this.#bus.request(watchSubject(worker), Buffer.from(userId), ANSWER_MS)
    const watching = Watching.parse(JSON.parse(Buffer.from(answer).toString()))
    if (watching === null) await this.#owners.read()
    return watching
  }
}

function write({ sinks, slow }: Watched, frame: string): void {
  for (const sink of sinks) {
    if (slow.has(sink)) sink.end()
    else if (!sink.write(frame)) slow.add(sink)
  }
}
