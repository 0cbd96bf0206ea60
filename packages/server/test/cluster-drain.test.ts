import type { ServerState } from '@digger/contract'
import { SHARDS } from '@digger/database'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { problemIn } from './request.ts'
import { ClusterFixture } from './several-workers-fixture.ts'

// The administrator's page of the servers: asked at a gateway, done by two workers.
const PEOPLE = 4
const SOON = { timeout: 40_000, interval: 100 }
const PAGE = '/api/admin/8017/server'

let cluster: ClusterFixture

const read = async (): Promise<ServerState> => (await cluster.call(0, 'GET', PAGE)).json()
const drain = (worker: string, draining: boolean) => cluster.call(0, 'POST', `${PAGE}/${worker}/drain`, { draining })
const counts = () => cluster.workers.map(({ database }) => database.owned.all().length)
const ids = (): string[] => cluster.workers.map(({ member }) => member.id ?? '')
const auditOf = async (n: number) => {
  const reply = await cluster.call(n, 'GET', '/api/user/audit')
  return reply.json<{ by: string; action: string; detail: string }[]>()
}

describe('the page of the servers', () => {
  beforeAll(async () => {
    cluster = await ClusterFixture.open(PEOPLE)
    await cluster.addWorker()
    await cluster.addWorker()
    await cluster.addGateway()
    await cluster.settled()
  }, 240_000)
  afterAll(() => cluster.close())

  test('shows who is there, with how many shards, and who took them from whom', async () => {
    const { role, self, workers, unowned, moves, stop } = await read()
    expect({ role, worker: self.worker, unowned, stop }).toEqual({
      role: 'gateway',
      worker: null,
      unowned: 0,
      stop: { is: 'active', why: null },
    })
    expect(workers.map(({ id, shards, alive, draining }) => ({ id, shards, alive, draining }))).toEqual(
      ids().map((id, n) => ({ id, shards: counts()[n], alive: true, draining: false })),
    )
    // A lease lasts five seconds; it is renewed each second, late where the machine is.
    for (const { leaseAge } of workers) expect(leaseAge).toBeLessThan(5)
    const [first = '', second = ''] = ids()
    expect(moves.map(({ from, to, shards }) => ({ from, to, shards }))).toEqual([
      { from: first, to: second, shards: counts()[1] },
      { from: null, to: first, shards: SHARDS },
    ])
    expect(moves.map(({ why }) => why)).toEqual(['앞 워커가 내려놓았습니다', '맡은 워커가 없었습니다'])
  })

  test('a drained worker gives its accounts to the other, which trades them, and gets them back', async () => {
    const [first = '', second = ''] = ids()
    const before = counts()
    const drained = await drain(second, true)
    expect(drained.json<ServerState>().workers.find(({ id }) => id === second)?.draining).toBe(true)
    await vi.waitFor(() => expect(counts()).toEqual([SHARDS, 0]), SOON)
    await vi.waitFor(() => expect(cluster.workers[0]?.engine.health.vitals().armed).toBe(PEOPLE), SOON)
    expect((await read()).moves[0]).toMatchObject({ from: second, to: first, shards: before[1] })
    // Whoever would be the last is asked to stay.
    const refused = await drain(first, true)
    expect(problemIn(refused)).toBe('CONFLICT')
    expect(refused.json<{ message: string }>().message).toContain('넘겨받을 다른 워커가 없어')
    expect((await drain(second, false)).statusCode).toBe(200)
    await vi.waitFor(() => expect(counts()).toEqual(before), SOON)
    await cluster.settled()
    expect((await read()).unowned).toBe(0)
  }, 120_000)

  test('each press is a line in the log of the administrator who made it, the refused with why', async () => {
    const [first = '', second = ''] = ids()
    expect(problemIn(await drain('nobody00', true))).toBe('NOT_FOUND')
    const lines = (await auditOf(0)).filter(({ action }) => action === '워커 비우기')
    const by = cluster.people[0]?.email
    expect(lines.map(({ detail }) => detail.split(':')[0])).toEqual([
      'nobody00 · 모두 내려놓기 · 거절',
      `${second} · 다시 맡기`,
      `${first} · 모두 내려놓기 · 거절`,
      `${second} · 모두 내려놓기`,
    ])
    expect(lines.every((line) => line.by === by)).toBe(true)
  })

  test('accounts of a worker that is gone are shown as nobody’s, then as the other’s', async () => {
    const { db } = cluster.gateways[0]?.database ?? {}
    const [first = '', second = ''] = ids()
    const mine = counts()[1] ?? 0
    await db?.updateTable('worker').set({ buried: true }).where('id', '=', second).execute()
    const { unowned, workers } = await read()
    const left = workers.find(({ id }) => id === second)
    expect(left).toMatchObject({ alive: false })
    expect(unowned).toBe(left?.shards)
    expect(mine).toBeGreaterThan(80)
    expect(problemIn(await drain(second, true))).toBe('NOT_FOUND')
    await vi.waitFor(async () => {
      const { moves, unowned: none } = await read()
      expect(none).toBe(0)
      const taken = moves.filter(({ from }) => from === second)
      expect(taken.find(({ to }) => to === first)?.why).toBe('앞 워커의 응답이 끊겼습니다')
    }, SOON)
    await cluster.settled()
  }, 120_000)

  test('a worker answers the same, and says which it is', async () => {
    const [worker] = cluster.workers
    const headers = { cookie: cluster.people[0]?.cookie ?? '' }
    const reply = await worker?.app.inject({ method: 'GET', url: PAGE, headers })
    const { role, self } = reply?.json<ServerState>() ?? {}
    expect([role, self?.worker]).toEqual(['worker', worker?.member.id])
  })
})
