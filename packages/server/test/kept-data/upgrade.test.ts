import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadFrom, openDatabase } from '@digger/database'
import { type TestPlace, testPlace } from '@digger/database/testing'
import { decisionOf, verifyAccount } from '@digger/storage'
import { findUserByEmail, Passwords, readMasterKey, Vault } from '@digger/identity'
import { afterAll, describe, expect, test } from 'vitest'
import { ServerFixture } from '../server-fixture.ts'
import { BOSS, FIRST_STOCK, MASTER_KEY, OWNER, SECOND_STOCK } from './people.ts'

const home = mkdtempSync(join(tmpdir(), 'digger-kept-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
writeFileSync(join(home, 'master'), MASTER_KEY, { mode: 0o600 })
const master = readMasterKey(join(home, 'master'))

const DAY_MS = 86_400_000

const kept = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.gz'))

/** A fixture on the rows of then, in the tables of now, on the day after. */
async function upgraded(place: TestPlace, name: string): Promise<ServerFixture> {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = place.config
  await loadFrom({ dataDir, databaseUrl }, join(import.meta.dirname, name))
  const database = await openDatabase({ dataDir, databaseUrl })
  const fixture = new ServerFixture({ ...database, dataDir, [Symbol.asyncDispose]: () => database.close() }, { master })
  const { last } = await database.db
    .selectFrom('audit')
    .select(({ fn }) => fn.max('at').as('last'))
    .executeTakeFirstOrThrow()
  fixture.clock.advance(last + DAY_MS - fixture.clock.now())
  return fixture
}

// The passwords were hashed at full cost, and the tables are made from nothing.
describe.each(kept)('what %s wrote', { timeout: 180_000 }, (name) => {
  test('is opened by this program: every account adds up, and everybody comes in', async () => {
    await using place = await testPlace({ empty: true })
    await using fixture = await upgraded(place, name)
    const { db } = fixture.database
    const ids = await Promise.all([OWNER, BOSS].map(async ({ email }) => (await findUserByEmail(db, email))?.id ?? ''))
    const [owner = '', boss = ''] = ids
    const facts: number[] = []
    for (const userId of ids) {
      const { facts: count, differences } = await verifyAccount(db, userId)
      expect([userId, differences]).toEqual([userId, []])
      facts.push(count)
    }
    expect(facts[0]).toBeGreaterThan(20)
    // Facts from before their inputs were kept are known to have none.
    const inputs = await db.selectFrom('decision').select('seq').where('user_id', '=', owner).execute()
    const decision = await decisionOf(db, owner, 20)
    expect([decision?.facts.length, decision?.input === null]).toEqual([expect.any(Number), inputs.length === 0])
    const open = await db.selectFrom('trade').select('code').where('closed', '=', false).orderBy('code').execute()
    expect(open.map(({ code }) => code)).toEqual([SECOND_STOCK, FIRST_STOCK])
    const waiting = await db.selectFrom('account_order').select('side').where('live', '=', true).execute()
    expect(waiting).toEqual([{ side: 'sell' }, { side: 'sell' }])

    const vault = () => new Vault({ db, clock: fixture.clock, passwords: new Passwords(), master })
    expect((await vault().openByMaster()).sort()).toEqual([owner, boss].sort())
    const byAdmin = vault()
    expect(await byAdmin.openByAdmin(owner, boss, BOSS.password)).toBe(true)
    expect(await byAdmin.credentials(owner)).toMatchObject({ htsId: OWNER.htsId, appSecret: OWNER.appSecret })

    for (const { email, password } of [BOSS, OWNER]) await fixture.logIn(email, password)
    expect(await fixture.vault.credentials(owner)).toMatchObject({ htsId: OWNER.htsId, appSecret: OWNER.appSecret })
    const shares = await db.selectFrom('vault_share').select('sealed').where('admin_id', '=', boss).execute()
    expect(shares.map(({ sealed }) => sealed[0])).toEqual([2, 2])
  })
})

test('data of the versions that people have is here', () => expect(kept.length).toBeGreaterThanOrEqual(4))
