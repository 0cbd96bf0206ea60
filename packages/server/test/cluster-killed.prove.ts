import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readWorkerSecrets } from '@digger/cluster'
import { demoCredentials, type Sim, startSim } from '@digger/kis-sim'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ClusterFixture } from './cluster-fixture.ts'
import { writeSecrets } from './cluster-secrets.ts'

const PEOPLE = 5
const SOON = { timeout: 90_000, interval: 100 }
const Line = z.object({ armed: z.number(), keys: z.number() })

const folder = mkdtempSync(join(tmpdir(), 'digger-secrets-'))
const files = writeSecrets(folder)
let sim: Sim

/** A worker in a process of its own. */
class ChildWorker {
  readonly #process: ChildProcess
  has = { armed: 0, keys: 0 }

  constructor(cluster: ClusterFixture, files: ReturnType<typeof writeSecrets>) {
    const env = {
      ...files,
      DATABASE_URL: cluster.place.url,
      DATA_DIR: cluster.folder,
      SIM_URL: sim.url,
      SIM_WS_URL: sim.wsUrl,
    }
    const script = new URL('cluster-worker.ts', import.meta.url).pathname
    this.#process = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const { stdout } = this.#process
    if (stdout === null) throw new Error('no output')
    createInterface({ input: stdout }).on('line', (text) => void (this.has = Line.parse(JSON.parse(text))))
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await once(this.#process, 'exit')
  }
}

beforeAll(async () => {
  const accounts = Array.from({ length: PEOPLE }, (_, n) => ({ credentials: demoCredentials(n), cash: 100_000_000 }))
  const clock = { mode: 'real', speed: 1 } as const
  sim = await startSim({ port: 0, hours: 'always', clock, walk: 'off', latency: 'none', limits: 'off', accounts })
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await sim.close()
}, 60_000)

test('keys go to a worker that has come, and when it is killed the other trades on, without a master key', async () => {
  const secrets = readWorkerSecrets(files.CLUSTER_SECRET_FILE, files.WORKER_SECRET_FILE)
  await using cluster = await ClusterFixture.start(sim, { secrets })
  // The other process counts by our time.
  cluster.place.time.goInOurs()
  for (let n = 0; n < PEOPLE; n += 1) await cluster.addPerson(n)
  const [left] = cluster.workers
  // Which shards it gets is chance: where nobody is in them, another one comes.
  for (let tries = 0; tries < 8; tries += 1) {
    const child = new ChildWorker(cluster, files)
    await vi.waitFor(() => {
      const here = left?.engine.health.vitals().armed ?? 0
      expect([child.has.armed + here, child.has.keys]).toEqual([PEOPLE, child.has.armed])
      expect(left?.vault.present.users()).toHaveLength(here)
      expect(left?.database.owned.all().length).toBeLessThan(200)
    }, SOON)
    const went = child.has.keys
    await child.kill()
    await vi.waitFor(() => expect(left?.engine.health.vitals().armed).toBe(PEOPLE), SOON)
    if (went > 0) break
  }
  for (const { cookie } of cluster.people) {
    const balance = await cluster.call('GET', '/api/user/kis/balance', { cookie })
    expect([balance.statusCode, balance.payload]).toEqual([200, expect.stringContaining('100000000')])
  }
}, 300_000)
