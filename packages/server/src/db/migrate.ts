import { Migrator } from 'kysely/migration'
import { DatabaseError } from './errors.ts'
import { migrations } from './migrations/registry.ts'
import type { Db } from './handle.ts'

/** Brings the tables up to date. Safe when several processes start at once: the first one works, the others wait. */
export async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(migrations) } })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName ?? '순서 확인'
  const why = error instanceof Error ? error.message : JSON.stringify(error)
  throw new DatabaseError(`데이터베이스 변경(${failed})을 적용하지 못했습니다: ${why}`, { cause: error })
}
