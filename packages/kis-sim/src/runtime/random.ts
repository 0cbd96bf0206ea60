/**
 * Randomness by counter: value `n` of a stream depends on the stream's key and `n` alone, so one stock's path never
 * shifts because another stock, or a client, drew a number first; and a stream continues after a restart from `n`.
 */
export function streamKey(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const char of parts.join('|')) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return mix(hash)
}

/** Value `n` of a stream, in [0, 1). */
export const unit = (key: number, n: number): number => mix(key ^ mix(n + 0x9e3779b9)) / 2 ** 32

/** Two rounds of xor-shift-multiply: every input bit reaches every output bit. */
function mix(value: number): number {
  let x = value | 0
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
  return (x ^ (x >>> 15)) >>> 0
}

/** A stream that counts for itself. */
export class Dice {
  readonly #key: number
  #n = 0

  constructor(...parts: readonly (string | number)[]) {
    this.#key = streamKey(...parts)
  }

  next(): number {
    return unit(this.#key, this.#n++)
  }

  chance(probability: number): boolean {
    return probability > 0 && this.next() < probability
  }

  /** Whole number in [from, to]. */
  within([from, to]: readonly [number, number]): number {
    return from === to ? from : from + Math.floor(this.next() * (to - from + 1))
  }

  /** Text of `length` characters out of an alphabet. */
  text(length: number, alphabet: string): string {
    return Array.from({ length }, () => alphabet[Math.floor(this.next() * alphabet.length)]).join('')
  }
}
