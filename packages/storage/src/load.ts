import { type Book, emptyBook, evolve, kstDay, type Fact } from '@digger/core'
import { shardOf, type Clock, type Database, type Db } from '@digger/database'
import { loadBook, loadBooks, type Loaded } from './books.ts'
import { FencedError, NoLeaseError } from './committer.ts'
import { changesOf } from './rows-of.ts'
import { writeChanges } from './store.ts'

/** Accounts that are read together: rows of more would outlive the collector's first look and cost it a quarter more. */
const LOAD_CONCURRENCY = 100

export type Tables = Pick<Database, 'db' | 'pool' | 'lease' | 'owned' | 'silentMs'>

/** An account that was read anew. */
export interface Reloaded extends Loaded {
  /** What the journal has beyond what was known: written, though the answer was lost. */
  readonly missed: readonly Fact[]
}

/** Reads accounts from the tables. */
export class AccountReader {
  readonly #tables: Tables
  readonly #clock: Clock

  constructor(tables: Tables, clock: Clock) {
    this.#tables = tables
    this.#clock = clock
  }

  /** Throws FencedError where the account is not, or no longer, this process' own. */
  async load(userId: string): Promise<Loaded> {
    if (!this.#tables.owned.isOwn(userId)) throw new FencedError()
    return this.#asOwner(userId, await loadOrCreate(this.#tables, userId, this.#clock.now()))
  }

  /** All of these, in a few questions; an account that is not this process' own is left out, and one that fails is told. */
  async *loadAll(
    userIds: readonly string[],
    failed: (userId: string, error: unknown) => void,
  ): AsyncGenerator<readonly [userId: string, loaded: Loaded]> {
    for (let from = 0; from < userIds.length; from += LOAD_CONCURRENCY) {
      const some = userIds.slice(from, from + LOAD_CONCURRENCY)
      // One that cannot be read keeps none of the others from it.
      const books = await loadBooks(this.#tables.db, some).catch(() => new Map<string, Loaded>())
      for (const userId of some) {
        const loaded = books.get(userId)
        try {
          yield [userId, await (loaded === undefined ? this.load(userId) : this.#asOwner(userId, loaded))]
        } catch (error) {
          if (!(error instanceof FencedError)) failed(userId, error)
        }
      }
    }
  }

  async #asOwner(userId: string, loaded: Loaded): Promise<Loaded> {
    const { db, owned } = this.#tables
    const own = owned.of(userId)?.epoch
    if (own === undefined || loaded.epoch > own) throw new FencedError()
    // It was made in the very moment in which its shard was taken.
    if (loaded.epoch < own)
      await db
        .updateTable('account')
        .set({ epoch: own })
        .where('user_id', '=', userId)
        .where('epoch', '<', own)
        .execute()
    return { ...loaded, epoch: own }
  }

  /**
   * After a refused commit; `since` is the newest journal row that is known. Throws NoLeaseError where somebody else may
   * own the account by now, FencedError where somebody does.
   */
  async reload(userId: string, since: number): Promise<Reloaded> {
    if (!this.#tables.lease.held()) throw new NoLeaseError()
    const loaded = await this.load(userId)
    const rows = await this.#tables.db
      .selectFrom('journal')
      .select('fact')
      .where('user_id', '=', userId)
      .where('seq', '>', since)
      .orderBy('seq')
      .execute()
    return { ...loaded, missed: rows.map(({ fact }) => fact) }
  }
}

/** An account's journal begins with its first day. Asked for twice at once, both get what was written first. */
export async function loadOrCreate(
  { db, pool }: Pick<Tables, 'db' | 'pool'>,
  userId: string,
  now: number,
): Promise<Loaded> {
  const loaded = await loadBook(db, userId)
  if (loaded !== null) return loaded
  const day = kstDay(now)
  const fact: Fact = { kind: 'dayOpened', day, at: now }
  const book = evolve(emptyBook(''), fact)
  const epoch = await epochOf(db, userId)
  try {
    await writeChanges(pool, [changesOf(userId, { seq: 0, epoch }, [fact], book)])
  } catch (error) {
    const written = await loadBook(db, userId)
    if (written === null) throw error
    return written
  }
  return { book, seq: 1, epoch, keys: [] }
}

/** Adds a fact to an account that no process has; an account that was never opened gets none. */
export async function recordFact(
  { db, pool }: Pick<Tables, 'db' | 'pool'>,
  userId: string,
  factOf: (book: Book) => Fact,
): Promise<void> {
  const loaded = await loadBook(db, userId)
  if (loaded === null) return
  const fact = factOf(loaded.book)
  await writeChanges(pool, [changesOf(userId, loaded, [fact], evolve(loaded.book, fact))])
}

/** Of a new account. */
async function epochOf(db: Db, userId: string): Promise<number> {
  const row = await db.selectFrom('shard').select('epoch').where('id', '=', shardOf(userId)).executeTakeFirstOrThrow()
  return row.epoch
}
