import { SealedBus } from '@digger/cluster'
import { shardOf } from '@digger/database'
import { openCall, sealedCallSubject } from '@digger/forward'
import { type KeyPair, newKeyPair } from '@digger/identity'
import { demoCredentials, type Sim, startSim } from '@digger/kis-sim'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ClusterFixture, PASSWORD } from './cluster-fixture.ts'
import { newSecrets } from './cluster-secrets.ts'

const FAKE = 'fake'
const SOON = { timeout: 30_000, interval: 100 }

let sim: Sim

beforeAll(async () => {
  const accounts = [{ credentials: demoCredentials(0), cash: 100_000_000 }]
  const clock = { mode: 'real', speed: 1 } as const
  sim = await startSim({ port: 0, hours: 'always', clock, walk: 'off', latency: 'none', limits: 'off', accounts })
}, 120_000)
afterAll(async () => {
  await sim.close()
}, 120_000)

/** Writes a row that says what rows of workers say, and takes the person's account by it. */
async function poseAsWorker({ gateway, secrets }: ClusterFixture, userId: string, { publicKey }: KeyPair) {
  const { db } = gateway.database
  const real = await db.selectFrom('worker').selectAll().where('buried', '=', false).executeTakeFirstOrThrow()
  // The proof that whoever has a gateway can make, beside that of the worker's row.
  const proof = Buffer.concat([secrets.cluster.prove(FAKE, publicKey), real.proof?.subarray(32) ?? Buffer.alloc(32)])
  const until = new Date(Date.now() + 3_600_000)
  await db
    .insertInto('worker')
    .values({ ...real, id: FAKE, public_key: publicKey, proof, until })
    .execute()
  await db.updateTable('shard').set({ worker: FAKE, released: false }).where('id', '=', shardOf(userId)).execute()
}

/** What comes to the fake worker and opens with its key. */
function listenAsWorker(cluster: ClusterFixture, { privateKey }: KeyPair): string[] {
  const received: string[] = []
  const bus = new SealedBus(cluster.newBus(), cluster.secrets.cluster, { dropped: () => undefined })
  bus.answer(sealedCallSubject(FAKE), async (message) => {
    const { call } = await openCall(FAKE, privateKey, message)
    received.push(call.toString())
    throw new Error('it has what it wanted')
  })
  return received
}

describe('a gateway in wrong hands that poses as a worker', () => {
  test.each([
    ['without WORKER_PUBLIC_KEY other gateways send it log-ins', false],
    ['with it they send it none', true],
  ])(
    '%s',
    async (_, isPinned) => {
      const secrets = newSecrets()
      const gatewayEnv = isPinned ? { WORKER_PUBLIC_KEY: secrets.workers.signer.publicKey } : {}
      // A log-in waits so long for a worker that may be believed.
      const forwarding = { ownerMs: 1_000 }
      await using cluster = await ClusterFixture.start(sim, { secrets, gatewayEnv, forwarding })
      const { email, userId } = await cluster.addPerson(0)
      const pair = newKeyPair()
      const received = listenAsWorker(cluster, pair)
      await poseAsWorker(cluster, userId, pair)
      // What a gateway believes of the shards is up to a second old.
      await vi.waitFor(async () => {
        const entered = await cluster.logIn(email)
        expect([entered.statusCode === 200, received.length > 0]).toEqual([false, !isPinned])
      }, SOON)
      expect(received.join('').includes(PASSWORD)).toBe(!isPinned)
    },
    120_000,
  )
})
