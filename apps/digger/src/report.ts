import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, OperatorError, openDatabase } from '@digger/database'
import { readConfig } from '@digger/config'

/** What a tool found, for the operator; `ok` false ends it with exit code 1. */
export interface Report {
  readonly ok: boolean
  readonly lines: readonly string[]
}

/** Asks the database of the environment, which has to be there, and prints the answer. */
export async function printReport(ask: (db: Db) => Promise<Report>): Promise<void> {
  const config = readConfig(process.env)
  if (config.DATABASE_URL === undefined && !existsSync(join(config.DATA_DIR, 'database'))) {
    throw new OperatorError(`DATA_DIR=${config.DATA_DIR}에 데이터베이스가 없습니다.`)
  }
  const place = { databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR, exclusive: false, lockWaitMs: 0 }
  const database = await openDatabase(place)
  try {
    writeReport(await ask(database.db))
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
