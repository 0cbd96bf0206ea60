import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { SHARDS } from '@digger/database'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { everybodyWaits, fall, reached } from './falling-market.ts'
import { ClusterFixture, ORDER_EVERY_MS } from './several-workers-fixture.ts'

const PEOPLE = 6
const SOON = { timeout: 60_000, interval: 50 }
const Accounts = z.object({ armed: z.number() })

let cluster: ClusterFixture
let child: ChildProcess | null = null

beforeAll(async () => {
  cluster = await ClusterFixture.open(PEOPLE)
  await cluster.addWorker()
  await cluster.addWorker()
  await cluster.addGateway()
  await cluster.settled()
  await everybodyWaits(cluster)
  // The third process counts by our time.
  cluster.place.time.goInOurs()
}, 300_000)
afterAll(async () => {
  await endChild()
  await cluster.close()
}, 120_000)

/** A third worker, a process of its own. Which shards it gets is chance: where nobody is in them, another one comes. */
async function workerWithAccounts(): Promise<ChildProcess> {
  const script = new URL('cluster-worker.ts', import.meta.url).pathname
  const { environment, sim } = cluster
  const env = {
    ...environment,
    SIM_URL: sim.url,
    SIM_WS_URL: sim.wsUrl,
    ORDER_SPACING_MS: String(ORDER_EVERY_MS),
  }
  for (let tries = 0; tries < 8; tries += 1) {
    const started = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    child = started
    let armed: number | null = null
    createInterface({ input: started.stdout }).on('line', (line) => ({ armed } = Accounts.parse(JSON.parse(line))))
    const shared = () => cluster.workers.every(({ database }) => database.owned.all().length < SHARDS / 2 - 20)
    await vi.waitFor(() => expect([shared(), (armed ?? -PEOPLE) + cluster.armed]).toEqual([true, PEOPLE]), SOON)
    if ((armed ?? 0) > 0) return started
    await endChild()
    await vi.waitFor(() => expect(cluster.armed).toBe(PEOPLE), SOON)
  }
  throw new Error('no worker got an account')
}

async function endChild(): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('a worker that stands still is waited for, and awake it sends nothing', async () => {
  const started = await workerWithAccounts()
  await fall(cluster)
  started.kill('SIGSTOP')
  const began = performance.now()
  await cluster.workers[0]?.engine.setServerStop('halt')
  const took = performance.now() - began
  // What was on the wire has come by then.
  await delay(100)
  const left = reached(cluster)
  started.kill('SIGCONT')
  await delay(6_000)
  expect([reached(cluster), took > 1_000, took < 7_500]).toEqual([left, true, true])
}, 180_000)
