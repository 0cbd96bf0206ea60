import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { vitalsOf } from '@digger/engine'
import { names, problemIn } from './request.ts'
import type { Probe } from '../src/services.ts'
import { startFixture } from './shared-fixture.ts'
import type { ServerFixture } from './server-fixture.ts'

/** The database of the run. */
const KIND = process.env['DIGGER_TEST_POSTGRES'] === undefined ? 'embedded' : 'postgres'

const PAGE = `<!doctype html><title>Digger</title>${'<!-- long enough to compress -->'.repeat(60)}`
const SCRIPT = 'export const answer = 42\n'.repeat(100)
let fixture: ServerFixture
let webDir: string

beforeAll(async () => {
  webDir = mkdtempSync(join(tmpdir(), 'digger-web-'))
  mkdirSync(join(webDir, 'assets'))
  writeFileSync(join(webDir, 'index.html'), PAGE)
  writeFileSync(join(webDir, 'icon.svg'), `<svg>${'<!-- 그림 -->'.repeat(200)}</svg>`)
  writeFileSync(join(webDir, 'assets', 'app-Ab3dEf9h.js'), SCRIPT)
  fixture = await startFixture({ parts: { webDir } })
})
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  rmSync(webDir, { recursive: true, force: true })
})

describe('the web client', () => {
  test.each(['/', '/login', '/user/balance', '/user/stock/005930/trade', '/user/admin/user?x=1'])(
    '%s is the page',
    async (url) => {
      const reply = await fixture.call('GET', url, { headers: { accept: 'text/html' } })
      expect([reply.statusCode, reply.body]).toEqual([200, PAGE])
      expect(reply.headers['cache-control']).toBe('no-cache')
      expect(reply.headers['content-security-policy']).toMatch(/script-src 'self'/)
    },
  )

  test('a hashed file may be cached for ever', async () => {
    const { headers, body } = await fixture.call('GET', '/assets/app-Ab3dEf9h.js')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-type']).toMatch(/javascript/)
    expect(body).toBe(SCRIPT)
  })

  test('an icon that is text says in which charset, compressed or not', async () => {
    await expect.poll(() => existsSync(join(webDir, 'icon.svg.br'))).toBe(true)
    for (const coding of ['identity', 'br']) {
      const { headers } = await fixture.call('GET', '/icon.svg', { headers: { 'accept-encoding': coding } })
      expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8')
      expect(headers['content-encoding']).toBe(coding === 'br' ? 'br' : undefined)
    }
  })

  test('is compressed once, at full strength', async () => {
    await expect.poll(() => existsSync(join(webDir, 'index.html.gz'))).toBe(true)
  })

  test('goes out compressed, page and files', async () => {
    for (const [url, content] of [
      ['/assets/app-Ab3dEf9h.js', SCRIPT],
      ['/', PAGE],
      ['/user/gain', PAGE],
    ] as const) {
      const reply = await fixture.call('GET', url, { headers: { 'accept-encoding': 'br', accept: '*/*' } })
      expect(reply.headers['content-encoding']).toBe('br')
      expect(brotliDecompressSync(reply.rawPayload).toString()).toBe(content)
    }
  })

  test.each(['/assets/gone-12345678.js', '/favicon.png', '/../../etc/passwd.txt', '/%2e%2e/%2e%2e/etc/passwd.txt'])(
    '%s is not there',
    async (url) => expect((await fixture.call('GET', url)).statusCode).toBeGreaterThanOrEqual(400),
  )
})

test.each([
  '/',
  '/login',
  '/assets/app-Ab3dEf9h.js',
  '/assets/gone-12345678.js',
  '/api/docs/',
  '/api/docs/static/swagger-ui.css',
  '/api/docs/nothing',
  '/api/nothing',
  '/health',
  '/metrics',
])('%s carries a policy for what it may load, and over https the header to stay there', async (url) => {
  const { headers } = await fixture.call('GET', url)
  const policy = headers['content-security-policy']
  for (const part of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) expect(policy).toContain(part)
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers).not.toHaveProperty('strict-transport-security')
  const secure = await fixture.call('GET', url, { headers: { 'x-forwarded-proto': 'https' } })
  expect(secure.headers['content-security-policy']).toMatch(/default-src/)
  expect(secure.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
})

test.each(['/health', '/metrics', '/api/docs/', '/api/nothing', '/assets/gone-12345678.js', '/nothing.txt'])(
  '%s is kept by no cache',
  async (url) => expect((await fixture.call('GET', url)).headers['cache-control']).toBe('no-store'),
)

test('a file that a browser has already is still to be kept', async () => {
  const { etag } = (await fixture.call('GET', '/assets/app-Ab3dEf9h.js')).headers
  const again = await fixture.call('GET', '/assets/app-Ab3dEf9h.js', { headers: { 'if-none-match': String(etag) } })
  expect([again.statusCode, again.headers['cache-control']]).toEqual([304, 'public, max-age=31536000, immutable'])
})

test('API replies are compressed when long', async () => {
  const reply = await fixture.call('GET', '/api/docs/json', { headers: { 'accept-encoding': 'br' } })
  expect(reply.headers['content-encoding']).toBe('br')
})

describe('the API document', () => {
  test('describes every call of the contract', async () => {
    const { paths } = (await fixture.call('GET', '/api/docs/json')).json<{ paths: Record<string, object> }>()
    const operations = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
    expect(new Set(operations.filter(Boolean))).toEqual(new Set<string>(names))
  })
  test('has a page that a browser can show', async () => {
    const reply = await fixture.call('GET', '/api/docs/')
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, expect.stringMatching(/html/)])
    expect(reply.headers['content-security-policy']).toMatch(/script-src/)
  })
})

describe('for the operator', () => {
  test('health reports what trading depends on', async () => {
    const reply = await fixture.call('GET', '/health')
    expect(reply.json()).toMatchObject({ ok: true, env: 'sim', database: { ok: true, kind: KIND }, streams: 0 })
  })
  const well: Probe = { ...vitalsOf([], { leaseHeld: true, silentMs: 0, brokerDown: false }), broker: 'ok' }
  const late = { code: 'due', accounts: 2, text: '계좌 2개: 나가야 할 주문이 늦습니다.' } as const
  test.each<[string, Partial<Probe>]>([
    ['the broker is down', { broker: 'down' }],
    ['something keeps accounts from their work', { troubles: [late] }],
  ])('health is bad while %s, and so are the metrics', async (_name, bad) => {
    const other = await startFixture({ parts: { probe: () => ({ ...well, brokerQueue: 3, ...bad }) } })
    const reply = await other.call('GET', '/health')
    expect([reply.statusCode, reply.json()]).toEqual([503, expect.objectContaining({ ok: false, brokerQueue: 3 })])
    expect(reply.json()).toMatchObject({ troubles: bad.troubles ?? [] })
    const { body } = await other.call('GET', '/metrics')
    expect(body).toMatch(/^digger_broker_queue 3$/m)
    expect(/^digger_trouble\{code="due"\} 2$/m.test(body)).toBe(bad.troubles !== undefined)
    await other.app.close()
  })
  test('metrics are for this machine and administrators', async () => {
    expect((await fixture.call('GET', '/metrics')).body).toMatch(/digger_http_seconds_bucket/)
    const stranger = await fixture.call('GET', '/metrics', { remoteAddress: '203.0.113.9' })
    expect(problemIn(stranger)).toBe('FORBIDDEN')
    const proxied = await fixture.call('GET', '/metrics', { headers: { 'x-forwarded-for': '203.0.113.9' } })
    expect(problemIn(proxied)).toBe('FORBIDDEN')
  })
})

describe('what is not everybody’s to see', () => {
  let mate: string
  let boss: string
  beforeAll(async () => {
    mate = (await fixture.addPerson('mate')).cookie
    boss = (await fixture.addPerson('boss', true)).cookie
  })

  test.each<[string, { remoteAddress?: string; headers?: Record<string, string> }]>([
    ['elsewhere', { remoteAddress: '203.0.113.9' }],
    ['behind X-Forwarded-For', { headers: { 'x-forwarded-for': '203.0.113.9' } }],
    ['behind X-Forwarded-For of this machine', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
    ['behind Forwarded', { headers: { forwarded: 'for=203.0.113.9' } }],
    ['behind X-Real-IP', { headers: { 'x-real-ip': '203.0.113.9' } }],
    ['behind a proxy that names only itself', { headers: { via: '1.1 proxy' } }],
    ['behind a proxy that sends no header, by a public name', { headers: { host: 'digger.example.com' } }],
  ])('a stranger %s sees nothing of the inside', async (_where, how) => {
    for (const path of ['/metrics', '/api/docs', '/api/docs/json', '/api/docs/static/index.html']) {
      expect(problemIn(await fixture.call('GET', path, how))).toBe('FORBIDDEN')
      expect(problemIn(await fixture.call('GET', path, { ...how, headers: { ...how.headers, cookie: mate } }))).toBe(
        'FORBIDDEN',
      )
      const admins = await fixture.call('GET', path, { ...how, headers: { ...how.headers, cookie: boss } })
      expect(admins.statusCode).toBeLessThan(400)
    }
    const health = await fixture.call('GET', '/health', how)
    expect([health.statusCode, health.json()]).toEqual([200, { ok: true, env: 'sim' }])
    const details = await fixture.call('GET', '/health', { ...how, headers: { ...how.headers, cookie: boss } })
    expect(details.json()).toHaveProperty('database')
  })
})
