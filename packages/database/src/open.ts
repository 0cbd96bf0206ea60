import { Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import { type OpenedPool, openEmbedded } from './embedded/open.ts'
import { durabilityNotes, durabilityRefusal, readDurability } from './durability.ts'
import { DatabaseError } from './errors.ts'
import type { Db } from './handle.ts'
import { takeOver } from './holder.ts'
import type { Lease } from './lease.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { assertRestored } from './restored.ts'
import { OwnedShards } from './shards.ts'
import type { Tables } from './tables.ts'

export type { Db } from './handle.ts'

export interface Database {
  readonly db: Db
  readonly pool: Pool
  readonly kind: 'embedded' | 'postgres'
  /** The right to trade: asked before each commit of an account and before each order. */
  readonly lease: Lease
  /** What this process may commit for: all accounts, or none for a tool beside a server. */
  readonly owned: OwnedShards
  /** Ms since a write last reached it, by boot time: some three seconds while all is well. */
  silentMs(): number
  /** Resolves when the database is lost for good (disk refuses, engine hangs, lock taken by another): end the process. */
  readonly failed: Promise<Error>
  close(): Promise<void>
}

export interface DatabasePlace {
  /** PostgreSQL address; without it the embedded engine is used. */
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
  /** False for tools that may run beside a server (PostgreSQL only; the embedded engine takes one process). */
  readonly exclusive?: boolean
  /** How long to wait for a process before us to leave the folder or the PostgreSQL database, ms. */
  readonly lockWaitMs?: number
  /**
   * Whoever trades on it: what PostgreSQL keeps of a commit is looked at before anything is written. `shared`: with other processes.
   * `report` gets what is allowed and worth knowing.
   */
  readonly trades?: { readonly shared: boolean; readonly report: (line: string) => void }
}

/** Opens it as it is, with whatever tables it has. */
export function openPool({ databaseUrl, dataDir, exclusive = true, lockWaitMs }: DatabasePlace): Promise<OpenedPool> {
  return databaseUrl ? openPostgres(databaseUrl, exclusive, { lockWaitMs }) : openEmbedded(dataDir, lockWaitMs)
}

/**
 * A PostgreSQL beside the server that trades on it, as it is: nothing is migrated, and nothing can be written unless
 * `writing`.
 */
export async function openBeside(databaseUrl: string, { writing }: { writing: boolean }) {
  const opened = await openPostgres(writing ? databaseUrl : readingOnly(databaseUrl), false)
  const { pool } = opened
  return { pool, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), close: () => opened.close() }
}

function readingOnly(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  const given = url.searchParams.get('options') ?? ''
  url.searchParams.set('options', `${given} -c default_transaction_read_only=on`.trim())
  return url.href
}

async function assertDurable(pool: Pool, { shared, report }: NonNullable<DatabasePlace['trades']>): Promise<void> {
  const found = await readDurability(pool)
  const refusal = durabilityRefusal(found, { shared })
  if (refusal !== null) throw new DatabaseError(refusal)
  durabilityNotes(found).forEach(report)
}

/** Opens the database and brings its tables up to date. Throws DatabaseError with a message for the person who runs it. */
export async function openDatabase(place: DatabasePlace): Promise<Database> {
  const { databaseUrl, exclusive = true } = place
  const opened = await openPool(place)
  const { pool, failed } = opened
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const kind = databaseUrl ? 'postgres' : 'embedded'
  try {
    if (kind === 'postgres' && place.trades !== undefined) await assertDurable(pool, place.trades)
    await migrate(db)
    if (place.trades !== undefined) await assertRestored(db)
    const holder = exclusive ? await takeOver(db, kind) : null
    if (holder !== null) opened.beforeReclaim?.(holder.assertStill)
    return {
      db,
      pool,
      failed: holder === null ? failed : Promise.race([failed, holder.replaced]),
      kind,
      lease: opened.lease,
      owned: holder?.owned ?? new OwnedShards(),
      silentMs: () => holder?.silentMs() ?? 0,
      async close() {
        holder?.stop()
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}
