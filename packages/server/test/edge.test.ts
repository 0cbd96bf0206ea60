import { connect } from 'node:net'
import { once } from 'node:events'
import { request } from 'undici'
import { afterEach, describe, expect, test } from 'vitest'
import { NO_LIMITS, type RequestLimits } from '@digger/http'
import type { AppParts } from '../src/services.ts'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import type { ServerFixture, ServerFixtureOptions } from './server-fixture.ts'

// What is decided before the framework is asked is only there on a real connection.
let fixture: ServerFixture
afterEach(() => fixture[Symbol.asyncDispose]())

const FEW: RequestLimits = { ...NO_LIMITS, stranger: { burst: 5, perSecond: 1 }, person: { burst: 20, perSecond: 1 } }
const CONFIG: AppParts['config'] = { KIS_ENV: 'sim', ALLOWED_ORIGINS: [], TRUST_PROXY: 'loopback' }

async function start(parts: ServerFixtureOptions['parts'] = {}): Promise<string> {
  fixture = await startFixture({ parts })
  return fixture.app.listen({ host: '127.0.0.1', port: 0 })
}

async function ask(url: string, headers: Record<string, string> = {}, method: 'GET' | 'POST' = 'GET') {
  const reply = await request(url, { headers, method })
  return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() }
}

const statuses = async (url: string, headers: Record<string, string>, times: number) => {
  const replies = await Promise.all(Array.from({ length: times }, () => ask(url, headers)))
  return replies.map(({ status }) => status).toSorted((a, b) => a - b)
}

describe('requests of an address are limited', () => {
  test('past its budget it gets a message with the time to come back, and no connection; a second gives one back', async () => {
    const base = await start({ requestLimits: FEW })
    expect(await statuses(`${base}/api/nothing`, {}, 7)).toEqual([404, 404, 404, 404, 404, 429, 429])
    const refused = await ask(`${base}/api/nothing`)
    expect(JSON.parse(refused.text)).toEqual({ code: 'BUSY', message: expect.stringMatching(/요청이 너무 많습니다/) })
    expect(refused.headers).toMatchObject({
      connection: 'close',
      'retry-after': '10',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    fixture.clock.advance(1_000)
    expect(await statuses(`${base}/api/nothing`, {}, 2)).toEqual([404, 429])
  })

  test('each address behind a proxy that is believed has its own; an IPv6 /64 is one', async () => {
    const base = await start({ requestLimits: FEW })
    const from = (address: string) => statuses(`${base}/health`, { 'x-forwarded-for': address }, 6)
    const addresses = ['203.0.113.1', '203.0.113.2', '2001:db8:1:1::1']
    const served = [200, 200, 200, 200, 200, 429]
    expect(await Promise.all(addresses.map(from))).toEqual([served, served, served])
    expect(await from('2001:db8:1:1:ffff::2')).toEqual([429, 429, 429, 429, 429, 429])
    expect(await from('2001:db8:1:2::1')).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('who is not believed cannot change addresses', async () => {
    const base = await start({ requestLimits: FEW, config: { ...CONFIG, TRUST_PROXY: '10.9.9.9' } })
    const all = Array.from({ length: 8 }, (_, n) => ask(`${base}/health`, { 'x-forwarded-for': `203.0.113.${n}` }))
    const codes = (await Promise.all(all)).map(({ status }) => status)
    expect(codes.filter((code) => code === 429)).toHaveLength(3)
  })

  test('who is logged in has their own, also when the session has to be read again and the address has none left', async () => {
    const base = await start({ requestLimits: FEW })
    const owner = await fixture.addPerson('owner')
    const { cookie } = owner
    expect((await ask(`${base}/api/user/user`, { cookie })).status).toBe(200)
    fixture.clock.advance(60_000)
    await statuses(`${base}/api/nothing`, {}, 8)
    expect(await statuses(`${base}/api/user/user`, { cookie }, 12)).toEqual(Array.from({ length: 12 }, () => 200))
    expect(await statuses(`${base}/api/user/user`, { cookie: 'digger_session=invented' }, 1)).toEqual([429])
    expect(await statuses(`${base}/api/user/user`, { cookie }, 12)).toContain(429)
  })

  test('who sends the token of a session that ended is a stranger', async () => {
    const base = await start({ requestLimits: FEW })
    const { cookie: ended, email } = await fixture.addPerson('owner')
    expect((await ask(`${base}/api/user/user`, { cookie: ended })).status).toBe(200)
    await fixture.call('DELETE', '/api/login', { cookie: ended })
    expect((await ask(`${base}/api/nothing`, { cookie: ended })).status).toBe(404)
    fixture.clock.advance(60_000)
    const cookie = await fixture.logIn(email)
    expect((await ask(`${base}/api/user/user`, { cookie })).status).toBe(200)
    const codes = await statuses(`${base}/api/user/user`, { cookie: ended }, 25)
    // The new session, not read yet, took one of the five of the address.
    expect(codes.filter((code) => code === 401)).toHaveLength(4)
    expect((await ask(`${base}/api/user/user`, { cookie })).status).toBe(200)
  })

  test('a stream that is open stays open', async () => {
    const base = await start({ requestLimits: FEW })
    const owner = await fixture.addPerson('owner')
    const reply = await fetch(`${base}/api/user/events`, { headers: { cookie: owner.cookie } })
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
    await reader?.read()
    await statuses(`${base}/api/nothing`, {}, 10)
    fixture.services.live.publish(owner.userId, { kind: 'orders' })
    expect((await reader?.read())?.value).toContain('event: orders')
    await reader?.cancel()
  })

  test('what comes on a connection that was refused is not answered, however much it is', async () => {
    const base = await start({ requestLimits: { ...FEW, holdMs: 100 } })
    const { port, hostname } = new URL(base)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('data', (part: Buffer) => (received += part.toString()))
    socket.on('error', () => undefined)
    socket.write(`GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(50))
    await once(socket, 'close')
    expect(received.match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThanOrEqual(5)
    expect(received.match(/HTTP\/1\.1 429/g)).toHaveLength(1)
  })

  test('connections are limited too, and one that left makes room', async () => {
    const config = { ...CONFIG, TRUST_PROXY: '10.9.9.9' }
    const base = await start({ requestLimits: { ...NO_LIMITS, connections: 3 }, config })
    const { port, hostname } = new URL(base)
    const sockets = Array.from({ length: 5 }, () => connect(Number(port), hostname))
    const closed: number[] = []
    for (const [at, socket] of sockets.entries()) {
      socket.on('error', () => undefined)
      socket.once('close', () => closed.push(at))
    }
    await expect.poll(() => closed).toHaveLength(2)
    for (const socket of sockets) socket.destroy()
    await expect.poll(async () => (await ask(`${base}/health`)).status).toBe(200)
  })
})

describe('the names people may use', () => {
  const PUBLIC = { ...CONFIG, PUBLIC_URL: ['https://digger.example.com'] }

  test('for pages, calls and figures alike', async () => {
    const base = await start({ config: PUBLIC })
    const ours = [
      'localhost:8081',
      '127.0.0.1',
      '[::1]:8081',
      '192.168.0.7:8081',
      'digger.example.com',
      'DIGGER.example.com:443',
    ]
    const others = [
      'evil.example',
      'digger.example.com.evil.example',
      'localhost.evil.example',
      'evil.example:8081',
      '127.0.0.1@evil.example',
    ]
    const paths = ['/health', '/api/nothing', '/metrics']
    const refusedOf = async (host: string) => {
      const replies = await Promise.all(paths.map((path) => ask(base + path, { host })))
      return replies.map((reply) => reply.status === 403 && reply.text.includes('PUBLIC_URL'))
    }
    expect(await Promise.all(ours.map(refusedOf))).toEqual(ours.map(() => [false, false, false]))
    expect(await Promise.all(others.map(refusedOf))).toEqual(others.map(() => [true, true, true]))
  })

  test('one that people open over TLS tells browsers to stay there, also where the proxy does not name the scheme', async () => {
    const base = await start({ config: PUBLIC, requestLimits: FEW })
    const answersUnder = async (host: string) => {
      const replies = await Promise.all(Array.from({ length: 6 }, () => ask(`${base}/health`, { host })))
      const statuses = new Set(replies.map(({ status }) => status))
      fixture.clock.advance(10_000)
      return [[...statuses], replies.every(({ headers }) => 'strict-transport-security' in headers)]
    }
    expect(await answersUnder('digger.example.com')).toEqual([[200, 429], true])
    expect(await answersUnder('127.0.0.1')).toEqual([[200, 429], false])
  })

  test('a cached reply is not sent to a page of another name', async () => {
    const base = await start({ config: PUBLIC })
    const owner = await fixture.addPerson('owner')
    fixture.giveStock(owner.userId)
    const get = (host: string) => ask(`${base}/api/user/stock`, { cookie: owner.cookie, host })
    for (let n = 0; n < 3; n++) expect((await get('localhost')).status).toBe(200)
    expect((await get('evil.example')).status).toBe(403)
    expect((await get('localhost')).status).toBe(200)
  })
})

test('a slow beginning is not waited for', async () => {
  await start()
  expect(fixture.app.server.headersTimeout).toBeLessThanOrEqual(10_000)
  expect(fixture.app.server.requestTimeout).toBeLessThanOrEqual(30_000)
})

const stop = (cookie: string, state = 'halt') =>
  fixture.call('POST', '/api/user/stop', { cookie, payload: { level: 'user', stop: state } })
const change = (cookie: string) => fixture.call('POST', '/api/user/socket', { cookie })

describe('changes by one user are limited', () => {
  test('past the burst a change gets a message and no line in the account’s log; a stop still gets through', async () => {
    await start({ requestLimits: { ...NO_LIMITS, change: { burst: 4, perSecond: 2 } } })
    const [owner, mate] = [await fixture.addPerson('owner'), await fixture.addPerson('mate')]
    const codes: number[] = []
    for (let n = 0; n < 6; n++) codes.push((await change(owner.cookie)).statusCode)
    expect(codes).toEqual([200, 200, 200, 200, 429, 429])
    expect(problemIn(await change(owner.cookie))).toBe('BUSY')
    expect((await stop(owner.cookie)).statusCode).toBe(200)
    expect((await change(mate.cookie)).statusCode).toBe(200)
    expect((await fixture.call('GET', '/api/user/stop', { cookie: owner.cookie })).statusCode).toBe(200)
    const lines = (await fixture.call('GET', '/api/user/audit', { cookie: owner.cookie })).json<{ action: string }[]>()
    expect(lines.filter(({ action }) => action !== '로그인')).toHaveLength(5)
    fixture.clock.advance(1_000)
    const more = [await change(owner.cookie), await change(owner.cookie), await change(owner.cookie)]
    expect(more.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429])
    // An endless stream of stops is a flood as well.
    const stops: number[] = []
    for (let n = 0; n < 6; n++) stops.push((await stop(mate.cookie)).statusCode)
    expect(stops).toEqual([200, 200, 200, 200, 429, 429])
  })

  test('letting go of a stop is one of them', async () => {
    await start({ requestLimits: { ...NO_LIMITS, change: { burst: 3, perSecond: 1 } } })
    const { cookie } = await fixture.addPerson('owner')
    const replies = [await change(cookie), await stop(cookie, 'active'), await change(cookie)]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(problemIn(await stop(cookie, 'active'))).toBe('BUSY')
    expect((await stop(cookie, 'reduce')).statusCode).toBe(200)
  })

  test('letting sells go again is one of them, and leaves the stops their own', async () => {
    await start({ requestLimits: { ...NO_LIMITS, change: { burst: 3, perSecond: 1 } } })
    const { cookie } = await fixture.addPerson('owner')
    expect((await stop(cookie, 'halt')).statusCode).toBe(200)
    for (let n = 0; n < 3; n++) expect((await change(cookie)).statusCode).toBe(200)
    expect(problemIn(await stop(cookie, 'reduce'))).toBe('BUSY')
    expect((await stop(cookie, 'halt')).statusCode).toBe(200)
  })

  test('by the user who asks, whatever session and whoever’s account', async () => {
    await start({ requestLimits: { ...NO_LIMITS, change: { burst: 3, perSecond: 1 } } })
    const [owner, boss] = [await fixture.addPerson('owner'), await fixture.addPerson('boss', true)]
    const again = await fixture.logIn(boss.email)
    const codes = [
      await change(boss.cookie),
      await change(again),
      await fixture.call('POST', `/api/admin/8017/user/${owner.userId}/socket`, { cookie: boss.cookie }),
      await fixture.call('POST', `/api/admin/8017/user/${owner.userId}/socket`, { cookie: again }),
    ].map(({ statusCode }) => statusCode)
    expect(codes).toEqual([200, 200, 200, 429])
    expect((await change(owner.cookie)).statusCode).toBe(200)
  })
})

test('a server that closes does not wait for those it holds', async () => {
  const base = await start({ requestLimits: { ...FEW, holdMs: 600_000 } })
  const held = statuses(`${base}/api/nothing`, {}, 9).catch(() => 'cut')
  await expect.poll(() => fixture.log.filter((line) => line.includes('"status":429'))).toHaveLength(4)
  await fixture.app.close()
  expect(await held).toBe('cut')
})
