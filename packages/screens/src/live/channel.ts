import type { LiveEvent } from '@digger/contract'
import type { Clock, Turns } from '@digger/database'
import { Bundle, frameOf } from './bundle.ts'

/** Ten bundles a second are smoother than the eye needs, at a quarter of the cost of sending each change. */
const BUNDLE_INTERVAL_MS = 100

/** One open stream. `write` says whether the browser keeps up; if not, `drained` runs when it does again. */
export interface Sink {
  write(frame: string): boolean
  end(): void
}

/** All streams of one user. A bundle becomes text once, whatever the number of browsers. */
export class Channel {
  readonly #clock: Clock
  readonly #bundle = new Bundle()
  readonly #sinks = new Map<Sink, Bundle | null>()
  readonly #turns: Pick<Turns, 'run'>
  #timer: (() => void) | null = null
  #isDue = false
  #lastSentAt = Number.NEGATIVE_INFINITY

  /** `turns`: shared with other channels, whose bundles are due at the same moment. */
  constructor(clock: Clock, turns: Pick<Turns, 'run'> = { run: (work) => work() }) {
    this.#clock = clock
    this.#turns = turns
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

  publish(event: LiveEvent): void {
    this.#bundle.add(event)
    if (this.#timer || this.#isDue) return
    const wait = Math.max(0, this.#lastSentAt + BUNDLE_INTERVAL_MS - this.#clock.now())
    if (wait === 0) this.#sendInTurn()
    else {
      this.#timer = this.#clock.after(wait, () => {
        this.#timer = null
        this.#sendInTurn()
      })
    }
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
    this.#timer?.()
    for (const sink of this.#sinks.keys()) sink.end()
    this.#sinks.clear()
  }

  #sendInTurn(): void {
    this.#isDue = true
    this.#turns.run(() => {
      this.#isDue = false
      this.#send()
    })
  }

  #send(): void {
    const events = this.#bundle.events()
    this.#bundle.clear()
    this.#lastSentAt = this.#clock.now()
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
