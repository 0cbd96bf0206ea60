import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { vitalsOf } from '@digger/engine'
import { readMasterKey, Vault } from '@digger/identity'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import { type Person, ServerFixture } from './server-fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'digger-key-'))
writeFileSync(join(folder, 'master'), randomBytes(32).toString('base64'), { mode: 0o600 })
const master = readMasterKey(join(folder, 'master'))
let fixture: ServerFixture
let owner: Person
let admin: Person

beforeEach(async () => {
  fixture = await startFixture({ master })
  admin = await fixture.addPerson('boss', true)
  owner = await fixture.addPerson('owner')
})
afterEach(async () => {
  await fixture[Symbol.asyncDispose]()
})
afterAll(() => rmSync(folder, { recursive: true }))

const closeKey = () => fixture.call('DELETE', `/api/admin/8017/user/${owner.userId}/userKey`, { cookie: admin.cookie })
/** A call that needs the broker, as an open page asks every few seconds. */
const askBroker = () => fixture.call('GET', '/api/user/kis/balance', { cookie: owner.cookie })
const isTrading = () => fixture.accounts.unlocked(owner.userId)
const state = () => ({ isOpen: fixture.services.keys.has(owner.userId), isTrading: isTrading() })
const CLOSED = { isOpen: false, isTrading: false }

/** Whose keys a restart would open. */
async function openedByRestart(): Promise<string[]> {
  const { database, clock, passwords } = fixture
  return new Vault({ db: database.db, clock, passwords, master }).openByMaster()
}

/** Lets each `lock` take away the broker at once and wait for its wires until the test says so. */
function holdWires(): () => void {
  const wires = Promise.withResolvers<void>()
  const lock = fixture.accounts.lock.bind(fixture.accounts)
  fixture.accounts.lock = async (userId) => {
    await lock(userId)
    await wires.promise
  }
  return wires.resolve
}

test('a key that is being closed stays closed although a page asks for the broker meanwhile', async () => {
  expect(state()).toEqual({ isOpen: true, isTrading: true })
  const letGo = holdWires()
  const closed = closeKey()
  await expect.poll(isTrading).toBe(false)
  expect(problemIn(await askBroker())).toBe('NEED_USERKEY')
  letGo()
  expect((await closed).statusCode).toBe(200)
  expect(state()).toEqual(CLOSED)
  expect(await openedByRestart()).not.toContain(owner.userId)
})

test('a key that is closed while its account is opened gives the account no broker', async () => {
  await fixture.accounts.lock(owner.userId)
  const loaded = Promise.withResolvers<void>()
  const unlock = fixture.accounts.unlock.bind(fixture.accounts)
  const asked = Promise.withResolvers<void>()
  fixture.accounts.unlock = async (userId, credentials) => {
    asked.resolve()
    await loaded.promise
    await unlock(userId, credentials)
  }
  const page = askBroker()
  await asked.promise
  const closed = closeKey()
  await expect.poll(() => fixture.services.keys.has(owner.userId)).toBe(false)
  loaded.resolve()
  expect(problemIn(await page)).toBe('NEED_USERKEY')
  expect((await closed).statusCode).toBe(200)
  expect(state()).toEqual(CLOSED)
})

test('a new log-in at the broker does not outlive the key that is closed meanwhile', async () => {
  const letGo = holdWires()
  const given = fixture.services.keys.give(owner.userId, true)
  await expect.poll(isTrading).toBe(false)
  const closed = closeKey()
  await expect.poll(() => fixture.services.keys.has(owner.userId)).toBe(false)
  letGo()
  await expect(given).rejects.toMatchObject({ code: 'NEED_USERKEY' })
  expect((await closed).statusCode).toBe(200)
  expect(state()).toEqual(CLOSED)
  expect(fixture.accounts.unlockedWith.has(owner.userId)).toBe(false)
})

test('whose closing could not be written does not trade, and nobody is told that it is closed', async () => {
  await fixture.database.pool.query('alter table vault rename to vault_away')
  try {
    expect(problemIn(await closeKey())).toBe('INTERNAL')
    expect(state()).toEqual(CLOSED)
  } finally {
    await fixture.database.pool.query('alter table vault_away rename to vault')
  }
  expect(await openedByRestart()).toContain(owner.userId)
  // Asked again, it is done.
  expect((await closeKey()).statusCode).toBe(200)
  expect(await openedByRestart()).not.toContain(owner.userId)
})

test('a key that was closed opens again for its owner', async () => {
  await closeKey()
  await fixture.logIn(owner.email)
  expect(state()).toEqual({ isOpen: true, isTrading: true })
})

const WELL = { ...vitalsOf([], { leaseHeld: true, silentMs: 0, brokerDown: false }), broker: 'unused' } as const

/** A second server on the same database, after its start, with what it reported. */
async function startAgain(breaks: (server: ServerFixture) => void) {
  const server = new ServerFixture(fixture.database, { master, parts: { probe: () => WELL } })
  const reported: (string | null)[] = []
  const report = (userId: string | null) => void reported.push(userId)
  breaks(server)
  await server.services.keys.restore(report)
  const troubles = async () => {
    const reply = await server.call('GET', '/health')
    return [reply.statusCode, reply.json<{ troubles: unknown[] }>().troubles]
  }
  return { server, keys: server.services.keys, reported, report, troubles }
}
const ONE_CLOSED = [503, [{ code: 'keys', accounts: 1, text: expect.stringMatching(/^계좌 1개: .*주세요\.$/) }]]

describe('a key that does not open at the start', () => {
  test('because something was away is a trouble, and tried again until it opens', async () => {
    const { server, keys, reported, report, troubles } = await startAgain(({ accounts }) => {
      const unlock = accounts.unlock.bind(accounts)
      let tries = 0
      accounts.unlock = async (userId, credentials) => {
        if (userId === owner.userId && ++tries < 3) throw new Error('the database was away')
        await unlock(userId, credentials)
      }
    })
    expect([reported, await troubles()]).toEqual([[owner.userId], ONE_CLOSED])
    await keys.tryAgain(report)
    expect([reported, await troubles()]).toEqual([[owner.userId, owner.userId], ONE_CLOSED])
    await keys.tryAgain(report)
    expect([server.accounts.unlocked(owner.userId), await troubles()]).toEqual([true, [200, []]])
    // What an administrator does later is no failure of the start.
    await server.accounts.lock(owner.userId)
    await keys.tryAgain(report)
    expect([reported.length, (await troubles())[0]]).toEqual([2, 200])
    await server.app.close()
  })

  test('because its row was changed is a trouble until an administrator closes it', async () => {
    await fixture.database.db
      .updateTable('vault')
      .set({ by_master: randomBytes(60) })
      .where('user_id', '=', owner.userId)
      .execute()
    const { server, keys, reported, report, troubles } = await startAgain(() => undefined)
    await keys.tryAgain(report)
    expect([reported, await troubles()]).toEqual([[owner.userId], ONE_CLOSED])
    await keys.remove(owner.userId)
    expect(await troubles()).toEqual([200, []])
    await server.app.close()
  })
})

test('while an account comes its key is waited for, and not called absent before it could be there', async () => {
  const { keys } = fixture.services
  await fixture.accounts.lock(owner.userId)
  fixture.vault.forget(owner.userId)
  expect(problemIn(await askBroker())).toBe('NEED_USERKEY')
  const loaded = Promise.withResolvers<void>()
  const coming = keys.whileComing(async () => {
    await loaded.promise
    await keys.restore(() => undefined)
  })
  const asked = askBroker()
  loaded.resolve()
  expect([(await asked).statusCode, state()]).toEqual([200, { isOpen: true, isTrading: true }])
  await coming
  const failing = keys.whileComing(() => Promise.reject(new Error('the database is away')))
  expect((await askBroker()).statusCode).toBe(200)
  await expect(failing).rejects.toThrow('away')
})
