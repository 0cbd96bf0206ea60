import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, OwnedShards } from '@digger/database'
import { findPostgres, type PostgresServer, startPostgres } from '@digger/database/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assertSameSecrets, ClusterSecret, forgetSecrets, readWorkerSecrets, WorkerSecret } from '../src/index.ts'
import { memberWithoutAccounts } from './without-accounts.ts'

const bin = findPostgres()
const newSecrets = () => ({
  cluster: new ClusterSecret(randomBytes(32)),
  workers: new WorkerSecret(randomBytes(32)),
})

test('what gateways have proves nothing to workers, also where the bytes are the same', () => {
  const bytes = randomBytes(32)
  const [cluster, workers] = [new ClusterSecret(bytes), new WorkerSecret(bytes)]
  const publicKey = randomBytes(32)
  expect(workers.isProven('w', publicKey, workers.prove('w', publicKey))).toBe(true)
  expect(workers.isProven('w', publicKey, cluster.prove('w', publicKey))).toBe(false)
  expect([cluster.mark === workers.mark, new ClusterSecret(bytes).mark === cluster.mark]).toEqual([false, true])
})

test('one file for both secrets is refused: gateways would have it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'digger-secrets-'))
  const [one = '', hex = '', other = ''] = ['one', 'hex', 'other'].map((name) => join(folder, name))
  const bytes = randomBytes(32)
  writeFileSync(one, bytes.toString('base64'), { mode: 0o600 })
  writeFileSync(hex, bytes.toString('hex'), { mode: 0o600 })
  writeFileSync(other, randomBytes(32).toString('hex'), { mode: 0o600 })
  for (const same of [one, hex])
    expect(() => readWorkerSecrets(one, same)).toThrow(/WORKER_SECRET_FILE.*같은 값.*openssl/)
  expect(readWorkerSecrets(one, other).cluster.mark).toBe(new ClusterSecret(bytes).mark)
  rmSync(folder, { recursive: true })
})

const open = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir: '', exclusive: false })

describe.skipIf(bin === null)('the mark of the secrets (skipped where no PostgreSQL is installed)', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(bin ?? '')
  }, 120_000)
  afterAll(() => server[Symbol.asyncDispose]())

  test('the first process leaves it, and one with another secret does not begin', async () => {
    const url = await server.newDatabase()
    const [ours, theirs] = [newSecrets(), newSecrets()]
    const database = await open(url)
    // A gateway may come first, and again.
    await assertSameSecrets(database, { cluster: ours.cluster })
    await assertSameSecrets(database, ours)
    await assertSameSecrets(database, ours)
    const strangers = [
      [theirs, /^CLUSTER_SECRET_FILE이.*같은 파일.*forget-secrets/],
      [{ cluster: theirs.cluster }, /^CLUSTER_SECRET_FILE/],
      [{ ...ours, workers: theirs.workers }, /^WORKER_SECRET_FILE/],
    ] as const
    for (const [secrets, words] of strangers) {
      const other = await open(url)
      await expect(assertSameSecrets(other, secrets)).rejects.toThrow(words)
      await expect(other.pool.query('select 1')).rejects.toThrow(/end/)
    }
    await assertSameSecrets(database, ours)
    await database.close()
  })

  test('of two that come first in one moment, one begins', async () => {
    const url = await server.newDatabase()
    const both = await Promise.all([open(url), open(url)])
    const begun = await Promise.allSettled(both.map((database) => assertSameSecrets(database, newSecrets())))
    expect(begun.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await both[begun.findIndex(({ status }) => status === 'fulfilled')]?.close()
  })

  test('new secrets are taken when the operator has said so, with no worker there', async () => {
    const url = await server.newDatabase()
    const database = await open(url)
    await assertSameSecrets(database, newSecrets())
    const worker = memberWithoutAccounts({ url, db: database.db, owned: new OwnedShards() })
    await worker.begin()
    await expect(forgetSecrets(database.db)).rejects.toThrow(/워커 1대가 켜져/)
    await worker.end({ withinMs: 5_000 })
    expect(await forgetSecrets(database.db)).toMatch(/지웠습니다/)
    await assertSameSecrets(database, newSecrets())
    await database.close()
  })
})
