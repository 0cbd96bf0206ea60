import type { Item } from './items.ts'

export interface LaneParts {
  /** So many at once. */
  readonly size: number
  readonly take: (limit: number) => Promise<readonly Item[]>
  /** Does an item and writes what came of it. Never rejects. */
  readonly work: (item: Item) => Promise<void>
  readonly failed: (error: unknown) => void
}

/** Works on so many items at once. It takes only what it begins at once, so that what waits can still be cancelled. */
export class Lane {
  readonly #parts: LaneParts
  readonly #running = new Set<Promise<void>>()
  #filling: Promise<void> | null = null
  #again = false

  constructor(parts: LaneParts) {
    this.#parts = parts
  }

  /** Takes as many as there is room for. */
  fill(): Promise<void> {
    this.#again = true
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = null
      if (this.#again) this.fill().catch(this.#parts.failed)
    })
    return this.#filling
  }

  async idle(): Promise<void> {
    await this.#filling
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async #fill(): Promise<void> {
    while (this.#again) {
      this.#again = false
      const room = this.#parts.size - this.#running.size
      if (room === 0) return
      const items = await this.#parts.take(room)
      for (const item of items) this.#begin(item, items.length === room)
    }
  }

  /** `more`: others may wait. */
  #begin(item: Item, more: boolean): void {
    const running = this.#parts.work(item).finally(() => {
      this.#running.delete(running)
      if (more) this.fill().catch(this.#parts.failed)
    })
    this.#running.add(running)
  }
}
