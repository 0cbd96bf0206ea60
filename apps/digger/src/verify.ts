import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, OperatorError, openDatabase } from '@digger/database'
import { verifyAccount } from '@digger/engine'
import { listUsers } from '@digger/identity'
import { readConfig } from '@digger/server'

/** So many differences of one account are shown; the rest is only counted. */
const MAX_SHOWN = 10

export interface Verdict {
  readonly ok: boolean
  readonly lines: readonly string[]
}

/** Rebuilds every account from its journal and compares it with the tables. Changes nothing. */
export async function verifyAll(db: Db): Promise<Verdict> {
  const lines: string[] = []
  let ok = true
  for (const { id, email } of await listUsers(db)) {
    const { facts, differences } = await verifyAccount(db, id).catch((error: unknown) => ({
      facts: 0,
      differences: [error instanceof Error ? error.message : String(error)],
    }))
    if (differences.length === 0) {
      lines.push(`${email}: 기록 ${facts}건과 장부가 같습니다.`)
      continue
    }
    ok = false
    lines.push(`${email}: 기록 ${facts}건과 장부가 ${differences.length}곳에서 다릅니다.`)
    lines.push(...differences.slice(0, MAX_SHOWN).map((difference) => `  ${difference}`))
  }
  return { ok, lines: lines.length === 0 ? ['사용자가 없습니다.'] : lines }
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  if (config.DATABASE_URL === undefined && !existsSync(join(config.DATA_DIR, 'database'))) {
    throw new OperatorError(`DATA_DIR=${config.DATA_DIR}에 데이터베이스가 없습니다.`)
  }
  const place = { databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR, exclusive: false, lockWaitMs: 0 }
  const database = await openDatabase(place)
  try {
    const { ok, lines } = await verifyAll(database.db)
    process.stdout.write(`${lines.join('\n')}\n`)
    if (!ok) process.exitCode = 1
  } finally {
    await database.close()
  }
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    const known = error instanceof OperatorError
    process.stderr.write(`${known ? error.message : String(error)}\n`)
    process.exitCode = 1
  })
}
