import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, OperatorError, openDatabase } from '@digger/database'
import { type Config, readConfig } from '@digger/config'

/** What a tool found, for the operator; `ok` false ends it with exit code 1. */
export interface Report {
  readonly ok: boolean
  readonly lines: readonly string[]
}

type Ask = (db: Db) => Promise<Report>

/** Asks the database of the environment and prints the answer. */
export const printReport = async (ask: Ask): Promise<void> => writeReport(await reportOf(readConfig(process.env), ask))

/** Asks the database of these variables, which has to be there. */
export async function reportOf(
  { DATABASE_URL: databaseUrl, DATA_DIR: dataDir }: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>,
  ask: Ask,
): Promise<Report> {
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'database')))
    throw new OperatorError(`DATA_DIR=${dataDir}에 데이터베이스가 없습니다.`)
  const database = await openDatabase({ databaseUrl, dataDir, exclusive: false, lockWaitMs: 0 })
  try {
    return await ask(database.db)
  } finally {
    await database.close()
  }
}

export function writeReport({ ok, lines }: Report): void {
  process.stdout.write(`${lines.join('\n')}\n`)
  if (!ok) process.exitCode = 1
}

/** Ends a tool that failed with one line: a message for the operator is enough by itself. */
export function endWithMessage(error: unknown): void {
  process.stderr.write(`${error instanceof OperatorError ? error.message : String(error)}\n`)
  process.exitCode = 1
}
