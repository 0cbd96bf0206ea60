interface Entry {
  readonly at: number
  readonly nth: number
  readonly run: () => void
}

/** Virtual time: what is due runs in order of time, ties in order of their making. */
export class Agenda {
  now: number
  #made = 0
  readonly #heap: Entry[] = []

  constructor(start: number) {
    this.now = start
  }

  after(ms: number, run: () => void): void {
    this.at(this.now + ms, run)
  }

  at(at: number, run: () => void): void {
    const heap = this.#heap
    heap.push({ at: Math.max(at, this.now), nth: this.#made++, run })
    for (let child = heap.length - 1; child > 0;) {
      const parent = (child - 1) >> 1
      if (!this.#isBefore(child, parent)) break
      this.#swap(child, parent)
      child = parent
    }
  }

  /** Lets everything happen that is due up to and including `until`. */
  runUntil(until: number): void {
    for (let next = this.#heap[0]; next !== undefined && next.at <= until; next = this.#heap[0]) {
      this.#removeFirst()
      this.now = next.at
      next.run()
    }
    this.now = until
  }

  #removeFirst(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    heap[0] = last
    for (let parent = 0; ;) {
      const left = 2 * parent + 1
      const least = left + 1 < heap.length && this.#isBefore(left + 1, left) ? left + 1 : left
      if (least >= heap.length || !this.#isBefore(least, parent)) return
      this.#swap(parent, least)
      parent = least
    }
  }

  #isBefore(i: number, j: number): boolean {
    const a = this.#heap[i]
    const b = this.#heap[j]
    return a !== undefined && b !== undefined && (a.at < b.at || (a.at === b.at && a.nth < b.nth))
  }

  #swap(i: number, j: number): void {
    const [a, b] = [this.#heap[i], this.#heap[j]]
    if (a === undefined || b === undefined) return
    this.#heap[i] = b
    this.#heap[j] = a
  }
}
