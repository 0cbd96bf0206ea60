import { LocalBus, LocalWire } from '@digger/cluster'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from '@digger/config'
import type { DiggerGateway } from '../src/gateway.ts'
import { listenForHealth } from '@digger/http'
import { createLogger } from '../src/log.ts'
import type { DiggerWorker } from '../src/worker.ts'
import { newSecrets } from './cluster-secrets.ts'
import { TimedProcesses } from './timed-processes.ts'

const SOON = { timeout: 20_000, interval: 100 }
const SHARDS = 256

let processes: TimedProcesses
let worker: DiggerWorker
let gateway: DiggerGateway
const secrets = newSecrets()
const wire = new LocalWire()
const STRANGER = { 'x-forwarded-for': '203.0.113.9' }

const parts = () => ({
  config: readConfig({ DATABASE_URL: processes.place.url, PORT: '0' }),
  log: createLogger('fatal'),
  broker: { env: 'real', restUrl: 'http://127.0.0.1:9', wsUrl: 'ws://127.0.0.1:9' } as const,
  hours: 'always' as const,
})
const newWorker = () => processes.worker(parts(), new LocalBus(wire), secrets)
const ask = async ({ app }: Pick<DiggerGateway, 'app'>, url = '/health', headers: Record<string, string> = {}) => {
  const { statusCode, payload } = await app.inject({ url, headers: { host: 'localhost', ...headers } })
  return { status: statusCode, text: payload }
}
/** Numbers of /metrics by their names with labels. */
async function metrics(of: Pick<DiggerGateway, 'app'>): Promise<Record<string, number>> {
  const { text } = await ask(of, '/metrics')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

describe('how a worker and a gateway are', () => {
  beforeAll(async () => {
    processes = await TimedProcesses.open()
    worker = await newWorker()
    gateway = await processes.gateway(parts(), new LocalBus(wire), secrets)
  }, 60_000)
  afterAll(async () => {
    wire.isCut = false
    await processes.end([gateway], [worker])
  }, 60_000)

  test('both say who is there, and are well', async () => {
    const { id } = worker.member
    const of = [await ask(worker), await ask(gateway)].map(({ status, text }) => [status, JSON.parse(text)])
    const seen = [{ id, shards: SHARDS, draining: false, buried: false }]
    const shards = { unowned: 0, unownedMs: 0 }
    expect(of).toMatchObject([
      [200, { ok: true, cluster: { role: 'worker', worker: id, shards: { ...shards, owned: SHARDS }, workers: seen } }],
      [200, { ok: true, cluster: { role: 'gateway', worker: null, shards: { ...shards, owned: 0 }, workers: seen } }],
    ])
  })

  test('strangers learn well or not, nothing of who is there', async () => {
    const { text } = await ask(gateway, '/health', STRANGER)
    expect(JSON.parse(text)).toEqual({ ok: true, env: 'sim' })
    expect((await ask(gateway, '/metrics', STRANGER)).status).toBe(403)
  })

  test('the metrics have the steps of the takeover, the shards and each worker’s version', async () => {
    await vi.waitFor(
      async () => expect((await metrics(worker))['digger_takeover_seconds{step="armed"}']).toBeGreaterThan(0),
      SOON,
    )
    const ours = await metrics(worker)
    expect(ours).toMatchObject({
      digger_shards_owned: SHARDS,
      digger_shards_unowned: 0,
      digger_fenced: 0,
      digger_bus_connected: 1,
      'digger_shards_moved{how="claimed"}': SHARDS,
      'digger_sockets{state="wanted"}': 0,
    })
    expect([
      ours['digger_takeover_seconds{step="claim"}'] ?? 0,
      ours['digger_takeover_seconds{step="load"}'] ?? 0,
    ]).toEqual([expect.any(Number), expect.any(Number)])
    const theirs = Object.keys(await metrics(gateway))
    expect(theirs).toEqual(
      expect.arrayContaining([
        expect.stringMatching(new RegExp(`digger_worker_shards\\{worker="${worker.member.id}",version=`)),
      ]),
    )
    expect(theirs).toContain('digger_forwarded_calls{outcome="unknown"}')
  })

  test('without the bus the worker is well and the gateway is not', async () => {
    wire.isCut = true
    const [ours, theirs] = [await ask(worker), await ask(gateway)]
    expect([ours.status, theirs.status]).toEqual([200, 503])
    expect(JSON.parse(theirs.text)).toMatchObject({
      ok: false,
      troubles: [{ code: 'cluster' }],
      cluster: { bus: { connected: false } },
    })
    expect(await metrics(gateway)).toMatchObject({ digger_bus_connected: 0, digger_cluster_trouble: 1 })
    wire.isCut = false
  })

  test('the port of a worker answers two questions, and nothing else', async () => {
    const server = await listenForHealth(worker.app, 0)
    const address = server.address()
    const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const status = async (path: string, init?: RequestInit) => (await fetch(base + path, init)).status
    expect(await (await fetch(`${base}/health`)).json()).toMatchObject({ ok: true, cluster: { role: 'worker' } })
    for (const path of ['/health', '/nothing'])
      expect(Object.fromEntries((await fetch(base + path)).headers)).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
    expect([
      await status('/health?x=1'),
      await status('/metrics'),
      await status('/api/login', { method: 'POST' }),
    ]).toEqual([200, 200, 404])
    expect([
      await status('/'),
      await status('/health/../api/user/user'),
      await status('/health', { method: 'POST' }),
    ]).toEqual([404, 404, 404])
    server.close()
    server.closeAllConnections()
  })

  test('when the only worker has gone, the gateway says so after a while', async () => {
    await worker.close()
    await vi.waitFor(
      async () => {
        const { status, text } = await ask(gateway)
        expect([status, JSON.parse(text)]).toMatchObject([503, { cluster: { shards: { unowned: SHARDS } } }])
      },
      { timeout: 40_000, interval: 50 },
    )
    worker = await newWorker()
    await vi.waitFor(async () => expect((await ask(gateway)).status).toBe(200), SOON)
  }, 90_000)
})
