interface Batch {
  readonly shards: number[]
  readonly written: Promise<void>
}

/**
 * Gives shards back that were let go, all that come while a statement is under way in the next one: a worker that is emptied lets go of
 * a hundred in one moment, and each by itself they would wait for a connection beside the orders of all others, some of them too long.
 */
export class Releases {
  readonly #write: (shards: readonly number[]) => Promise<void>
  #last: Promise<unknown> = Promise.resolve()
  #next: Batch | null = null

  constructor(write: (shards: readonly number[]) => Promise<void>) {
    this.#write = write
  }

  /** Resolves when it is written. */
  add(shard: number): Promise<void> {
    if (this.#next !== null) {
      this.#next.shards.push(shard)
      return this.#next.written
    }
    const shards = [shard]
    const written = this.#last.then(() => {
      this.#next = null
      return this.#write(shards)
    })
    this.#next = { shards, written }
    // What failed is theirs whose shards it were; those after them are tried.
    this.#last = written.catch(() => undefined)
    return written
  }
}
