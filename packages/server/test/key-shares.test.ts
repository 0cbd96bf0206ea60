import { randomBytes } from 'node:crypto'
import { ClusterCounters, Takeovers } from '@digger/cluster'
import { OwnedShards } from '@digger/database'
import { describe, expect, test } from 'vitest'
import { KeyShares, newKeyPair, SealError, TokenStore, Vault } from '@digger/identity'
import { KeyRing } from '@digger/key-ring'
import { KeyUpkeep } from '@digger/key-ring'
import { holderWithKeys } from '../src/worker-keys.ts'
import { credentialsOf, PASSWORD, type ServerFixture } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

const MEMBER_KEY = randomBytes(32)

/** Workers of one database by their vaults: which of them has which account is said here. */
class Workers {
  readonly #fixture: ServerFixture
  readonly publicKeys: Buffer[] = []
  owner: Worker | null = null

  constructor(fixture: ServerFixture) {
    this.#fixture = fixture
  }

  add({ memberKey = MEMBER_KEY } = {}) {
    const { database, clock, passwords, accounts } = this.#fixture
    const { db } = database
    const pair = newKeyPair()
    this.publicKeys.push(pair.publicKey)
    const worker: { isOwn: () => boolean } = { isOwn: () => false }
    const isOwn = (): boolean => worker.isOwn()
    const shares = new KeyShares({ db, pair, memberKey, recipients: async () => this.publicKeys, isOwn })
    const vault = new Vault({ db, clock, passwords, master: null, keyShares: shares })
    const keys = new KeyRing(vault, new TokenStore(db, vault, clock), accounts)
    const problems: string[] = []
    const problem = (userId: string | null, error: unknown): void => void problems.push(`${userId} ${String(error)}`)
    const upkeep = new KeyUpkeep({ vault, keys, shares, owned: { all: () => ALL }, problem })
    const made = { vault, shares, keys, upkeep, problems }
    worker.isOwn = () => this.owner === made
    return made
  }

  /** As when the worker before was killed. */
  async takeOver(by: Worker): Promise<void> {
    this.owner?.keys.forget(() => true)
    this.owner = by
    await by.keys.openShared(ALL, (_userId, error) => by.problems.push(String(error)))
  }
}

type Worker = ReturnType<Workers['add']>
const ALL = Array.from({ length: 256 }, (_, shard) => shard)

const sharesOf = async ({ database }: ServerFixture) =>
  (await database.db.selectFrom('key_share').selectAll().execute()).length

/** Two workers; the first has everybody, and one person has signed up. */
async function startWorkers(fixture: ServerFixture) {
  const userId = await fixture.addUser('owner')
  fixture.vault.close()
  const workers = new Workers(fixture)
  const [one, two] = [workers.add(), workers.add()]
  workers.owner = one
  await one.vault.openByPassword(userId, PASSWORD)
  return { userId, workers, one, two }
}

describe('keys of several workers', () => {
  test('whoever takes the account over has the key, and whoever has lost it has not', async () => {
    await using fixture = await startFixture()
    const { userId, workers, one, two } = await startWorkers(fixture)
    expect(await sharesOf(fixture)).toBe(2)
    await workers.takeOver(two)
    expect([one.vault.has(userId), two.vault.has(userId)]).toEqual([false, true])
    expect(await two.vault.credentials(userId)).toMatchObject(credentialsOf('owner'))
    expect(fixture.accounts.unlocked(userId)).toBe(true)
    // Also the one that sealed it, which kept nothing.
    await workers.takeOver(one)
    expect(one.vault.has(userId)).toBe(true)
    // Late with a log-in, a worker keeps no key of an account that is not its own.
    await two.vault.openByPassword(userId, PASSWORD)
    expect(two.vault.has(userId)).toBe(false)
  })

  test('a key that was closed or replaced is opened by no share of before, whoever kept it', async () => {
    await using fixture = await startFixture()
    const { userId, workers, one, two } = await startWorkers(fixture)
    const { db } = fixture.database
    const before = await db.selectFrom('key_share').selectAll().execute()
    const renewal = await one.vault.renew(userId, PASSWORD, '새 비밀번호 4711')
    await db.transaction().execute((trx) => renewal.store(trx))
    renewal.afterCommit()
    const after = await db.selectFrom('key_share').selectAll().execute()
    expect(after.map(({ key_version }) => key_version)).toEqual([2, 2])
    await db.deleteFrom('key_share').execute()
    await db.insertInto('key_share').values(before).execute()
    await workers.takeOver(two)
    expect(two.vault.has(userId)).toBe(false)
    await db.deleteFrom('key_share').execute()
    await db.insertInto('key_share').values(after).execute()
    await workers.takeOver(two)
    expect(two.vault.has(userId)).toBe(true)
    await two.keys.remove(userId)
    expect(await sharesOf(fixture)).toBe(0)
    await two.shares.share([userId], async () => ({ bytes: randomBytes(32), version: 2 }))
    await workers.takeOver(one)
    expect([await sharesOf(fixture), one.vault.has(userId)]).toEqual([0, false])
  })

  test('a share that somebody wrote who has the database only opens nothing, is told, and harms no other', async () => {
    await using fixture = await startFixture()
    const { userId, workers, one, two } = await startWorkers(fixture)
    const other = await fixture.addUser('other')
    await one.vault.openByPassword(other, PASSWORD)
    const { db } = fixture.database
    await db.deleteFrom('key_share').where('user_id', '=', userId).execute()
    const intruder = workers.add({ memberKey: randomBytes(32) })
    await intruder.shares.share([userId], async () => ({ bytes: randomBytes(32), version: 1 }))
    await expect(one.shares.open(userId)).rejects.toThrow(SealError)
    await workers.takeOver(two)
    expect([two.vault.has(userId), two.vault.has(other), two.problems.length]).toEqual([false, true, 1])
    // Taken away: whoever has the key may seal it anew.
    expect(await two.shares.open(userId)).toBeNull()
  })

  test('a worker that has come gets every key, from whoever has it or could have it', async () => {
    await using fixture = await startFixture()
    const { userId, workers, one, two } = await startWorkers(fixture)
    const third = workers.add()
    expect(await third.shares.open(userId)).toBeNull()
    await one.upkeep.look()
    expect(await third.shares.open(userId)).toMatchObject({ version: 1 })
    const fourth = workers.add()
    workers.owner = null
    await two.shares.passOn((_userId, error) => two.problems.push(String(error)))
    await workers.takeOver(fourth)
    expect([fourth.vault.has(userId), one.problems, two.problems]).toEqual([true, [], []])
  })

  test('a worker that comes while keys are being sealed has them when whoever waits for it is told so', async () => {
    await using fixture = await startFixture()
    const { userId, workers, one } = await startWorkers(fixture)
    const [sealed, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const share = one.shares.share.bind(one.shares)
    one.shares.share = async (...given) => {
      await share(...given)
      sealed.resolve()
      await over.promise
    }
    const before = one.upkeep.share()
    await sealed.promise
    const third = workers.add()
    const after = one.upkeep.share()
    over.resolve()
    await Promise.all([before, after])
    expect(await third.shares.open(userId)).toMatchObject({ version: 1 })
  })

  test('a key that is opened while its account leaves is sealed for its next owner before it is wiped', async () => {
    await using fixture = await startFixture()
    const { userId, workers, one } = await startWorkers(fixture)
    const { vault, keys, upkeep } = one
    vault.forget(userId)
    await fixture.database.db.deleteFrom('key_share').execute()
    const third = workers.add()
    const engine = {
      own: async () => undefined,
      lose: async () => undefined,
      async letGo() {
        vault.present.put(userId, { bytes: randomBytes(32), version: 1 })
        workers.owner = null
      },
    }
    const takeovers = new Takeovers(new ClusterCounters(), () => true)
    const owned = new OwnedShards()
    const assembled = { engine, services: { keys }, problem: () => undefined }
    await holderWithKeys(assembled, { owned, upkeep, takeovers }).letGo(ALL)
    expect(vault.has(userId)).toBe(false)
    expect(await third.shares.open(userId)).toMatchObject({ version: 1 })
  })

  test('rows that were lost are written again, and an administrator of another worker is not forgotten', async () => {
    await using fixture = await startFixture()
    const { userId, one, two } = await startWorkers(fixture)
    const { db } = fixture.database
    const adminId = await fixture.addUser('boss', true)
    await two.vault.prepareAdmin(adminId, PASSWORD)
    await db.deleteFrom('key_share').execute()
    expect(await fixture.vault.openByAdmin(userId, adminId, PASSWORD)).toBe(false)
    await one.upkeep.look()
    expect(await two.shares.open(userId)).toMatchObject({ version: 1 })
    expect(await fixture.vault.openByAdmin(userId, adminId, PASSWORD)).toBe(true)
  })

  test('what was sealed for a process that ended long ago goes, and for one that only slept stays', async () => {
    await using fixture = await startFixture()
    const { userId, workers, one, two } = await startWorkers(fixture)
    const { pool } = fixture.database
    const add = (id: string, publicKey: Buffer | undefined, ago: string) =>
      pool.query(
        `insert into worker (id, version, lock, host, pid, pid_namespace, boot_id, started, public_key, until, buried)
         values ($1, '1', 1, 'h', 1, 'n', 'b', 's', $2, now() - $3::interval, true)`,
        [id, publicKey, ago],
      )
    await add('a', workers.publicKeys[0], '23 hours')
    await add('b', workers.publicKeys[1], '25 hours')
    await one.shares.sweep()
    expect([await one.shares.open(userId), await two.shares.open(userId)]).toMatchObject([{ version: 1 }, null])
  })

  test('a worker without the master key leaves the wrap of one that has it', async () => {
    await using fixture = await startFixture()
    const { userId, one } = await startWorkers(fixture)
    const { db } = fixture.database
    await db
      .updateTable('vault')
      .set({ by_master: randomBytes(60), master_mark: 'another' })
      .execute()
    await one.vault.openByPassword(userId, PASSWORD)
    expect(await db.selectFrom('vault').select('master_mark').executeTakeFirst()).toEqual({ master_mark: 'another' })
  })
})
