import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kstDay, kstTime } from '@digger/core'
import { dumpTables, OperatorError, ownVersion } from '@digger/database'
import type { Pool } from 'pg'
import {
  BACKUP_FORM,
  type Backup,
  BackupError,
  fileSum,
  type Manifest,
  MANIFEST,
  manifestText,
  ROWS,
} from './manifest.ts'

/**
 * What a living server needs and a copy must not have: a session or an API token of before would open the copy, and a broker's token is asked anew.
 * Tries to log in are all there again within the hour. Who holds leases and who works off jobs is in no dump.
 */
export const NOT_KEPT: readonly string[] = ['session', 'api_token', 'broker_token', 'login_budget']

/** A database that is read as it is. */
export interface Source {
  readonly pool: Pool
  readonly kind: Manifest['kind']
  /** Before the snapshot was taken, epoch ms. */
  readonly takenAt: number
}

/** Begins the name of a folder that is not whole. */
export const MAKING = '.making-'

/**
 * Writes a new backup into a folder of its own inside `into`: under another name until all of it is on the disk, so that whatever has the
 * name of a backup is whole, whenever the power goes.
 */
export async function takeBackup({ pool, kind, takenAt }: Source, into: string): Promise<Backup> {
  const name = `digger-${kstDay(takenAt)}-${kstTime(takenAt)}-${randomBytes(3).toString('hex')}`
  const [making, folder] = [join(into, `${MAKING}${name}`), join(into, name)]
  try {
    await mkdir(into, { recursive: true, mode: 0o700 })
    await mkdir(making, { mode: 0o700 })
    const tables = await dumpTables(pool, join(making, ROWS), { without: NOT_KEPT })
    const manifest: Manifest = {
      digger: 'backup',
      form: BACKUP_FORM,
      version: ownVersion(),
      kind,
      ...(await stateOf(pool)),
      takenAt,
      files: [{ name: ROWS, ...(await fileSum(join(making, ROWS))) }],
      tables,
    }
    await writeFile(join(making, MANIFEST), manifestText(manifest), { flag: 'wx', mode: 0o600, flush: true })
    await syncFolder(making)
    await rename(making, folder)
    await syncFolder(into)
    return { folder, name, manifest }
  } catch (error) {
    await rm(making, { recursive: true, force: true }).catch(() => undefined)
    if (error instanceof OperatorError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new BackupError(`${into}에 백업하지 못했습니다: ${why}`, { cause: error })
  }
}

/** A table of an earlier program may lack the column, or not be there: its first facts were number 1. */
async function stateOf(pool: Pool): Promise<Pick<Manifest, 'migrations' | 'facts'>> {
  const { rows } = await pool.query<{ name: string }>('select name from kysely_migration order by name')
  const { rows: shards } = await pool.query<{ found: boolean }>(`select to_regclass('shard') is not null as found`)
  const newest = shards[0]?.found === true ? await newestFacts(pool) : 1
  return { migrations: rows.map(({ name }) => name), facts: newest }
}

async function newestFacts(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ facts: number | null }>(
    `select max((to_jsonb(shard) ->> 'facts')::bigint) as facts from shard`,
  )
  return rows[0]?.facts ?? 1
}

async function syncFolder(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } catch (error) {
    // Folders cannot be synced everywhere (Windows, some mounted ones); files can, and were.
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code !== 'EPERM' && code !== 'EINVAL' && code !== 'ENOTSUP') throw error
  } finally {
    await file.close()
  }
}
