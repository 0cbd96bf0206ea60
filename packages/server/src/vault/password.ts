import { hash, hashRaw, verify } from '@node-rs/argon2'
import { randomBytes } from 'node:crypto'

/** Cost of Argon2id (its library's default form). Memory in KiB. */
export interface KdfCost {
  readonly memoryCost: number
  readonly timeCost: number
}

/** About 0.1–0.2 s per guess on one core and 64 MiB each: bearable at log-in, dear in bulk. */
export const KDF_COST: KdfCost = { memoryCost: 65_536, timeCost: 3 }

const KEY_BYTES = 32
const SALT_BYTES = 16
/** Each takes its memory; a burst of log-ins must queue, not exhaust the machine. */
const AT_ONCE = 2

/** Everything made from a password. */
export class Passwords {
  readonly #cost: KdfCost
  readonly #decoy: Promise<string>
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(cost: KdfCost = KDF_COST) {
    this.#cost = cost
    this.#decoy = hash(randomBytes(16), cost)
  }

  hash(password: string): Promise<string> {
    return this.#queued(() => hash(password, this.#cost))
  }

  /** Without a hash (unknown e-mail) it takes as long and says no, so that the time tells nothing. */
  async matches(password: string, passwordHash: string | null): Promise<boolean> {
    const against = passwordHash ?? (await this.#decoy)
    const same = await this.#queued(() => verify(against, password))
    return same && passwordHash !== null
  }

  /** The key that wraps keys. Not derivable from the stored hash: it has a salt of its own. */
  key(password: string, salt: Buffer): Promise<Buffer> {
    return this.#queued(() => hashRaw(password, { ...this.#cost, salt, outputLen: KEY_BYTES }))
  }

  newSalt(): Buffer {
    return randomBytes(SALT_BYTES)
  }

  async #queued<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => void this.#waiting.push(resolve))
    else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
