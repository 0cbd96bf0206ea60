import { readFileSync } from 'node:fs'
import { Migrator } from 'kysely/migration'
import { DatabaseError } from './errors.ts'
import { migrations } from './migrations/registry.ts'
import type { Db } from './handle.ts'

/**
 * Brings the tables up to date. Safe when several processes start at once: the first one works, the others wait. `only`:
 * the changes an earlier program knew, for rows of that time. Throws DatabaseError, also for tables that a newer program
 * changed.
 */
export async function migrate(db: Db, only?: readonly string[]): Promise<void> {
  const chosen = only === undefined ? migrations : migrations.filter(([name]) => only.includes(name))
  if (only !== undefined && chosen.length < only.length) throw unknownChanges(only)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(chosen) } })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) {
    const done = results?.map(({ migrationName }) => migrationName) ?? []
    if (done.length > 0 && only === undefined) await noteVersion(db, done)
    return
  }
  const newer = await newerThanWe(db).catch(() => null)
  if (newer !== null) throw new DatabaseError(newer, { cause: error })
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName ?? '순서 확인'
  const why = error instanceof Error ? error.message : JSON.stringify(error)
  throw new DatabaseError(`데이터베이스 변경(${failed})을 적용하지 못했습니다: ${why}`, { cause: error })
}

/** Names of all changes of the tables that this program knows. */
export const knownMigrations = (): string[] => migrations.map(([name]) => name)

/** Stored in the migrator's own rows, for a program that knows less than these tables. */
async function noteVersion(db: Db, done: readonly string[]): Promise<void> {
  await db.updateTable('kysely_migration').set({ by_version: ownVersion() }).where('name', 'in', done).execute()
}

function unknownChanges(names: readonly string[]): DatabaseError {
  const ours = new Set(migrations.map(([name]) => name))
  const unknown = names.filter((name) => !ours.has(name)).join(', ')
  return new DatabaseError(`더 새 Digger가 만든 것이라(${unknown}) 지금 것(${ownVersion()})으로는 열지 않습니다.`)
}

/** The message for the operator when the tables have changes this program does not know; null when they have none. */
async function newerThanWe(db: Db): Promise<string | null> {
  const ours = new Set(migrations.map(([name]) => name))
  const done = await db.selectFrom('kysely_migration').select(['name', 'by_version']).orderBy('name').execute()
  const unknown = done.filter(({ name }) => !ours.has(name))
  if (unknown.length === 0) return null
  const [last] = unknown.slice(-1)
  return (
    `이 데이터베이스는 더 새 Digger(${last?.by_version ?? '버전 기록 없음'})가 바꾼 것이라(${unknown.map(({ name }) => name).join(', ')}) 지금 것(${ownVersion()})으로는 열지 않습니다. ` +
    '그 버전 이상을 다시 설치해 켜거나, 올리기 전에 만든 백업을 되돌려 주세요.'
  )
}

export function ownVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { version }: { version: string } = JSON.parse(text)
  return version
}
