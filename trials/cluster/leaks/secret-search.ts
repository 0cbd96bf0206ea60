import { type Encoding, encodingsOf } from './encodings.ts'

export interface Secret {
  /** What it is; never whose, and never itself. */
  readonly kind: string
  readonly bytes: Buffer
}

export interface Match {
  readonly kind: string
  readonly encoding: Encoding
  /** Where it begins, bytes. */
  readonly at: number
}

interface Pattern extends Omit<Match, 'at'> {
  readonly bytes: Buffer
}

/** So many first bytes of each pattern are looked up in one table: an account number has ten. */
const WINDOW = 10
const FACTOR = 0x01_00_01_93
const FACTOR_OF_FIRST = Array.from({ length: WINDOW - 1 }).reduce((product: number) => Math.imul(product, FACTOR), 1)
const FILTER_BITS = 20

/** Looks for many secrets at once, in every encoding, by a rolling hash (Rabin and Karp): one pass, however many there are. */
export class SecretSearch {
  readonly #patterns = new Map<number, Pattern[]>()
  /** Most windows begin no pattern: one look into it shows that. */
  readonly #filter = new Uint8Array(2 ** FILTER_BITS)
  /** Of the longest pattern, bytes. */
  readonly maxLength: number

  /** Throws for a secret that is too short to be told from chance. */
  constructor(secrets: readonly Secret[]) {
    let maxLength = WINDOW
    for (const { kind, bytes: secret } of secrets)
      for (const { encoding, bytes } of encodingsOf(secret)) {
        if (bytes.length < WINDOW)
          throw new Error(`a secret of ${bytes.length} bytes is too short to look for: ${kind}`)
        const hash = hashAt(bytes, 0)
        const same = this.#patterns.get(hash) ?? []
        same.push({ kind, encoding, bytes })
        this.#patterns.set(hash, same)
        this.#filter[hash >>> (32 - FILTER_BITS)] = 1
        maxLength = Math.max(maxLength, bytes.length)
      }
    this.maxLength = maxLength
  }

  /** What begins before `end` and is whole. */
  *find(data: Buffer, end = data.length): Generator<Match> {
    const last = Math.min(end - 1, data.length - WINDOW)
    if (last < 0) return
    let hash = hashAt(data, 0)
    for (let at = 0; ; at += 1) {
      if (this.#filter[hash >>> (32 - FILTER_BITS)] === 1) yield* this.#at(data, at, hash)
      if (at === last) return
      const without = hash - Math.imul(data[at] ?? 0, FACTOR_OF_FIRST)
      hash = (Math.imul(without, FACTOR) + (data[at + WINDOW] ?? 0)) >>> 0
    }
  }

  *#at(data: Buffer, at: number, hash: number): Generator<Match> {
    for (const { kind, encoding, bytes } of this.#patterns.get(hash) ?? []) {
      const end = at + bytes.length
      if (end <= data.length && data.compare(bytes, 0, bytes.length, at, end) === 0) yield { kind, encoding, at }
    }
  }
}

function hashAt(data: Buffer, at: number): number {
  let hash = 0
  for (let n = 0; n < WINDOW; n += 1) hash = (Math.imul(hash, FACTOR) + (data[at + n] ?? 0)) >>> 0
  return hash
}

/** The same over what comes in pieces, of which no more is kept than the longest pattern. */
export class StreamSearch {
  readonly #search: SecretSearch
  #carry = Buffer.alloc(0)
  /** Where the carry begins. */
  #from = 0

  constructor(search: SecretSearch) {
    this.#search = search
  }

  push(chunk: Buffer): Match[] {
    const data = Buffer.concat([this.#carry, chunk])
    return this.#take(data, Math.max(0, data.length - this.#search.maxLength))
  }

  end(): Match[] {
    return this.#take(this.#carry, this.#carry.length)
  }

  #take(data: Buffer, end: number): Match[] {
    const from = this.#from
    const found = [...this.#search.find(data, end)].map((match) => ({ ...match, at: from + match.at }))
    this.#carry = Buffer.from(data.subarray(end))
    this.#from += end
    return found
  }
}
