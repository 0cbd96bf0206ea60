import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { TokenScope } from '@digger/contract'
import type { Clock, Database, Db, Factor } from '@digger/database'
import { forgetDevicesOf } from './session-list.ts'
import { SessionRows } from './session-rows.ts'

const TOKEN_BYTES = 32
const DAY_MS = 86_400_000
/** A session ends when it was unused this long, or is this old. */
const IDLE_MS = 30 * DAY_MS
const MAX_AGE_MS = 90 * DAY_MS
/** A session's last use is written this seldom: a page is dozens of requests. */
const TOUCH_INTERVAL_MS = 3_600_000
/** A session ended in another process that tells nobody (the admin command), or whose news was lost, is noticed this late at most. */
const CACHE_MS = 15_000
const MAX_CACHED = 10_000
const MAX_ADDRESS = 45
const MAX_AGENT = 200

export const SESSION_MAX_AGE_S = IDLE_MS / 1000

export interface Session {
  /** Hex of the token's hash: names the session in memory, useless as a token. */
  readonly id: string
  readonly userId: string
  readonly email: string
  readonly diggerAdmin: boolean
  /** What was shown in it beside a password; null: nothing. Absent where it was settled before whether that is enough. */
  readonly factor?: Factor | null
  /** Where no browser asks but a program, by an API token. */
  readonly token?: { readonly name: string; readonly scope: TokenScope }
}

/** Whence somebody logged in. */
export interface Whence {
  readonly address: string
  /** What the browser says it is. */
  readonly agent: string
  readonly factor: Factor | null
  /** Token of the device's cookie; null: it has none. */
  readonly device: string | null
}

const NOWHERE: Whence = { address: '', agent: '', factor: null, device: null }

/** Which sessions ended: one, or all of a user. */
export type Ended = { readonly sessionId: string } | { readonly userId: string }

interface Cached {
  readonly token: string
  readonly session: Session
  expiresAt: number
  seenAt: number
  readonly readAt: number
}

interface Asked {
  readonly token: string
  readonly hash: Buffer
  readonly id: string
}

/** Ends every session of a user, as the command line does. Returns their hashes. */
export async function deleteSessions(db: Db, userId: string): Promise<Buffer[]> {
  const gone = await db.deleteFrom('session').where('user_id', '=', userId).returning('token_hash').execute()
  return gone.map(({ token_hash }) => token_hash)
}

/** Log-ins. The database keeps only the token's hash, so a copy of it lets nobody in. */
export class Sessions {
  readonly #db: Db
  readonly #rows: SessionRows
  readonly #clock: Clock
  readonly #cache: LRUCache<string, Cached>
  /** Ids of the cached sessions: hashing a token anew for each request costs more than all the rest of a look-up. */
  readonly #idsByToken = new Map<string, string>()
  readonly #listeners = new Set<(sessionId: string) => void>()
  readonly #publishers = new Set<(ended: Ended) => void>()
  readonly #reading = new Map<string, Promise<Cached | null>>()
  #endings = 0

  constructor({ db, pool }: Pick<Database, 'db' | 'pool'>, clock: Clock, maxCached = MAX_CACHED) {
    this.#db = db
    this.#rows = new SessionRows(pool)
    this.#clock = clock
    this.#cache = new LRUCache({
      max: maxCached,
      dispose: ({ token }) => void this.#idsByToken.delete(token),
    })
  }

  /** Returns the token for the cookie. */
  async start(userId: string, whence = NOWHERE): Promise<string> {
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
        proven_at: now,
        factor: whence.factor,
        address: whence.address.slice(0, MAX_ADDRESS),
        agent: whence.agent.slice(0, MAX_AGENT),
        device_hash: whence.device === null ? null : hashOf(whence.device),
      })
      .execute()
    return token
  }

  /** The session from memory, where it was read at most `oldestMs` ago. Null means that memory does not know: ask `find`. */
  peek(token: string, oldestMs = CACHE_MS): Session | null {
    const id = this.#idsByToken.get(token)
    const cached = id === undefined ? undefined : this.#cache.get(id)
    const now = this.#clock.now()
    if (!cached || now - cached.readAt >= oldestMs || cached.expiresAt <= now) return null
    return now - cached.seenAt > TOUCH_INTERVAL_MS ? null : cached.session
  }

  async find(token: string, oldestMs = CACHE_MS): Promise<Session | null> {
    const known = this.peek(token, oldestMs)
    if (known) return known
    const hash = hashOf(token)
    const id = hash.toString('hex')
    const now = this.#clock.now()
    const cached = this.#cache.get(id)
    const fresh = cached && now - cached.readAt < oldestMs ? cached : await this.#readOnce({ token, hash, id }, now)
    if (!fresh || fresh.expiresAt <= now) return null
    if (now - fresh.seenAt > TOUCH_INTERVAL_MS && !(await this.#touch(fresh, hash, now))) return null
    return fresh.session
  }

  async end(token: string): Promise<void> {
    const hash = hashOf(token)
    await this.#db.deleteFrom('session').where('token_hash', '=', hash).execute()
    this.#ended(hash.toString('hex'))
  }

  /** One of a person's, by its id; all but one where `id` says so. Their devices are known no more. Returns how many there were. */
  async endSome(userId: string, which: { readonly id: string } | { readonly allBut: string }): Promise<number> {
    const [id, sign] = 'id' in which ? [which.id, '=' as const] : [which.allBut, '!=' as const]
    const hash = Buffer.from(id, 'hex')
    const gone = await this.#db.transaction().execute(async (trx) => {
      const rows = await trx
        .deleteFrom('session')
        .where('user_id', '=', userId)
        .where('token_hash', sign, hash)
        .returning(['token_hash', 'device_hash'])
        .execute()
      await forgetDevicesOf(trx, userId, rows, 'allBut' in which ? hash : null)
      return rows
    })
    for (const { token_hash } of gone) this.#ended(token_hash.toString('hex'))
    return gone.length
  }

  async endAll(userId: string, db: Db = this.#db): Promise<void> {
    for (const hash of await deleteSessions(db, userId)) this.#ended(hash.toString('hex'))
  }

  /** Called after the commit of an `endAll` inside a transaction: until then others could still read the row. */
  endKnown(userId: string): void {
    this.forget({ userId })
    this.#publish({ userId })
  }

  /** Another process has ended them: memory knows them no more, and their open streams end. */
  forget(ended: Ended): void {
    this.#endings += 1
    for (const id of 'userId' in ended ? this.#knownOf(ended.userId) : [ended.sessionId]) this.#endHere(id)
  }

  /** News of endings may have been lost: every session is read again. */
  forgetAll(): void {
    this.#endings += 1
    this.#reading.clear()
    this.#cache.clear()
  }

  #knownOf(userId: string): string[] {
    return [...this.#cache.values()].flatMap(({ session }) => (session.userId === userId ? [session.id] : []))
  }

  /** Called for what was ended, or found to be ended, in this process: other processes remember it, too. */
  onEndedHere(listener: (ended: Ended) => void): () => void {
    this.#publishers.add(listener)
    return () => void this.#publishers.delete(listener)
  }

  /** Open streams end with their session. */
  onEnd(listener: (sessionId: string) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** A page asks half a dozen things at once: one look for all of them. */
  #readOnce(asked: Asked, now: number): Promise<Cached | null> {
    const { id } = asked
    const underWay = this.#reading.get(id)
    if (underWay) return underWay
    const reading = this.#read(asked, now).finally(() => this.#reading.get(id) === reading && this.#reading.delete(id))
    this.#reading.set(id, reading)
    return reading
  }

  async #read({ token, hash, id }: Asked, now: number): Promise<Cached | null> {
    const endings = this.#endings
    const row = await this.#rows.find(hash)
    if (!row) {
      if (this.#cache.has(id)) this.#ended(id)
      return null
    }
    const { user_id: userId, email, digger_admin: diggerAdmin, factor } = row
    const session = { id, userId, email, diggerAdmin, factor }
    const cached = { token, session, expiresAt: row.expires_at, seenAt: row.seen_at, readAt: now }
    // Read before some session ended, perhaps this one: good for this request, not to be remembered.
    if (endings !== this.#endings) return cached
    this.#cache.set(id, cached)
    this.#idsByToken.set(token, id)
    return cached
  }

  /** Writes the last use; false when the session is gone. Memory has it at once: requests meanwhile need not write it again. */
  async #touch(cached: Cached, hash: Buffer, now: number): Promise<boolean> {
    cached.seenAt = now
    const row = await this.#db
      .updateTable('session')
      .set((put) => ({
        seen_at: now,
        expires_at: put.fn('least', [put.val(now + IDLE_MS), put('created_at', '+', MAX_AGE_MS)]),
      }))
      .where('token_hash', '=', hash)
      .returning('expires_at')
      .executeTakeFirst()
    if (row) cached.expiresAt = row.expires_at
    else this.#ended(cached.session.id)
    return row !== undefined
  }

  #ended(id: string): void {
    this.forget({ sessionId: id })
    this.#publish({ sessionId: id })
  }

  #endHere(id: string): void {
    this.#reading.delete(id)
    this.#cache.delete(id)
    for (const listener of this.#listeners) listener(id)
  }

  #publish(ended: Ended): void {
    for (const publish of this.#publishers) publish(ended)
  }
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
