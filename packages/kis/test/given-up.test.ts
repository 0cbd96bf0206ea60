import { once } from 'node:events'
import { createServer as createHttp } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { connect, createServer as createLine } from 'node:net'
import type { Server as LineServer, Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { issueToken } from '../src/transport/auth.ts'
import { HttpFailure, Http } from '../src/transport/http.ts'
import { CERTIFICATE, KEY } from './certificate.ts'

const authorities = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...authorities, CERTIFICATE]))
afterAll(() => setDefaultCACertificates(authorities))

const ORDER = { method: 'POST', path: '/order', headers: {}, body: '{"PDNO":"005930"}' } as const
const QUERY = { method: 'GET', path: '/list', headers: {}, body: null } as const

/** A broker that answers `/quick` alone, behind a line that tells how the client's connections ended. */
class Broker implements AsyncDisposable {
  readonly #scheme: string
  readonly #server: Server
  readonly #line: LineServer
  /** The client's ends of the line. */
  readonly lines: Socket[] = []
  /** `FIN` or the error of each connection that ended. */
  readonly ends: string[] = []
  readonly paths: string[] = []
  /** TLS sessions taken up again. */
  reused = 0
  /** Accepts connections and passes nothing on. */
  deaf = false

  constructor(scheme: 'http' | 'https') {
    const handle: RequestListener = (request, response) => {
      this.paths.push(request.url ?? '')
      if (request.url === '/quick') response.end('{}')
    }
    this.#scheme = scheme
    this.#server = scheme === 'http' ? createHttp(handle) : createHttps({ key: KEY, cert: CERTIFICATE }, handle)
    this.#server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.isSessionReused()) this.reused += 1
    })
    this.#line = createLine({ allowHalfOpen: true }, (client) => this.#join(client))
  }

  #join(client: Socket): void {
    this.lines.push(client)
    const server = connect({ port: portOf(this.#server), host: '127.0.0.1', allowHalfOpen: true })
    server.on('error', () => undefined)
    if (!this.deaf) client.pipe(server, { end: false })
    server.pipe(client, { end: false })
    client.on('error', (error: NodeJS.ErrnoException) => this.ends.push(error.code ?? ''))
    client.on('end', () => this.ends.push('FIN'))
    client.resume()
    client.on('close', () => server.destroy())
  }

  async listen(): Promise<string> {
    for (const server of [this.#server, this.#line]) {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
    }
    return `${this.#scheme}://localhost:${portOf(this.#line)}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const line of this.lines) line.destroy()
    this.#server.closeAllConnections()
    for (const server of [this.#line, this.#server]) {
      server.close()
      await once(server, 'close')
    }
  }
}

const portOf = (server: LineServer): number => {
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 5_000, interval: 5 })
const clientOf = (url: string, totalMs: number): Http => new Http(url, { connectMs: 2_000, totalMs, closeMs: 300 })

// Seed 5000 of the whole server: a cut line kept a token request for longer than it was waited for, and the broker counted its
// minute from when it came.
test('a token request that is given up is forgotten by the kernel, too', async () => {
  await using broker = new Broker('http')
  const http = clientOf(await broker.listen(), 400)
  const credentials = { appKey: 'k', appSecret: 's', accountNumber: '1234567801', htsId: 'me' }
  expect(await issueToken(http, credentials, 0)).toMatchObject({ kind: 'failed' })
  expect(broker.paths).toEqual(['/oauth2/tokenP'])
  await until(() => expect(broker.ends).toEqual(['ECONNRESET']))
  await http.close()
})

describe.each(['http', 'https'] as const)('over %s', (scheme) => {
  test.each(['order', 'key'] as const)('given up, a request of the kind %s resets its connection', async (kind) => {
    await using broker = new Broker(scheme)
    const http = clientOf(await broker.listen(), 400)
    await http.send({ ...ORDER, path: '/quick' }, kind)
    await expect(http.send(ORDER, kind)).rejects.toMatchObject({ written: true })
    await until(() => expect(broker.ends).toEqual(['ECONNRESET']))
    expect([broker.paths, broker.lines.length]).toEqual([['/quick', '/order'], 1])
    await http.close()
  })

  test('the next order has a connection of its own', async () => {
    await using broker = new Broker(scheme)
    const http = clientOf(await broker.listen(), 400)
    await http.send(ORDER, 'order').catch(() => null)
    expect((await http.send({ ...ORDER, path: '/quick' }, 'order')).text).toBe('{}')
    expect(broker.lines).toHaveLength(2)
    await http.close()
  })

  test('an order on the wire at closing is given up by a reset, and reported as written', async () => {
    await using broker = new Broker(scheme)
    const http = clientOf(await broker.listen(), 60_000)
    const order = http.send(ORDER, 'order').catch((error: unknown) => error)
    await until(() => expect(broker.paths).toEqual(['/order']))
    await http.close()
    expect(await order).toBeInstanceOf(HttpFailure)
    expect(await order).toMatchObject({ written: true })
    await until(() => expect(broker.ends).toEqual(['ECONNRESET']))
  })

  test('an order whose broker hangs up is reset too: it may have closed one way only', async () => {
    await using broker = new Broker(scheme)
    const http = clientOf(await broker.listen(), 10_000)
    const order = http.send(ORDER, 'order').catch((error: unknown) => error)
    await until(() => expect(broker.paths).toEqual(['/order']))
    broker.lines[0]?.end()
    expect(await order).toMatchObject({ written: true })
    await until(() => expect(broker.ends).toEqual(['ECONNRESET']))
    await http.close()
  })
})

test('no TLS in time: nothing was written', async () => {
  await using broker = new Broker('https')
  broker.deaf = true
  const http = new Http(await broker.listen(), { connectMs: 300, totalMs: 5_000, closeMs: 300 })
  await expect(http.send({ ...ORDER, path: '/quick' }, 'order')).rejects.toMatchObject({ written: false })
  await http.close()
})

test('TLS sessions are taken up again', async () => {
  await using broker = new Broker('https')
  const http = clientOf(await broker.listen(), 2_000)
  await http.send({ ...ORDER, path: '/quick' }, 'order')
  broker.lines[0]?.end()
  await until(() => expect(broker.ends).toHaveLength(1))
  await http.send({ ...ORDER, path: '/quick' }, 'order')
  expect([broker.lines.length, broker.reused]).toEqual([2, 1])
  await http.close()
})

test('a certificate that is not for the host is refused before anything is written', async () => {
  setDefaultCACertificates(authorities)
  await using broker = new Broker('https')
  const http = clientOf(await broker.listen(), 2_000)
  await expect(http.send({ ...ORDER, path: '/quick' }, 'order')).rejects.toMatchObject({ written: false })
  expect(broker.paths).toEqual([])
  await http.close()
  setDefaultCACertificates([...authorities, CERTIFICATE])
})

test('at most three connections for queries and one for orders', async () => {
  await using broker = new Broker('http')
  const http = clientOf(await broker.listen(), 500)
  const calls = [1, 2, 3, 4].map(() => http.send(QUERY).catch(() => null))
  calls.push(http.send(ORDER, 'order').catch(() => null))
  await until(() => expect(broker.paths).toHaveLength(4))
  expect(broker.lines).toHaveLength(4)
  await Promise.all(calls)
  await http.close()
})
