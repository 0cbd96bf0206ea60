import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { readMasterKey, Passwords, SealError, TokenStore, type Vault } from '@digger/identity'
import { another, BOSS, OLD, oldFixture, OWNER, rowOf, sharesFor } from './old-fixture.ts'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, type ServerFixture } from './server-fixture.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
function keyFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'digger-key-'))
  folders.push(folder)
  writeFileSync(join(folder, 'master'), text, { mode: 0o600 })
  return join(folder, 'master')
}

// Their passwords were hashed at full cost: 0.2 s each on a quiet machine.
describe('rows of before keys had versions', { timeout: 120_000 }, () => {
  test.each<[string, (vault: Vault, owner: string, boss: string) => Promise<unknown>]>([
    ['their password', (vault, owner) => vault.openByPassword(owner, OWNER.password)],
    ['an administrator', (vault, owner, boss) => vault.openByAdmin(owner, boss, BOSS.password)],
    ['the master key', (vault) => vault.openByMaster()],
  ])('open by %s, and the token with them', async (_way, open) => {
    const { fixture, owner, boss } = await oldFixture()
    const vault = another(fixture, readMasterKey(keyFile(OLD.master)))
    await open(vault, owner, boss)
    expect(await vault.credentials(owner)).toMatchObject({ htsId: 'hts-owner', accountNumber: '8765432101' })
    const tokens = new TokenStore(fixture.database.db, vault, fixture.clock)
    expect(await tokens.load(owner, 'paper')).toMatchObject({ token: 'example-token' })
  })

  test('get a key with a version at the next log-in; every other way in goes on working', async () => {
    const { fixture, owner, boss } = await oldFixture()
    const master = readMasterKey(keyFile(OLD.master))
    const vault = another(fixture, master)
    await vault.prepareAdmin(boss, BOSS.password)
    const before = await rowOf(fixture, owner)
    await vault.openByPassword(owner, OWNER.password)
    const after = await rowOf(fixture, owner)
    expect(after).toMatchObject({
      key_version: 1,
      rotation_due: false,
      password_cost: '$argon2id$v=19$m=65536,t=3,p=1',
    })
    expect(after.credentials.equals(before.credentials)).toBe(false)
    expect(await new TokenStore(fixture.database.db, vault, fixture.clock).load(owner, 'paper')).toMatchObject({
      token: 'example-token',
    })
    for (const open of [
      (fresh: Vault) => fresh.openByPassword(owner, OWNER.password),
      (fresh: Vault) => fresh.openByAdmin(owner, boss, BOSS.password),
      (fresh: Vault) => fresh.openByMaster(),
    ]) {
      const fresh = another(fixture, master)
      await open(fresh)
      expect(await fresh.credentials(owner)).toMatchObject({ htsId: 'hts-owner' })
    }
    expect((await rowOf(fixture, owner)).key_version).toBe(1)
  })

  test('a later administrator gets a share of an old key too', async () => {
    const { fixture, owner, boss } = await oldFixture()
    const vault = another(fixture, readMasterKey(keyFile(OLD.master)))
    await vault.openByMaster()
    await fixture.database.db.deleteFrom('vault_share').where('admin_id', '=', boss).execute()
    await vault.prepareAdmin(boss, BOSS.password)
    expect(await another(fixture).openByAdmin(owner, boss, BOSS.password)).toBe(true)
  })
})

describe('what somebody who can write the database puts back', () => {
  test.each([
    ['credentials', { atRestart: 0, byLogin: true, message: /달라/ }],
    ['by_password', { atRestart: 0, byLogin: true, message: /달라/ }],
    // The password still opens it, and the log-in makes a new wrap.
    ['by_master', { atRestart: 1, byLogin: false, message: /^로그인했습니다\.$/ }],
  ] as const)('%s of before is noticed', async (column, { atRestart, byLogin, message }) => {
    const master = readMasterKey(keyFile(OLD.master))
    await using fixture = await startFixture({ master })
    const { userId, email, cookie } = await fixture.addPerson('owner')
    const before = await rowOf(fixture, userId)
    await changePassword(fixture, cookie, PASSWORD, '새 비밀번호 1234')
    await fixture.database.db
      .updateTable('vault')
      .set({ [column]: before[column] })
      .where('user_id', '=', userId)
      .execute()
    const failed: unknown[] = []
    const fresh = another(fixture, master, fixture.passwords)
    await fresh.openByMaster((_, error) => failed.push(error))
    expect(failed).toEqual(Array.from({ length: atRestart }, () => expect.any(SealError)))
    const opened = fresh.openByPassword(userId, '새 비밀번호 1234').then(() => fresh.credentials(userId))
    const complaint = await opened.then(
      () => null,
      (error: unknown) => error,
    )
    expect(complaint instanceof SealError).toBe(byLogin)
    // Nobody is locked out of the stop button by it.
    fixture.vault.close()
    const login = await fixture.call('POST', '/api/login', { payload: { email, password: '새 비밀번호 1234' } })
    expect([login.statusCode, login.json()]).toMatchObject([200, { message: expect.stringMatching(message) }])
  })

  test('one changed row keeps no other account from coming back after a restart', async () => {
    const master = readMasterKey(keyFile(OLD.master))
    await using fixture = await startFixture({ master })
    const [bent, whole] = [await fixture.addUser('bent'), await fixture.addUser('whole')]
    const { by_master } = await rowOf(fixture, whole)
    await fixture.database.db.updateTable('vault').set({ by_master }).where('user_id', '=', bent).execute()
    const failed: string[] = []
    expect(await another(fixture, master).openByMaster((userId) => failed.push(userId))).toEqual([whole])
    expect(failed).toEqual([bent])
  })
})

const changePassword = (fixture: ServerFixture, cookie: string, oldPassword: string, newPassword: string) =>
  fixture.call('PUT', '/api/user/user', { cookie, payload: { oldPassword, newPassword } })

describe('the data key changes', () => {
  test('with the password; the server goes on with it, and an old copy opens nothing new', async () => {
    await using fixture = await startFixture()
    const { userId, cookie } = await fixture.addPerson('owner')
    const before = await rowOf(fixture, userId)
    expect((await changePassword(fixture, cookie, PASSWORD, '새 비밀번호 1234')).statusCode).toBe(200)
    const after = await rowOf(fixture, userId)
    expect(after.key_version).toBe(before.key_version + 1)
    expect(await fixture.vault.credentials(userId)).toMatchObject({ htsId: 'hts-owner' })
    await fixture.database.db
      .updateTable('vault')
      .set({ by_password: before.by_password, password_salt: before.password_salt, key_version: before.key_version })
      .where('user_id', '=', userId)
      .execute()
    const thief = another(fixture, null, fixture.passwords)
    await thief.openByPassword(userId, PASSWORD)
    await expect(thief.credentials(userId)).rejects.toThrow(SealError)
  })

  test('after an administrator’s new password: a new pair, the same reach', async () => {
    await using fixture = await startFixture()
    const boss = await fixture.addPerson('boss', true)
    const userId = await fixture.addUser('owner')
    const pairOf = () => fixture.database.db.selectFrom('admin_key').select('public_key').executeTakeFirstOrThrow()
    const [pair, shares] = [await pairOf(), await sharesFor(fixture, boss.userId)]
    await changePassword(fixture, boss.cookie, PASSWORD, '관리자의 새 비밀번호')
    expect((await pairOf()).public_key.equals(pair.public_key)).toBe(false)
    expect(await sharesFor(fixture, boss.userId)).toHaveLength(shares.length)
    const fresh = another(fixture, null, fixture.passwords)
    for (const each of [userId, boss.userId]) {
      expect(await fresh.openByAdmin(each, boss.userId, '관리자의 새 비밀번호')).toBe(true)
      expect(await fresh.credentials(each)).not.toBeNull()
    }
    expect((await rowOf(fixture, userId)).rotation_due).toBe(true)
  })

  test('once, when two log-ins come together', async () => {
    await using fixture = await startFixture()
    const userId = await fixture.addUser('owner')
    await fixture.database.db.updateTable('vault').set({ rotation_due: true }).execute()
    const logins = [1, 2, 3].map(() => fixture.vault.openByPassword(userId, PASSWORD))
    expect(await Promise.all(logins)).toEqual([true, true, true])
    expect((await rowOf(fixture, userId)).key_version).toBe(2)
    expect(await fixture.vault.credentials(userId)).toMatchObject({ htsId: 'hts-owner' })
    expect(await another(fixture, null, fixture.passwords).openByPassword(userId, PASSWORD)).toBe(true)
  })
})

describe('the cost of a password', () => {
  test('can be raised: old wraps open, and are made anew at the log-in', async () => {
    await using fixture = await startFixture()
    const { userId } = await fixture.addPerson('owner', true)
    const dearer = new Passwords({ memoryCost: 512, timeCost: 2 })
    const vault = another(fixture, null, dearer)
    await vault.prepareAdmin(userId, PASSWORD)
    expect(await vault.openByPassword(userId, PASSWORD)).toBe(true)
    expect(await rowOf(fixture, userId)).toMatchObject({ password_cost: '$argon2id$v=19$m=512,t=2,p=1' })
    expect(await another(fixture, null, dearer).openByAdmin(userId, userId, PASSWORD)).toBe(true)
  })
  test.each(['$argon2id$v=19$m=99999999,t=3,p=1', '$argon2id$v=19$m=65536,t=999,p=1', 'free'])(
    'a stored one of %s is refused',
    async (cost) => {
      const passwords = new Passwords({ memoryCost: 256, timeCost: 1 })
      await expect(passwords.key(PASSWORD, passwords.newSalt(), cost)).rejects.toThrow(RangeError)
    },
  )
  test('of account marks stays what it was: one account has one user also after a raise', async () => {
    await using fixture = await startFixture()
    await fixture.addUser('owner')
    const dearer = new Passwords({ memoryCost: 512, timeCost: 2 })
    Object.assign(fixture, { passwords: dearer })
    await expect(fixture.addUser('owner')).rejects.toThrow(/이미/)
  })
})
