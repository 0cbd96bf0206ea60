import type { LiveEvent } from '@digger/contract'
import type { Clock } from '@digger/database'
import { Bundle, frameOf } from './bundle.ts'

/** Ten bundles a second are smoother than the eye needs, at a quarter of the cost of sending each change. */
export const BUNDLE_INTERVAL_MS = 100

/** How long the next bundle waits after the last one, ms, also where the clock was set back since: nobody waits for the time it lost. */
export const waitAfter = (sentAt: number, now: number): number =>
  Math.min(BUNDLE_INTERVAL_MS, sentAt + BUNDLE_INTERVAL_MS - now)

/** One open stream. `write` says whether the browser keeps up; if not, `drained` runs when it does again. */
export interface Sink {
  write(frame: string): boolean
  end(): void
}

/** All streams of one user. A bundle becomes text once, whatever the number of browsers. */
export class Channel {
  readonly #clock: Clock
  /** Null while nothing waits: most streams are idle most of the time. */
  #bundle: Bundle | null = null
  readonly #sinks = new Map<Sink, Bundle | null>()
  #cancel: (() => void) | null = null
  #lastSentAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#sinks.size
  }

  add(sink: Sink): void {
    this.#sinks.set(sink, null)
  }

  remove(sink: Sink): void {
    this.#sinks.delete(sink)
  }

  /** Sends at once where nothing was sent for a while; what comes sooner waits, newest only. */
  publish(event: LiveEvent): void {
    if (this.#bundle !== null) return this.#bundle.add(event)
    const now = this.#clock.now()
    const wait = waitAfter(this.#lastSentAt, now)
    if (wait <= 0) return this.#send([event], now)
    const bundle = (this.#bundle = new Bundle())
    bundle.add(event)
    this.#cancel = this.#clock.after(wait, () => {
      this.#bundle = null
      this.#send(bundle.events(), this.#clock.now())
    })
  }

  /** The browser caught up: it gets the latest of everything it missed. */
  drained(sink: Sink): void {
    const missed = this.#sinks.get(sink)
    if (!missed) return
    const frame = frameOf(missed.events())
    missed.clear()
    if (frame === '' || sink.write(frame)) this.#sinks.set(sink, null)
  }

  /** Keeps proxies from closing a quiet stream. */
  beat(): void {
    for (const [sink, missed] of this.#sinks) if (missed === null) this.#write(sink, ': beat\n\n')
  }

  close(): void {
    this.#cancel?.()
    for (const sink of this.#sinks.keys()) sink.end()
    this.#sinks.clear()
  }

  #send(events: readonly LiveEvent[], now: number): void {
    this.#lastSentAt = now
    const frame = frameOf(events)
    for (const [sink, missed] of this.#sinks) {
      if (missed === null) this.#write(sink, frame)
      else for (const event of events) missed.add(event)
    }
  }

  #write(sink: Sink, frame: string): void {
    if (!sink.write(frame)) this.#sinks.set(sink, new Bundle())
  }
}
