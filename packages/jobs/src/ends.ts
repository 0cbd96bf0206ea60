import type { Clock } from '@digger/database'
import type { Ended, Item } from './items.ts'

type End = Item & { readonly ended: Ended }

/** After a write that failed it is tried again this much later, ms. */
const RETRY_MS = 1_000

export interface EndsParts {
  readonly clock: Clock
  readonly write: (ends: readonly End[]) => Promise<void>
  readonly problem: (error: unknown) => void
}

/** Writes what came of items, those that end meanwhile together. What cannot be written is tried until it can be. */
export class Ends {
  readonly #parts: EndsParts
  #pending: { readonly end: End; readonly written: () => void }[] = []
  #writing = false
  #stopped = false

  constructor(parts: EndsParts) {
    this.#parts = parts
  }

  /** Resolves when it is durable, or after `stop` when it could not be: then whoever comes next does not know it either. */
  add(end: End): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#pending.push({ end, written: resolve })
    if (!this.#writing) void this.#writeAll()
    return promise
  }

  /** From now on what fails to be written is given up. */
  stop(): void {
    this.#stopped = true
  }

  async #writeAll(): Promise<void> {
    this.#writing = true
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0)
      try {
        await this.#parts.write(batch.map(({ end }) => end))
      } catch (error) {
        this.#parts.problem(error)
        if (!this.#stopped) {
          this.#pending.unshift(...batch)
          await this.#pause()
          continue
        }
      }
      for (const { written } of batch) written()
    }
    this.#writing = false
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#parts.clock.after(RETRY_MS, resolve))
  }
}
