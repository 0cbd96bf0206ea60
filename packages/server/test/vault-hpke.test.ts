import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { another, BEFORE_HPKE, BOSS, oldFixture, OWNER, rowOf, sharesFor } from './old-fixture.ts'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, type ServerFixture } from './server-fixture.ts'

const formsOf = async (fixture: ServerFixture, adminId: string) =>
  (await sharesFor(fixture, adminId)).map(({ user_id, sealed }) => [user_id, sealed[0]])
const byUser = (forms: Record<string, number>) => Object.entries(forms).sort(([a], [b]) => (a < b ? -1 : 1))

describe('shares of before HPKE', { timeout: 120_000 }, () => {
  test('open for the administrator, and are sealed anew when the owner’s key is opened', async () => {
    const { fixture, owner, boss } = await oldFixture(BEFORE_HPKE)
    expect(await formsOf(fixture, boss)).toEqual(byUser({ [owner]: 0, [boss]: 0 }))
    const before = await rowOf(fixture, owner)
    expect(await another(fixture).openByPassword(owner, OWNER.password)).toBe(true)
    expect(await formsOf(fixture, boss)).toEqual(byUser({ [owner]: 2, [boss]: 0 }))
    // Its key stays: nobody who could open it may no longer.
    expect(await rowOf(fixture, owner)).toMatchObject({ key_version: before.key_version, rotation_due: false })
    const vault = another(fixture)
    for (const userId of [owner, boss]) {
      expect(await vault.openByAdmin(userId, boss, BOSS.password)).toBe(true)
      expect(await vault.credentials(userId)).not.toBeNull()
    }
    expect(await formsOf(fixture, boss)).toEqual(byUser({ [owner]: 2, [boss]: 2 }))
    expect(await another(fixture).openByAdmin(owner, boss, BOSS.password)).toBe(true)
  })

  test('follow their administrator to a new password, each sealed anew', async () => {
    const { fixture, owner, boss } = await oldFixture(BEFORE_HPKE)
    const renewal = await another(fixture).renew(boss, BOSS.password, '관리자의 새 비밀번호')
    await fixture.database.db.transaction().execute((trx) => renewal.store(trx))
    expect((await formsOf(fixture, boss)).map(([, form]) => form)).toEqual([2, 2])
    const vault = another(fixture)
    for (const userId of [owner, boss]) {
      expect(await vault.openByAdmin(userId, boss, '관리자의 새 비밀번호')).toBe(true)
      expect(await vault.credentials(userId)).not.toBeNull()
    }
  })
})

test('log-ins and a new administrator at the same moment leave each a share that opens', async () => {
  await using fixture = await startFixture()
  const [boss, userId] = [await fixture.addPerson('boss', true), await fixture.addUser('owner')]
  const second = await fixture.addUser('second', true)
  await fixture.database.db.updateTable('vault').set({ rotation_due: true }).execute()
  await Promise.all([
    fixture.vault.openByPassword(userId, PASSWORD),
    fixture.vault.openByPassword(boss.userId, PASSWORD),
    fixture.vault.prepareAdmin(second, PASSWORD),
    fixture.vault.openByPassword(userId, PASSWORD),
  ])
  await fixture.vault.prepareAdmin(second, PASSWORD)
  for (const adminId of [boss.userId, second]) {
    const fresh = another(fixture, null, fixture.passwords)
    expect(await fresh.openByAdmin(userId, adminId, PASSWORD)).toBe(true)
    expect(await fresh.credentials(userId)).toMatchObject({ htsId: 'hts-owner' })
  }
})

test('a share of the key of before does not outlive the key', async () => {
  await using fixture = await startFixture()
  const userId = await fixture.addUser('owner')
  const second = await fixture.addUser('second', true)
  await fixture.vault.openByPassword(userId, PASSWORD)
  const { db } = fixture.database
  let prepared = Promise.resolve()
  // As where another process changes the key, which this one still has.
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('vault')
      .set({ key_version: sql`key_version + 1` })
      .where('user_id', '=', userId)
      .execute()
    await trx.deleteFrom('vault_share').where('user_id', '=', userId).execute()
    prepared = fixture.vault.prepareAdmin(second, PASSWORD)
    await delay(1_000)
  })
  await prepared
  expect(await db.selectFrom('vault_share').selectAll().where('user_id', '=', userId).execute()).toEqual([])
})
