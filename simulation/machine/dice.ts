/** Chance from a seed and a name: the same two give the same draws, and one stream never disturbs another (sfc32). */
export class Dice {
  #a: number
  #b: number
  #c: number
  #count = 1

  constructor(seed: number, name: string) {
    const mix = hashOf(`${seed} ${name}`)
    this.#a = mix()
    this.#b = mix()
    this.#c = mix()
    for (let round = 0; round < 12; round++) this.word()
  }

  /** 32 random bits. */
  word(): number {
    const sum = (this.#a + this.#b + this.#count) | 0
    this.#count = (this.#count + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  /** 0 ≤ x < 1. */
  unit(): number {
    return this.word() / 0x1_0000_0000
  }

  chance(probability: number): boolean {
    return this.unit() < probability
  }

  /** A whole number, both ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.unit() * (to - from + 1))
  }

  between(from: number, to: number): number {
    return from + this.unit() * (to - from)
  }

  /** Throws for an empty list. */
  pick<T>(list: readonly T[]): T {
    const one = list[Math.floor(this.unit() * list.length)]
    if (one === undefined) throw new RangeError('nothing to choose from')
    return one
  }

  scatter(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) bytes[at] = this.word() & 255
  }
}

/** Words spread over 32 bits from a text (xmur3). */
function hashOf(text: string): () => number {
  let hash = 1_779_033_703 ^ text.length
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 3_432_918_353)
    hash = (hash << 13) | (hash >>> 19)
  }
  return () => {
    hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507)
    hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909)
    return (hash ^= hash >>> 16) >>> 0
  }
}
