import { request } from 'undici'
import { afterEach, expect, test } from 'vitest'
import { NO_LIMITS, type RequestLimits } from '@digger/http'
import type { ServerFixture, ServerFixtureOptions } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

let fixture: ServerFixture
afterEach(() => fixture[Symbol.asyncDispose]())

const FEW: RequestLimits = { ...NO_LIMITS, stranger: { burst: 5, perSecond: 1 }, person: { burst: 20, perSecond: 1 } }

async function start(parts: ServerFixtureOptions['parts'] = {}): Promise<string> {
  fixture = await startFixture({ parts })
  return fixture.app.listen({ host: '127.0.0.1', port: 0 })
}

async function ask(url: string, headers: Record<string, string> = {}): Promise<number> {
  const reply = await request(url, { headers })
  await reply.body.dump()
  return reply.statusCode
}

const statuses = (url: string, headers: Record<string, string>, times: number) =>
  Promise.all(Array.from({ length: times }, () => ask(url, headers)))

test('the log of a flood is a few short lines and a count', async () => {
  const base = await start()
  const before = fixture.log.length
  for (let n = 0; n < 10; n++) await statuses(`${base}/api/a/${'x'.repeat(1_500)}?password=geheim`, {}, 30)
  const lines = fixture.log.slice(before)
  expect(lines).toHaveLength(20)
  expect(lines.join('').length).toBeLessThan(20 * 500)
  expect(lines.join('')).not.toContain('geheim')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    status: 404,
    url: expect.stringMatching(/^\/api\/a\/x+…\(1507\)$/),
  })
  fixture.clock.advance(60_000)
  expect(JSON.parse(fixture.log.at(-1) ?? '')).toMatchObject({ suppressed: { strangers: { 404: 280 } } })
  expect(await statuses(`${base}/api/x`, {}, 1)).toEqual([404])
  expect(fixture.log.at(-1)).toContain('/api/x')
})

test('it reports refused requests, and counts people apart from strangers', async () => {
  const base = await start({ requestLimits: FEW })
  const { cookie } = await fixture.addPerson('owner')
  expect(await ask(`${base}/api/user/user`, { cookie })).toBe(200)
  fixture.clock.advance(60_000)
  const before = fixture.log.length
  await statuses(`${base}/api/nothing`, {}, 30)
  expect(await ask(`${base}/api/user/nothing`, { cookie })).toBe(404)
  const logged = fixture.log.slice(before).map((line) => JSON.parse(line).status)
  expect(logged.filter((status) => status === 429)).toHaveLength(20)
  expect(logged.filter((status) => status === 404)).toHaveLength(6)
  fixture.clock.advance(60_000)
  expect(JSON.parse(fixture.log.at(-1) ?? '').suppressed).toEqual({ strangers: { 429: 5 } })
})

test('it says who was refused, by a token too, and nobody’s name for who is not known', async () => {
  const base = await start({ requestLimits: FEW })
  const { cookie, userId } = await fixture.addPerson('owner')
  const other = await fixture.addPerson('other')
  const made = await fixture.services.apiTokens.make(userId, { name: '벽', scope: 'read', days: 1 })
  const lineOf = async (path: string, headers: Record<string, string>) => {
    await ask(base + path, headers)
    return JSON.parse(fixture.log.at(-1) ?? '')
  }
  const admins = '/api/admin/8017/user'
  expect(await lineOf(admins, { cookie })).toMatchObject({ status: 403, userId, url: admins, ip: '127.0.0.1' })
  expect(await lineOf(`/api/${other.userId}/stock`, { cookie })).toMatchObject({ status: 403, userId })
  const byToken = { authorization: `Bearer ${made.secret}` }
  expect(await lineOf('/api/user/session', byToken)).toMatchObject({ status: 403, userId, apiToken: '벽' })
  const nobody = await lineOf('/api/user/stock', { cookie: 'digger_session=invented' })
  expect([nobody.status, 'userId' in nobody]).toEqual([401, false])
  await statuses(`${base}/api/user/user`, { cookie }, 25)
  expect(JSON.parse(fixture.log.at(-1) ?? '')).toMatchObject({ status: 429, userId })
})

test('it counts what is left when the server closes', async () => {
  const base = await start()
  await statuses(`${base}/api/nothing`, {}, 25)
  await fixture.app.close()
  expect(fixture.log.join('')).toContain('"suppressed":{"strangers":{"404":5}}')
})
