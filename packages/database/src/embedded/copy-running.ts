import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Pool } from 'pg'

/** Bytes of the log of changes are copied last; the rest is a process' own, or made anew by whoever opens the folder. */
const LOG = 'pg_wal'
const NOT_COPIED = new Set([LOG, 'postmaster.pid', 'postmaster.opts', 'pgsql_tmp', 'backup_label'])

/** What `pg_backup_stop` says: its file makes whoever opens the copy go through the log from its begin to its end. */
interface Stopped {
  readonly labelfile: string
}

/**
 * Copies the folder of an embedded database that goes on committing meanwhile, as PostgreSQL's own base backups do: files are copied
 * while they change, and the log of those changes puts them right when the copy is opened. The one session is needed for two
 * statements only, so that no commit waits for the copying. Whoever opens a copy whose log is not whole is refused by the engine.
 * `from`, `to`: data folders, the second one new. `signal`: ends it before the next file.
 */
export async function copyRunning(
  pool: Pick<Pool, 'query'>,
  { from, to, signal }: { readonly from: string; readonly to: string; readonly signal?: AbortSignal },
): Promise<void> {
  const [source, target] = [from, to].map((folder) => join(folder, 'database'))
  if (source === undefined || target === undefined) return
  await mkdir(target, { recursive: true, mode: 0o700 })
  // Most of what was not written yet is written by this one: the next, which has to be waited for, finds little.
  await pool.query('checkpoint')
  await begin(pool)
  let stopped: Stopped | undefined
  try {
    await copyTree(source, target, signal)
  } finally {
    stopped = (await pool.query<Stopped>('select labelfile from pg_backup_stop(wait_for_archive => false)')).rows[0]
  }
  await copyTree(join(source, LOG), join(target, LOG), signal)
  await writeFile(join(target, 'backup_label'), stopped?.labelfile ?? '', { mode: 0o600 })
}

async function begin(pool: Pick<Pool, 'query'>): Promise<void> {
  const start = () => pool.query(`select pg_backup_start('digger', fast => true)`)
  try {
    await start()
  } catch {
    // One whose end was lost is under way in this session still.
    await pool.query('select pg_backup_stop(wait_for_archive => false)')
    await start()
  }
}

/** One file after the other: nothing else is to wait for the disk. A file that is gone meanwhile is not needed any more. */
async function copyTree(source: string, target: string, signal: AbortSignal | undefined): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(source, { withFileTypes: true, recursive: true })) {
    signal?.throwIfAborted()
    const path = join(entry.parentPath, entry.name)
    const parts = relative(source, path).split(/[\\/]/)
    if (parts.some((part) => NOT_COPIED.has(part))) continue
    const copy = join(target, ...parts)
    if (entry.isDirectory()) await mkdir(copy, { recursive: true, mode: 0o700 })
    else if (entry.isFile()) await copyFile(path, copy, constants.COPYFILE_FICLONE).catch(unlessGone)
  }
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
