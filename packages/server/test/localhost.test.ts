import { connect } from 'node:net'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { request } from 'undici'
import { afterEach, expect, test } from 'vitest'
import { listen, NO_LIMITS, type RequestLimits } from '@digger/http'
import type { AppParts } from '../src/services.ts'
import { startFixture } from './shared-fixture.ts'
import type { ServerFixture, ServerFixtureOptions } from './server-fixture.ts'

// A server whose HOST is localhost. Which address that name stands for is the machine's to say; a browser tries both.
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
const LOOPBACK = hasIpv6 ? ['127.0.0.1', '[::1]'] : ['127.0.0.1']

const FEW: RequestLimits = { ...NO_LIMITS, stranger: { burst: 5, perSecond: 1 } }
const NO_PROXY: AppParts['config'] = { KIS_ENV: 'sim', ALLOWED_ORIGINS: [], TRUST_PROXY: '10.9.9.9' }

let fixture: ServerFixture
afterEach(() => fixture[Symbol.asyncDispose]())

/** Resolves to the port. */
async function start(parts: ServerFixtureOptions['parts'] = {}, loopback?: string[]): Promise<string> {
  fixture = await startFixture({ parts })
  return new URL(await listen(fixture.app, { host: 'localhost', port: 0 }, loopback)).port
}

async function statusOf(address: string, port: string, headers: Record<string, string> = {}): Promise<number> {
  const reply = await request(`http://${address}:${port}/health`, { headers })
  await reply.body.dump()
  return reply.statusCode
}

function connected(address: string, port: string) {
  const socket = connect(Number(port), address.replace(/[[\]]/g, ''))
  socket.on('error', () => undefined)
  return socket
}

test('it answers on both loopback addresses, and a foreign name is refused on both', async () => {
  const port = await start()
  for (const address of LOOPBACK) {
    const statuses = [await statusOf(address, port), await statusOf(address, port, { host: 'evil.example' })]
    expect([address, ...statuses]).toEqual([address, 200, 403])
  }
})

test('what one stranger asks on both comes out of one budget', async () => {
  const port = await start({ requestLimits: FEW })
  const codes: number[] = []
  for (let n = 0; n < 8; n++) {
    const address = LOOPBACK[n % LOOPBACK.length] ?? ''
    codes.push(await statusOf(address, port, { 'x-forwarded-for': '203.0.113.1' }))
  }
  expect(codes).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
})

test.each(LOOPBACK)('connections are limited on %s', async (address) => {
  const port = await start({ requestLimits: { ...NO_LIMITS, connections: 3 }, config: NO_PROXY })
  const sockets = Array.from({ length: 5 }, () => connected(address, port))
  let closed = 0
  for (const socket of sockets) socket.once('close', () => (closed += 1))
  await expect.poll(() => closed).toBe(2)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => statusOf(address, port)).toBe(200)
})

test('closing closes both, with the connections that are open there', async () => {
  const port = await start()
  const sockets = LOOPBACK.map((address) => connected(address, port))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const address of LOOPBACK) expect(await statusOf(address, port)).toBe(200)
  const ended = sockets.map((socket) => once(socket, 'close'))
  await fixture.app.close()
  await Promise.all(ended)
  for (const address of LOOPBACK) await expect(statusOf(address, port)).rejects.toThrow(/ECONNREFUSED/)
})

test('it starts where the other address cannot be had, and says so in the log', async () => {
  // An address for documentation, which no machine has.
  const port = await start({}, ['127.0.0.1', '192.0.2.1'])
  expect(await statusOf('localhost', port)).toBe(200)
  expect(fixture.log.join('')).toContain('localhost is answered on its other address only')
})

test('any other host is bound alone', async () => {
  fixture = await startFixture()
  const { port } = new URL(await listen(fixture.app, { host: '127.0.0.1', port: 0 }))
  expect(await statusOf('127.0.0.1', port)).toBe(200)
  await expect(statusOf('[::1]', port)).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL|EAFNOSUPPORT/)
})
