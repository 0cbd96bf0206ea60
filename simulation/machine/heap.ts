/** Something that happens at an instant of the simulated time. */
export interface Due {
  /** Ms since the start of the run. */
  at: number
  /** Decides between two of the same instant. */
  order: number
}

/** The earliest first. */
export class Heap<T extends Due> {
  readonly #list: T[] = []

  get size(): number {
    return this.#list.length
  }

  get first(): T | undefined {
    return this.#list[0]
  }

  clear(): void {
    this.#list.length = 0
  }

  push(item: T): void {
    const list = this.#list
    let at = list.length
    list.push(item)
    while (at > 0) {
      const up = (at - 1) >> 1
      const parent = list[up]
      if (parent === undefined || !isBefore(item, parent)) break
      list[at] = parent
      at = up
    }
    list[at] = item
  }

  pop(): T | undefined {
    const list = this.#list
    const top = list[0]
    const last = list.pop()
    if (last === undefined || list.length === 0) return top
    let at = 0
    for (;;) {
      const left = list[2 * at + 1]
      const right = list[2 * at + 2]
      const child = right !== undefined && left !== undefined && isBefore(right, left) ? right : left
      if (child === undefined || !isBefore(child, last)) break
      list[at] = child
      at = child === right ? 2 * at + 2 : 2 * at + 1
    }
    list[at] = last
    return top
  }
}

const isBefore = (one: Due, other: Due): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order)
