/** One seed decides everything: a small generator of our own, so that a seed means the same run on every runtime. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761 + 1) >>> 0
    for (let i = 0; i < 4; i++) this.unit()
  }

  /** 0 ≤ x < 1 (mulberry32). */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  chance(p: number): boolean {
    return this.unit() < p
  }

  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.unit() * (max - min + 1))
  }

  pick<T>(from: readonly T[]): T {
    const one = from[Math.floor(this.unit() * from.length)]
    if (one === undefined) throw new Error('nothing to pick from')
    return one
  }
}
