import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock, Db } from '@digger/database'

/** What an answer is good for: nothing else. */
export type Purpose = 'register' | 'enter' | 'prove'

/** As long as the dialog of a browser and of a phone beside it may take, ms. */
export const CHALLENGE_MS = 300_000
const NONCE_BYTES = 16
const TIME_BYTES = 6
const MAC_BYTES = 32

/**
 * Challenges of WebAuthn that need no row before somebody has answered: whoever asks without end costs nothing. Each names its
 * purpose, whom it is for and when it ends, under the server's key.
 */
export class Challenges {
  readonly #db: Db
  readonly #clock: Clock
  readonly #key: Buffer

  constructor(db: Db, clock: Clock, key: Buffer) {
    this.#db = db
    this.#clock = clock
    this.#key = key
  }

  /** `userId` empty: whoever answers. */
  make(purpose: Purpose, userId: string): Uint8Array<ArrayBuffer> {
    const head = Buffer.alloc(NONCE_BYTES + TIME_BYTES)
    randomBytes(NONCE_BYTES).copy(head)
    head.writeUIntBE(this.#clock.now() + CHALLENGE_MS, NONCE_BYTES, TIME_BYTES)
    return new Uint8Array(Buffer.concat([head, this.#mac(head, purpose, userId)]))
  }

  /** Whether it was made here, for this, and is not too old. `challenge`: base64url. */
  isOurs(challenge: string, purpose: Purpose, userId: string): boolean {
    const bytes = Buffer.from(challenge, 'base64url')
    if (bytes.length !== NONCE_BYTES + TIME_BYTES + MAC_BYTES) return false
    const head = bytes.subarray(0, NONCE_BYTES + TIME_BYTES)
    if (!timingSafeEqual(bytes.subarray(head.length), this.#mac(head, purpose, userId))) return false
    const left = head.readUIntBE(NONCE_BYTES, TIME_BYTES) - this.#clock.now()
    return left > 0 && left <= CHALLENGE_MS
  }

  /** False: it was answered before. Called after the answer was found to be right, so that only who has a passkey writes a row. */
  async use(challenge: string): Promise<boolean> {
    const now = this.#clock.now()
    await this.#db.deleteFrom('used_challenge').where('expires_at', '<=', now).execute()
    const { numInsertedOrUpdatedRows = 0n } = await this.#db
      .insertInto('used_challenge')
      .values({ challenge, expires_at: now + CHALLENGE_MS })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows > 0n
  }

  #mac(head: Buffer, purpose: Purpose, userId: string): Buffer {
    return createHmac('sha256', this.#key).update(`digger challenge\n${purpose}\n${userId}\n`).update(head).digest()
  }
}
