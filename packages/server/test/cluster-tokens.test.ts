import type { Reply } from '@digger/contract'
import { demoCredentials, type Sim, startSim } from '@digger/kis-sim'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearing } from './api-token.ts'
import { ClusterFixture, type ClusterPerson, PASSWORD } from './cluster-fixture.ts'
import { problemIn } from './request.ts'

let sim: Sim
let cluster: ClusterFixture
let owner: ClusterPerson

beforeAll(async () => {
  const accounts = [{ credentials: demoCredentials(0), cash: 100_000_000 }]
  const clock = { mode: 'real', speed: 1 } as const
  sim = await startSim({ port: 0, hours: 'always', clock, walk: 'off', latency: 'none', limits: 'off', accounts })
  cluster = await ClusterFixture.start(sim)
  owner = await cluster.addPerson(0)
}, 300_000)
afterAll(async () => {
  await cluster[Symbol.asyncDispose]()
  await sim.close()
}, 120_000)

async function make(scope: 'read' | 'stop'): Promise<Reply<'makeApiToken'>> {
  const payload = { name: scope, scope }
  const reply = await cluster.call('POST', '/api/user/token', { cookie: owner.cookie, payload })
  if (reply.statusCode !== 200) throw new Error(reply.payload)
  return reply.json<Reply<'makeApiToken'>>()
}
const get = (path: string, secret: string) => cluster.call('GET', `/api/user/${path}`, { headers: bearing(secret) })
const halt = (secret: string, stop: string) =>
  cluster.call('POST', '/api/user/stop', { headers: bearing(secret), payload: { level: 'user', stop } })

describe('tokens in a cluster', () => {
  test('what a gateway has granted is answered by the worker, and no more than that', async () => {
    const [{ secret: read }, { secret: stop }] = [await make('read'), await make('stop')]
    const bySession = await cluster.call('GET', '/api/user/limits', { cookie: owner.cookie })
    expect([(await get('limits', read)).json(), (await get('limits', stop)).json()]).toEqual([
      bySession.json(),
      bySession.json(),
    ])
    expect(problemIn(await get('credentials', stop))).toBe('FORBIDDEN')
    expect(problemIn(await halt(read, 'halt'))).toBe('FORBIDDEN')
  })

  test('a stop holds at the worker, none is loosened, and the record names the token', async () => {
    const { secret } = await make('stop')
    expect((await halt(secret, 'halt')).json()).toMatchObject({ user: 'halt' })
    for (const looser of ['active', 'reduce']) expect(problemIn(await halt(secret, looser))).toBe('FORBIDDEN')
    const cookie = { cookie: owner.cookie }
    expect((await cluster.call('GET', '/api/user/stop', cookie)).json()).toMatchObject({ user: 'halt' })
    const lines = (await cluster.call('GET', '/api/user/audit', cookie)).json<Reply<'audit'>>()
    expect(lines.map(({ by }) => by)).toContain(`${owner.email} (토큰: stop)`)
    const wire = Buffer.concat(cluster.recorded.map(({ data }) => data)).toString('latin1')
    expect(wire.length).toBeGreaterThan(0)
    expect(wire).not.toContain(secret.slice('digger_stop_'.length))
  })

  test('a change of the password, made at a worker, ends them at the gateway at once', async () => {
    const { secret } = await make('read')
    expect((await get('limits', secret)).statusCode).toBe(200)
    const payload = { oldPassword: PASSWORD, newPassword: PASSWORD }
    expect((await cluster.call('PUT', '/api/user/user', { cookie: owner.cookie, payload })).statusCode).toBe(200)
    expect(problemIn(await get('limits', secret))).toBe('LOGIN_REQUIRED')
  })
})
