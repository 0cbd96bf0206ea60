import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { TestDatabase } from '@digger/database/testing'
import {
  type MasterKey,
  readMasterKey,
  SealError,
  newKey,
  newKeyPair,
  seal,
  sealFor,
  unseal,
  unsealWith,
  TokenStore,
  Vault,
} from '@digger/identity'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, type ServerFixture, credentialsOf } from './server-fixture.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function keyFile(form: 'base64' | 'hex' = 'base64'): string {
  const folder = mkdtempSync(join(tmpdir(), 'digger-key-'))
  folders.push(folder)
  writeFileSync(join(folder, 'master'), `${randomBytes(32).toString(form)}\n`, { mode: 0o600 })
  return join(folder, 'master')
}

describe('sealing', () => {
  const secret = Buffer.from('비밀')
  test('opens with the key, for its owner only, and not after a change of a single bit', () => {
    const key = newKey()
    const sealed = seal(key, secret, 'credentials:a')
    expect(unseal(key, sealed, 'credentials:a')).toEqual(secret)
    expect(() => unseal(key, sealed, 'credentials:b')).toThrow(SealError)
    expect(() => unseal(newKey(), sealed, 'credentials:a')).toThrow(SealError)
    for (let at = 0; at < sealed.length; at++) {
      const bent = Buffer.from(sealed)
      bent[at] = (bent[at] ?? 0) ^ 1
      expect(() => unseal(key, bent, 'credentials:a')).toThrow(SealError)
    }
  })
  test('for somebody absent opens with their private half only', async () => {
    const [mine, other] = [newKeyPair(), newKeyPair()]
    const sealed = await sealFor(mine.publicKey, secret, 'share')
    expect(await unsealWith(mine.privateKey, sealed, 'share')).toEqual(secret)
    await expect(unsealWith(other.privateKey, sealed, 'share')).rejects.toThrow(SealError)
    expect(await sealFor(mine.publicKey, secret, 'share')).not.toEqual(sealed)
  })
})

/** A second server on the same database: what a restart leaves. */
function restarted(fixture: ServerFixture, master: MasterKey | null = null): Vault {
  return new Vault({ db: fixture.database.db, clock: fixture.clock, passwords: fixture.passwords, master })
}

describe('who can open a user key', () => {
  test('the user, and nobody with another password', async () => {
    await using fixture = await startFixture()
    const userId = await fixture.addUser('owner')
    const vault = restarted(fixture)
    expect(vault.has(userId)).toBe(false)
    expect(await vault.credentials(userId)).toBeNull()
    await expect(vault.openByPassword(userId, '틀린 것')).rejects.toThrow(SealError)
    expect(await vault.openByPassword(userId, PASSWORD)).toBe(true)
    expect(await vault.credentials(userId)).toMatchObject(credentialsOf('owner'))
  })

  test('an administrator who was one before the user came, through the calls of the product', async () => {
    await using fixture = await startFixture()
    const admin = await fixture.addPerson('boss', true)
    const userId = await fixture.addUser('owner')
    fixture.vault.close()
    const url = `/api/admin/8017/user/${userId}/userKey`
    const ask = (password: string, email = 'owner@digger.test') =>
      fixture.call('POST', url, { cookie: admin.cookie, payload: { email, password } })
    expect(problemIn(await ask('틀린 것'))).toBe('INVALID')
    expect(problemIn(await ask(PASSWORD, 'somebody@digger.test'))).toBe('INVALID')
    expect((await ask(PASSWORD)).statusCode).toBe(200)
    expect(fixture.accounts.unlockedWith.get(userId)).toMatchObject({ htsId: 'hts-owner' })
    expect((await fixture.call('DELETE', url, { cookie: admin.cookie })).statusCode).toBe(200)
    expect([fixture.vault.has(userId), fixture.accounts.unlocked(userId)]).toEqual([false, false])
  })

  test('a later administrator, once the user or another administrator opened it again', async () => {
    await using fixture = await startFixture()
    const userId = await fixture.addUser('owner')
    fixture.vault.close()
    const admin = await fixture.addPerson('boss', true)
    fixture.vault.close()
    expect(await fixture.vault.openByAdmin(userId, admin.userId, PASSWORD)).toBe(false)
    await fixture.logIn('owner@digger.test')
    fixture.vault.close()
    expect(await fixture.vault.openByAdmin(userId, admin.userId, PASSWORD)).toBe(true)
  })

  test('a later administrator at once, for keys that are present when they first log in', async () => {
    await using fixture = await startFixture()
    const userId = await fixture.addUser('owner')
    const admin = await fixture.addPerson('boss', true)
    fixture.vault.close()
    expect(await fixture.vault.openByAdmin(userId, admin.userId, PASSWORD)).toBe(true)
  })

  test('an administrator still can after changing their own password', async () => {
    await using fixture = await startFixture()
    const admin = await fixture.addPerson('boss', true)
    const userId = await fixture.addUser('owner')
    const payload = { oldPassword: PASSWORD, newPassword: '관리자의 새 비밀번호' }
    await fixture.call('PUT', '/api/user/user', { cookie: admin.cookie, payload })
    fixture.vault.close()
    expect(await fixture.vault.openByAdmin(userId, admin.userId, '관리자의 새 비밀번호')).toBe(true)
  })
})

describe('a restart', () => {
  test('without a master key: absent until someone opens it', async () => {
    await using fixture = await startFixture()
    await fixture.addUser('owner')
    expect(await restarted(fixture).openByMaster()).toEqual([])
  })
  test('with a master key: present again, but not what an administrator took away', async () => {
    const master = readMasterKey(keyFile('hex'))
    await using fixture = await startFixture({ master })
    const [kept, taken] = [await fixture.addUser('kept'), await fixture.addUser('taken')]
    await fixture.vault.remove(taken)
    const vault = restarted(fixture, master)
    expect(await vault.openByMaster()).toEqual([kept])
    expect(await vault.credentials(kept)).toMatchObject({ htsId: 'hts-kept' })
    expect(await restarted(fixture, readMasterKey(keyFile())).openByMaster()).toEqual([])
  })
  test('a master key configured later wraps each key as it is opened', async () => {
    await using fixture = await startFixture()
    const userId = await fixture.addUser('owner')
    const master = readMasterKey(keyFile())
    await restarted(fixture, master).openByPassword(userId, PASSWORD)
    expect(await restarted(fixture, master).openByMaster()).toEqual([userId])
  })
  test('a master key that is no key is refused with its name', () => {
    const path = keyFile()
    writeFileSync(path, 'short')
    expect(() => readMasterKey(path)).toThrow(/MASTER_KEY_FILE/)
  })
})

test('broker tokens survive a restart, sealed, and go with a forced log-in a minute later', async () => {
  await using fixture = await startFixture()
  const userId = await fixture.addUser('owner')
  const force = () =>
    fixture.call('POST', '/api/login', {
      payload: { email: 'owner@digger.test', password: PASSWORD, forceKisLogin: true },
    })
  const tokens = new TokenStore(fixture.database.db, fixture.vault, fixture.clock)
  const token = { token: 'TOKEN-IN-THE-CLEAR', expiresAt: fixture.clock.now() + 86_400_000 }
  await tokens.save(userId, 'paper', token)
  await tokens.save(userId, 'paper', token)
  expect(await tokens.load(userId, 'paper')).toMatchObject(token)
  expect(await tokens.load(userId, 'real')).toBeNull()
  // The broker issues one a minute: without this one there would be none.
  await force()
  expect(await tokens.load(userId, 'paper')).toMatchObject(token)
  fixture.clock.advance(62_000)
  await force()
  expect(await tokens.load(userId, 'paper')).toBeNull()
  await tokens.save(userId, 'paper', token)
  fixture.clock.advance(86_400_000)
  expect(await tokens.load(userId, 'paper')).toBeNull()
})

test('a broker token is out of reach while the key is removed, and there again with it', async () => {
  await using fixture = await startFixture()
  const { cookie } = await fixture.addPerson('boss', true)
  const userId = await fixture.addUser('owner')
  const url = `/api/admin/8017/user/${userId}/userKey`
  const tokens = new TokenStore(fixture.database.db, fixture.vault, fixture.clock)
  const token = { token: 'TOKEN-IN-THE-CLEAR', expiresAt: fixture.clock.now() + 86_400_000 }
  await tokens.save(userId, 'real', token)
  await fixture.call('DELETE', url, { cookie })
  expect(await tokens.load(userId, 'real')).toBeNull()
  await fixture.call('POST', url, { cookie, payload: { email: 'boss@digger.test', password: PASSWORD } })
  expect(await tokens.load(userId, 'real')).toMatchObject(token)
})

/** Every file of the embedded database; a PostgreSQL's are its own, so its tables are read instead. */
async function contentsOf({ pool, kind, dataDir }: TestDatabase): Promise<string[]> {
  if (kind === 'postgres') {
    const { rows } = await pool.query<{ xml: string }>("select database_to_xml(true, true, '')::text as xml")
    return rows.map(({ xml }) => xml)
  }
  await pool.query('checkpoint')
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
}

test('no secret is ever in the database, its files, a reply, or the log', async () => {
  const marked = {
    ...credentialsOf('x'),
    appKey: 'MARKEDKEY'.padEnd(36, 'k'),
    appSecret: 'MARKEDSECRET'.padEnd(180, 's'),
    htsId: 'MARKEDHTS',
  }
  const password = 'MARKEDPASSWORD'
  await using fixture = await startFixture({ master: readMasterKey(keyFile()) })
  const email = 'marked@digger.test'
  const replies = [await fixture.call('POST', '/api/user/user', { payload: { email, password, ...marked } })]
  replies.push(await fixture.call('POST', '/api/login', { payload: { email, password } }))
  replies.push(await fixture.call('POST', '/api/login', { payload: { email, password: `${password}?` } }))
  const cookie = await fixture.logIn(email, password)
  for (const url of ['/api/user/user', '/api/user/audit', '/api/user/kis/balance', '/health', '/metrics']) {
    replies.push(await fixture.call('GET', url, { cookie }))
  }
  const files = await contentsOf(fixture.database)
  const everything = [...files, ...replies.map(({ body, headers }) => body + JSON.stringify(headers)), ...fixture.log]
  expect(files.join('')).toContain(email)
  for (const secret of ['MARKED', marked.accountNumber, marked.accountNumber.slice(0, 8)]) {
    for (const text of everything) expect(text.includes(secret)).toBe(false)
  }
})
