import { readFileSync } from 'node:fs'
import { type MasterKey, Passwords, Vault } from '@digger/identity'
import { startFixture } from './shared-fixture.ts'
import type { ServerFixture } from './server-fixture.ts'

interface OldRows {
  readonly master: string
  readonly tables: Record<string, Record<string, unknown>[]>
}

const readRows = (name: string): OldRows => JSON.parse(readFileSync(new URL(`old/${name}`, import.meta.url), 'utf8'))

/** Made by running the version before keys had versions. The people in it never were. */
export const OLD = readRows('rows.json')
/** The same people in a version whose keys had versions, and whose shares were not yet sealed by HPKE. */
export const BEFORE_HPKE = readRows('rows-1.json')
export const OWNER = { email: 'owner@digger.test', password: 'the owner of old' }
export const BOSS = { email: 'boss@digger.test', password: 'the boss of old' }

const bytes = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'hex' in value ? Buffer.from(String(value.hex), 'hex') : value

const idOf = ({ tables }: OldRows, email: string) =>
  String(tables['users']?.find((user) => user['email'] === email)?.['id'])

export async function oldFixture(old = OLD): Promise<{ fixture: ServerFixture; owner: string; boss: string }> {
  const fixture = await startFixture()
  for (const [table, all] of Object.entries(old.tables)) {
    for (const row of all) {
      const names = Object.keys(row)
      const places = names.map((_, at) => `$${at + 1}`).join(', ')
      await fixture.database.pool.query(
        `insert into ${table} (${names.join(', ')}) values (${places})`,
        Object.values(row).map(bytes),
      )
    }
  }
  return { fixture, owner: idOf(old, OWNER.email), boss: idOf(old, BOSS.email) }
}

export const another = (fixture: ServerFixture, master: MasterKey | null = null, passwords = new Passwords()): Vault =>
  new Vault({ db: fixture.database.db, clock: fixture.clock, passwords, master })
export const rowOf = async ({ database }: ServerFixture, userId: string) =>
  database.db.selectFrom('vault').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
export const sharesFor = async ({ database }: ServerFixture, adminId: string) =>
  database.db.selectFrom('vault_share').selectAll().where('admin_id', '=', adminId).orderBy('user_id').execute()
