import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type DatabasePlace, FolderInUseError, openBeside, openPool } from '@digger/database'
import { BackupError } from './manifest.ts'
import { askForCopy } from './requests.ts'
import type { Source } from './take.ts'

/**
 * Reads the database of this place while `read` runs, also while a server trades on it: PostgreSQL shows one moment of itself; of an
 * embedded one that is open elsewhere its server makes a copy.
 */
export async function withSource<T>(
  { databaseUrl, dataDir }: Pick<DatabasePlace, 'databaseUrl' | 'dataDir'>,
  read: (source: Source) => Promise<T>,
): Promise<T> {
  const takenAt = Date.now()
  if (databaseUrl !== undefined) {
    const opened = await openBeside(databaseUrl, { writing: false })
    return readThenEnd(
      () => read({ pool: opened.pool, kind: 'postgres', takenAt }),
      () => opened.close(),
    )
  }
  if (!existsSync(join(dataDir, 'database'))) throw new BackupError(`DATA_DIR=${dataDir}에 데이터베이스가 없습니다.`)
  try {
    return await readFolder(dataDir, takenAt, read)
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error
  }
  const copy = await askForCopy(dataDir)
  return readThenEnd(
    () => readFolder(copy.dataDir, takenAt, read),
    () => copy.remove(),
  )
}

async function readFolder<T>(dataDir: string, takenAt: number, read: (source: Source) => Promise<T>): Promise<T> {
  const opened = await openPool({ dataDir, lockWaitMs: 0 })
  return readThenEnd(
    () => read({ pool: opened.pool, kind: 'embedded', takenAt }),
    () => opened.close(),
  )
}

async function readThenEnd<T>(read: () => Promise<T>, end: () => Promise<void>): Promise<T> {
  try {
    return await read()
  } finally {
    await end()
  }
}
