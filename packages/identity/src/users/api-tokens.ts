import { createHash, randomBytes } from 'node:crypto'
import { MAX_TOKENS, Refused, TOKEN_SECRET, type TokenScope } from '@digger/contract'
import type { ApiTokenRow, Clock, Db } from '@digger/database'
import { LRUCache } from 'lru-cache'
import type { Session } from './sessions.ts'

const SECRET_BYTES = 32
const DAY_MS = 86_400_000
/** One that has expired is shown so long, so that its person sees why a program was refused. */
const EXPIRED_MS = 30 * DAY_MS
/** A token that was revoked in another process is noticed this late at most. */
const CACHE_MS = 15_000
const MAX_CACHED = 10_000
/** Its last use is written this seldom, unless it comes from elsewhere. */
const TOUCH_INTERVAL_MS = 60_000

const STORED = ['id', 'name', 'scope', 'created_at', 'expires_at', 'used_at', 'used_from'] as const

/** A session that an API token makes, for one request. */
export type TokenSession = Session & Required<Pick<Session, 'token'>>

export interface NewApiToken {
  readonly name: string
  readonly scope: TokenScope
  readonly days: number
}

/** How a token is looked for. */
export interface Look {
  /** Memory older than this is read again, ms. */
  readonly oldestMs?: number | undefined
  /** Where it came from; without it this is no use of it. */
  readonly address?: string | undefined
}

interface Cached {
  readonly session: TokenSession
  readonly tokenId: number
  readonly expiresAt: number
  readonly readAt: number
  usedAt: number | null
  usedFrom: string | null
}

/** As it is stored, but for its hash; instants in epoch ms. */
export type StoredToken = Omit<ApiTokenRow, 'id' | 'user_id' | 'token_hash'> & { readonly id: number }

type Found = Omit<ApiTokenRow, 'id' | 'created_at'> & { readonly id: number; readonly email: string }

/** Who asked, for the account's record: the person, and by which token. */
export const byWhom = ({ email, token }: Pick<Session, 'email' | 'token'>): string =>
  token === undefined ? email : `${email} (토큰: ${token.name})`

/** Ends every token of a user, as the command line does. */
export async function deleteApiTokens(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('api_token').where('user_id', '=', userId).execute()
}

/** Tokens by which programs ask. A session made of one is its owner's, and never an administrator's. */
export class ApiTokens {
  readonly #db: Db
  readonly #clock: Clock
  readonly #cache = new LRUCache<string, Cached>({ max: MAX_CACHED })
  readonly #listeners = new Set<(sessionId: string) => void>()
  #endings = 0

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Returns the secret, which is nowhere to be read again. Throws Refused CONFLICT where there are too many. */
  async make(userId: string, { name, scope, days }: NewApiToken): Promise<{ secret: string; token: StoredToken }> {
    const secret = `digger_${scope}_${randomBytes(SECRET_BYTES).toString('base64url')}`
    const now = this.#clock.now()
    const token = await this.#db.transaction().execute(async (trx) => {
      // One after the other: two at once must not both be the last.
      await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
      await trx
        .deleteFrom('api_token')
        .where('user_id', '=', userId)
        .where('expires_at', '<=', now - EXPIRED_MS)
        .execute()
      const { living } = await trx
        .selectFrom('api_token')
        .select(({ fn }) => fn.countAll<number>().as('living'))
        .where('user_id', '=', userId)
        .where('expires_at', '>', now)
        .executeTakeFirstOrThrow()
      if (living >= MAX_TOKENS) throw new Refused('CONFLICT', TOO_MANY)
      return trx
        .insertInto('api_token')
        .values({
          user_id: userId,
          name,
          scope,
          token_hash: hashOf(secret),
          created_at: now,
          expires_at: now + days * DAY_MS,
          used_at: null,
          used_from: null,
        })
        .returning(STORED)
        .executeTakeFirstOrThrow()
    })
    return { secret, token }
  }

  /** Newest first, with those that expired a short while ago. */
  list(userId: string): Promise<StoredToken[]> {
    return this.#db
      .selectFrom('api_token')
      .select(STORED)
      .where('user_id', '=', userId)
      .where('expires_at', '>', this.#clock.now() - EXPIRED_MS)
      .orderBy('id', 'desc')
      .execute()
  }

  /** Its name; null where this user has no such token. */
  async revoke(userId: string, tokenId: number): Promise<string | null> {
    const gone = await this.#db
      .deleteFrom('api_token')
      .where('user_id', '=', userId)
      .where('id', '=', tokenId)
      .returning(['token_hash', 'name'])
      .executeTakeFirst()
    if (gone === undefined) return null
    this.#end(gone.token_hash.toString('hex'))
    return gone.name
  }

  /** Called once the rows of `deleteApiTokens` are gone for everybody: those that memory has work no more. */
  endKnown(userId: string): void {
    this.#endings += 1
    const known = [...this.#cache.values()].flatMap(({ session: { id, userId: of } }) => (of === userId ? [id] : []))
    for (const id of known) this.#end(id)
  }

  /** Open streams end with their token. */
  onEnd(listener: (sessionId: string) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** What memory has of it. Null means that memory does not know: ask `find`. */
  peek(secret: string): TokenSession | null {
    const now = this.#clock.now()
    const cached = TOKEN_SECRET.test(secret) ? this.#cache.get(hashOf(secret).toString('hex')) : undefined
    return cached && now - cached.readAt < CACHE_MS && cached.expiresAt > now ? cached.session : null
  }

  async find(secret: string, { oldestMs = CACHE_MS, address }: Look = {}): Promise<TokenSession | null> {
    if (!TOKEN_SECRET.test(secret)) return null
    const hash = hashOf(secret)
    const now = this.#clock.now()
    const cached = this.#cache.get(hash.toString('hex'))
    const fresh = cached && now - cached.readAt < oldestMs ? cached : await this.#read(hash, now)
    if (!fresh || fresh.expiresAt <= now) return null
    if (address !== undefined && !(await this.#touch(fresh, address, now))) return null
    return fresh.session
  }

  async #read(hash: Buffer, now: number): Promise<Cached | null> {
    const id = hash.toString('hex')
    const endings = this.#endings
    const row = await this.#db
      .selectFrom('api_token as token')
      .innerJoin('users', 'users.id', 'token.user_id')
      .select(['token.id', 'token.user_id', 'token.name', 'token.scope', 'token.token_hash'])
      .select(['token.expires_at', 'token.used_at', 'token.used_from', 'users.email'])
      .where('token.token_hash', '=', hash)
      .executeTakeFirst()
    if (!row) {
      if (this.#cache.has(id)) this.#end(id)
      return null
    }
    const cached = cachedOf(row, now)
    // Read before some token ended, perhaps this one: good for this request, not to be remembered.
    if (endings === this.#endings) this.#cache.set(id, cached)
    return cached
  }

  /** Writes the last use; false when the token is gone. */
  async #touch(cached: Cached, address: string, now: number): Promise<boolean> {
    const { usedAt, usedFrom, tokenId, session } = cached
    if (usedAt !== null && now - usedAt < TOUCH_INTERVAL_MS && usedFrom === address) return true
    Object.assign(cached, { usedAt: now, usedFrom: address })
    const { numUpdatedRows } = await this.#db
      .updateTable('api_token')
      .set({ used_at: now, used_from: address })
      .where('id', '=', tokenId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) this.#end(session.id)
    return numUpdatedRows > 0n
  }

  #end(id: string): void {
    this.#endings += 1
    this.#cache.delete(id)
    for (const listener of this.#listeners) listener(id)
  }
}

const cachedOf = (row: Found, readAt: number): Cached => ({
  session: {
    id: row.token_hash.toString('hex'),
    userId: row.user_id,
    email: row.email,
    // Whoever its owner is: a token is for their own account alone.
    diggerAdmin: false,
    token: { name: row.name, scope: row.scope },
  },
  tokenId: row.id,
  expiresAt: row.expires_at,
  readAt,
  usedAt: row.used_at,
  usedFrom: row.used_from,
})

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const TOO_MANY = `토큰은 ${MAX_TOKENS}개까지 쓸 수 있습니다. 쓰지 않는 것을 없앤 뒤 다시 만들어 주세요.`
