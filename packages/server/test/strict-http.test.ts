import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppParts } from '../src/services.ts'
import { startFixture } from './shared-fixture.ts'
import type { ServerFixture } from './server-fixture.ts'

const CONFIG: AppParts['config'] = {
  KIS_ENV: 'sim',
  ALLOWED_ORIGINS: [],
  TRUST_PROXY: 'loopback',
  PUBLIC_URL: ['https://digger.example.com'],
}
let fixture: ServerFixture
let port: number

beforeAll(async () => {
  fixture = await startFixture({ parts: { config: CONFIG } })
  port = Number(new URL(await fixture.app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** All that comes back for these lines and bytes. */
async function received(lines: readonly string[], body = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (part: Buffer) => (text += part.toString()))
  socket.on('error', () => undefined)
  socket.write(`${[...lines, 'Host: localhost', 'Connection: close'].join('\r\n')}\r\n\r\n${body}`)
  await once(socket, 'close')
  return text
}

const answers = async (lines: readonly string[], body = ''): Promise<string[]> =>
  [...(await received(lines, body)).matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status ?? '')

const SMUGGLED = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'

describe('where a message ends is not to be argued about', () => {
  test.each<[string, string[], string]>([
    ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${SMUGGLED}`],
    ['two lengths', ['Content-Length: 2', `Content-Length: ${SMUGGLED.length + 2}`], `{}${SMUGGLED}`],
    ['chunks that are not the last coding', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${SMUGGLED}`],
    ['a coding that nobody knows', ['Transfer-Encoding: xchunked'], SMUGGLED],
    ['a length that is none', ['Content-Length: +2'], `{}${SMUGGLED}`],
    ['a space before the colon', ['Content-Length : 2'], `{}${SMUGGLED}`],
  ])('%s: refused, and nothing of what follows is answered', async (_name, headers, body) => {
    expect(await answers(['POST /api/login HTTP/1.1', 'Content-Type: application/json', ...headers], body)).toEqual([
      '400',
    ])
  })

  test('a plain request is answered', async () => {
    expect(await answers(['GET /health HTTP/1.1'])).toEqual(['200'])
  })
})

test.each([
  ['no request at all', 400, ['NONSENSE']],
  ['headers without end', 431, ['GET /health HTTP/1.1', `X-Long: ${'x'.repeat(20_000)}`]],
])('%s gets the headers that every reply has', async (_name, status, lines) => {
  const text = await received(lines)
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(text).toContain("content-security-policy: default-src 'none'")
  for (const line of ['x-content-type-options: nosniff', 'x-frame-options: DENY', 'cache-control: no-store'])
    expect(text).toContain(line)
  expect(text).toContain('strict-transport-security: max-age=31536000; includeSubDomains')
  const [, length, body = ''] = /content-length: (\d+)[^]*?\r\n\r\n(.*)$/.exec(text) ?? []
  expect([Buffer.byteLength(body), JSON.parse(body)]).toEqual([
    Number(length),
    expect.objectContaining({ code: 'INVALID' }),
  ])
})

test.each(['TRACE', 'TRACK', 'CONNECT'])('%s gives nothing back', async (method) => {
  const got = await answers([`${method} ${method === 'CONNECT' ? 'localhost:80' : '/api/user/user'} HTTP/1.1`])
  expect(got.every((status) => status.startsWith('4'))).toBe(true)
})

test('a field that comes twice, in a query or in a body, is never two answers', async () => {
  const { cookie } = await fixture.addPerson('owner')
  const twice = await fixture.call('GET', '/api/user/balance/gain?fromDate=20261101&fromDate=20261102', { cookie })
  expect(twice.statusCode).toBe(400)
  const mixed = await fixture.call('POST', '/api/user/stop?stop=active', {
    cookie,
    payload: { level: 'user', stop: 'halt' },
  })
  expect([mixed.statusCode, mixed.json()]).toEqual([200, expect.objectContaining({ user: 'halt' })])
})

test.each([
  '{"level":"user","stop":"halt","__proto__":{"stop":"active"}}',
  '{"constructor":{"prototype":{"stop":"active"}}}',
])('what would reach every object is no input: %s', async (payload) => {
  const headers = { 'content-type': 'application/json' }
  const { cookie } = await fixture.addPerson(`p${payload.length}`)
  const reply = await fixture.call('POST', '/api/user/stop', { cookie, headers, payload })
  expect([reply.statusCode, 'stop' in {}]).toEqual([400, false])
})
