import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/open.ts'

const TOKEN_BYTES = 32
const DAY_MS = 86_400_000
/** Unused this long, or this old: log in again. */
const IDLE_MS = 30 * DAY_MS
const OLDEST_MS = 90 * DAY_MS
/** A session's last use is written this seldom: a page is dozens of requests. */
const TOUCH_EVERY_MS = 3_600_000
/** A session ended from outside this process (the admin command) is noticed this late at most. */
const CACHE_MS = 15_000
const CACHE_SIZE = 10_000

export const SESSION_MAX_AGE_S = IDLE_MS / 1000

export interface Session {
  /** Hex of the token's hash: names the session in memory, useless as a token. */
  readonly id: string
  readonly userId: string
  readonly email: string
  readonly diggerAdmin: boolean
}

interface Cached {
  readonly session: Session
  readonly expiresAt: number
  readonly seenAt: number
  readonly readAt: number
}

/** Log-ins. The database keeps only the token's hash, so a copy of it lets nobody in. */
export class Sessions {
  readonly #db: Db
  readonly #clock: Clock
  readonly #cache = new Map<string, Cached>()
  readonly #listeners = new Set<(sessionId: string) => void>()

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Returns the token for the cookie. */
  async start(userId: string): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const now = this.#clock.now()
    await this.#db.deleteFrom('session').where('expires_at', '<=', now).execute()
    await this.#db
      .insertInto('session')
      .values({
        token_hash: hashOf(token),
        user_id: userId,
        created_at: now,
        seen_at: now,
        expires_at: now + IDLE_MS,
      })
      .execute()
    return token
  }

  async find(token: string): Promise<Session | null> {
    const hash = hashOf(token)
    const id = hash.toString('hex')
    const now = this.#clock.now()
    const cached = this.#cache.get(id)
    const fresh = cached && now - cached.readAt < CACHE_MS ? cached : await this.#read(hash, id, now)
    if (!fresh || fresh.expiresAt <= now) return null
    if (now - fresh.seenAt > TOUCH_EVERY_MS) await this.#touch(hash, now)
    return fresh.session
  }

  async end(token: string): Promise<void> {
    const hash = hashOf(token)
    await this.#db.deleteFrom('session').where('token_hash', '=', hash).execute()
    this.#ended(hash.toString('hex'))
  }

  async endAll(userId: string, db: Db = this.#db): Promise<void> {
    const gone = await db.deleteFrom('session').where('user_id', '=', userId).returning('token_hash').execute()
    for (const { token_hash } of gone) this.#ended(token_hash.toString('hex'))
  }

  /** Open streams end with their session. */
  onEnd(listener: (sessionId: string) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async #read(hash: Buffer, id: string, now: number): Promise<Cached | null> {
    const row = await this.#db
      .selectFrom('session')
      .innerJoin('users', 'users.id', 'session.user_id')
      .select(['user_id', 'email', 'digger_admin', 'seen_at', 'expires_at'])
      .where('token_hash', '=', hash)
      .executeTakeFirst()
    if (!row) {
      if (this.#cache.has(id)) this.#ended(id)
      return null
    }
    const session = { id, userId: row.user_id, email: row.email, diggerAdmin: row.digger_admin }
    const cached = { session, expiresAt: row.expires_at, seenAt: row.seen_at, readAt: now }
    if (this.#cache.size >= CACHE_SIZE) this.#cache.clear()
    this.#cache.set(id, cached)
    return cached
  }

  async #touch(hash: Buffer, now: number): Promise<void> {
    await this.#db
      .updateTable('session')
      .set((put) => ({
        seen_at: now,
        expires_at: put.fn('least', [put.val(now + IDLE_MS), put('created_at', '+', OLDEST_MS)]),
      }))
      .where('token_hash', '=', hash)
      .execute()
    this.#cache.delete(hash.toString('hex'))
  }

  #ended(id: string): void {
    this.#cache.delete(id)
    for (const listener of this.#listeners) listener(id)
  }
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
