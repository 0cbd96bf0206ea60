import type { Bus } from '@digger/cluster'
import type { Clock } from '@digger/database'
import { bytesOf, type Frame, liveSubject } from './live-message.ts'

/** Prices change for all users of a stock at once: what is written within this long goes in one message, ms. */
const BATCH_MS = 5
/** A message may have 1 MB; a character may take three bytes. What is longer by itself is not sent, characters. */
export const MAX_TEXT = 200_000
const MAX_BATCH = 100_000
/** User, stream and number as JSON, characters. */
const FRAME_HEAD = 100

interface Batch {
  readonly frames: Frame[]
  readonly texts: Map<string, number>
  length: number
}

/** Frames on their way to gateways, those for one together. */
export class FrameBatches {
  readonly #bus: Bus
  readonly #clock: Clock
  readonly #batches = new Map<string, Batch>()
  #cancel: (() => void) | null = null

  constructor(bus: Bus, clock: Clock) {
    this.#bus = bus
    this.#clock = clock
  }

  /** `text`: null for a mark. */
  add(gateway: string, userId: string, at: { stream: string; number: number; text: string | null }): void {
    const batch: Batch = this.#batches.get(gateway) ?? { frames: [], texts: new Map(), length: 0 }
    this.#batches.set(gateway, batch)
    batch.frames.push([userId, at.stream, at.number, at.text === null ? null : indexOf(batch, at.text)])
    batch.length += FRAME_HEAD
    if (batch.length >= MAX_BATCH) this.#publish(gateway, batch)
    else this.#cancel ??= this.#clock.after(BATCH_MS, () => this.flush())
  }

  /** Sends what waits. */
  flush(): void {
    this.#cancel?.()
    this.#cancel = null
    for (const [gateway, batch] of this.#batches) this.#publish(gateway, batch)
  }

  #publish(gateway: string, { frames, texts }: Batch): void {
    this.#batches.delete(gateway)
    this.#bus.publish(liveSubject(gateway), bytesOf({ texts: [...texts.keys()], frames }))
  }
}

function indexOf(batch: Batch, text: string): number {
  const known = batch.texts.get(text)
  if (known !== undefined) return known
  batch.texts.set(text, batch.texts.size)
  batch.length += text.length
  return batch.texts.size - 1
}
