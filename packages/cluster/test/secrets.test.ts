import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, OwnedShards } from '@digger/database'
import { type TestPlace, testPlace } from '@digger/database/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  assertSameSecrets,
  ClusterSecret,
  forgetSecrets,
  provenKey,
  ProvenKeys,
  readWorkerSecrets,
  WorkerSecret,
  WorkerVerifier,
} from '../src/index.ts'
import { memberWithoutAccounts } from './without-accounts.ts'

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

test('the public half of the workers’ secret checks what the secret has signed, and nothing else', () => {
  const [ours, theirs] = [newSecrets(), newSecrets()]
  const [publicKey, other] = [randomBytes(32), randomBytes(32)]
  const { signer } = ours.workers
  const verifier = new WorkerVerifier(signer.publicKey)
  const signature = signer.sign('w', publicKey)
  expect([signer.publicKey, verifier.isSigned('w', publicKey, signature)]).toEqual([
    expect.stringMatching(/^[\w-]{43}$/),
    true,
  ])
  const wrong = [
    verifier.isSigned('v', publicKey, signature),
    verifier.isSigned('w', other, signature),
    verifier.isSigned('w', publicKey, theirs.workers.signer.sign('w', publicKey)),
    verifier.isSigned('w', publicKey, Buffer.alloc(64)),
    verifier.isSigned('w', publicKey, Buffer.alloc(0)),
    verifier.isSigned('w', publicKey, null),
  ]
  expect(wrong).toEqual(wrong.map(() => false))
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

/** Of the rows of these workers. */
async function believed(keys: ProvenKeys, ...names: string[]): Promise<string[]> {
  const found = await Promise.all(names.map((name) => keys.of(name)))
  return names.filter((_, n) => found[n] !== null)
}

const open = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir: '', exclusive: false })

describe('the mark of the secrets', () => {
  let place: TestPlace
  let url = ''
  beforeEach(async () => {
    place = await testPlace()
    url = place.config.DATABASE_URL ?? ''
  })
  afterEach(() => place[Symbol.asyncDispose]())

  test('the first process leaves it, and one with another secret does not begin', async () => {
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

  test('a row is believed by a gateway that has the public half only where whoever has the secret signed it', async () => {
    const database = await open(url)
    const [ours, theirs] = [newSecrets(), newSecrets()]
    const publicKey = randomBytes(32)
    const row = { lock: 1, version: '', host: '', pid: 1, pid_namespace: '', boot_id: '', started: '' }
    const write = (id: string, { proof, signature }: { proof: Buffer; signature: Buffer | null }) => {
      const until = new Date(Date.now() + 60_000)
      const values = { ...row, id, until, public_key: publicKey, proof, signature }
      return database.db.insertInto('worker').values(values).execute()
    }
    const { cluster } = ours
    await write('real', provenKey('real', publicKey, ours))
    await write('older', { ...provenKey('older', publicKey, ours), signature: null })
    await write('posed', provenKey('posed', publicKey, { cluster, workers: theirs.workers }))
    await write('copied', provenKey('real', publicKey, ours))
    const verifier = new WorkerVerifier(ours.workers.signer.publicKey)
    const forged: string[] = []
    const pinned = new ProvenKeys(database.db, { cluster, verifier }, (worker) => void forged.push(worker))
    const before = new ProvenKeys(database.db, { cluster }, () => undefined)
    expect(await believed(pinned, 'real', 'older', 'posed', 'copied')).toEqual(['real'])
    expect(forged.sort()).toEqual(['copied', 'older', 'posed'])
    // Without it all that have the secret of gateways.
    expect(await believed(before, 'real', 'older', 'posed', 'copied')).toEqual(['real', 'older', 'posed'])
    await database.close()
  })

  test('of two that come first in one moment, one begins', async () => {
    const both = await Promise.all([open(url), open(url)])
    const begun = await Promise.allSettled(both.map((database) => assertSameSecrets(database, newSecrets())))
    expect(begun.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await both[begun.findIndex(({ status }) => status === 'fulfilled')]?.close()
  })

  test('new secrets are taken when the operator has said so, with no worker there', async () => {
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
