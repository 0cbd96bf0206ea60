import { hash, hashRaw, verify } from '@node-rs/argon2'
import { randomBytes } from 'node:crypto'
import { HashQueue } from './queue.ts'

/** Cost of Argon2id (its library's default form). Memory in KiB. */
export interface KdfCost {
  readonly memoryCost: number
  readonly timeCost: number
}

/** About 0.1–0.2 s per guess on one core and 64 MiB each: bearable at log-in, expensive in bulk. */
export const KDF_COST: KdfCost = { memoryCost: 65_536, timeCost: 3 }

/** The form of PHC strings, stored beside what was derived, so that the cost can be raised later. */
const COST_FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1$/
/** Rows without a cost are from the time when there was only this one. */
const FIRST_COST: KdfCost = { memoryCost: 65_536, timeCost: 3 }
/** Somebody who can write the database must not make one log-in take all memory or an hour. */
const MAX_COST: KdfCost = { memoryCost: 1_048_576, timeCost: 16 }

const KEY_BYTES = 32
const SALT_BYTES = 16

/** Makes everything that is made from a password. */
export class Passwords {
  readonly #cost: KdfCost
  readonly #decoy: Promise<string>
  readonly queue = new HashQueue()

  constructor(cost: KdfCost = KDF_COST) {
    this.#cost = cost
    this.#decoy = hash(randomBytes(16), cost)
  }

  hash(password: string): Promise<string> {
    return this.#proven(() => hash(password, this.#cost))
  }

  /**
   * Runs in a turn of the queue, after the budget of the asker was checked. Without a hash (unknown e-mail) it takes as
   * long and returns false, so that the time gives nothing away.
   */
  async compare(password: string, passwordHash: string | null): Promise<boolean> {
    const same = await verify(passwordHash ?? (await this.#decoy), password)
    return same && passwordHash !== null
  }

  /**
   * The key that wraps keys. Not derivable from the stored hash: it has a salt of its own. `cost` is what was stored
   * beside the salt (null: before costs were stored). Throws RangeError for a cost nobody could have meant.
   */
  async key(password: string, salt: Buffer, cost: string | null): Promise<Buffer> {
    const { memoryCost, timeCost } = cost === null ? FIRST_COST : costFrom(cost)
    return this.#proven(() => hashRaw(password, { memoryCost, timeCost, salt, outputLen: KEY_BYTES }))
  }

  /** What a new key costs; stored beside its salt. */
  get cost(): string {
    return `$argon2id$v=19$m=${this.#cost.memoryCost},t=${this.#cost.timeCost},p=1`
  }

  newSalt(): Buffer {
    return randomBytes(SALT_BYTES)
  }

  /** Work for somebody whose password or broker credentials were right: strangers' guesses must not delay it. */
  #proven<T>(work: () => Promise<T>): Promise<T> {
    return this.queue.run('known', '', work)
  }
}

function costFrom(text: string): KdfCost {
  const [, memory, time] = COST_FORM.exec(text) ?? []
  const cost = { memoryCost: Number(memory), timeCost: Number(time) }
  const isBearable = cost.memoryCost <= MAX_COST.memoryCost && cost.timeCost <= MAX_COST.timeCost
  if (!isBearable) throw new RangeError(`no cost of Argon2id: ${text}`)
  return cost
}
