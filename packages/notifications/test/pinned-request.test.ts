import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AllowedTargets } from '../src/channels/allowed-targets.ts'
import { type Network, pinnedRequest, targetProblem } from '../src/channels/pinned-request.ts'
import { makeCertificate } from './certificate.ts'
import { status, WebhookReceiver } from './webhook-receiver.ts'

const certificate = makeCertificate('hooks.example')
const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
const LOOPBACK = new AllowedTargets(['127.0.0.0/8', '::1'])
const post = (url: string, network: Network = {}, headers = {}) =>
  pinnedRequest({ url, body: 'body', headers }, { allowed: LOOPBACK, ca: certificate.cert, ...network })
/** A resolver that answers so, one answer after the other, and counts the questions. */
function resolver(...answers: readonly (readonly string[])[]) {
  const asked: string[] = []
  const resolve = (host: string): Promise<readonly string[]> => {
    asked.push(host)
    return Promise.resolve(answers[asked.length - 1] ?? [])
  }
  return { resolve, asked }
}

let plain: WebhookReceiver
let secure: WebhookReceiver
beforeAll(async () => {
  plain = await WebhookReceiver.start()
  secure = await WebhookReceiver.start(certificate)
})
afterAll(() => Promise.all([plain[Symbol.asyncDispose](), secure[Symbol.asyncDispose]()]))

describe('what an address may be, before anyone is asked', () => {
  test.each([
    ['https://hooks.example/x', null],
    ['https://user:pass@hooks.example:8443/x?y=z', null],
    ['https://8.8.8.8/', null],
    ['https://[2606:4700::1111]/', null],
    ['http://8.8.8.8/', 'notHttps'],
    ['http://[2606:4700::1111]/', 'notHttps'],
    ['https://10.0.0.1/', 'notPublic'],
    ['https://127.1/', 'notPublic'],
    ['https://0x7f.1/', 'notPublic'],
    ['https://2130706433/', 'notPublic'],
    ['https://0177.0.0.1/', 'notPublic'],
    ['https://017700000001/', 'notPublic'],
    ['https://0/', 'notPublic'],
    ['https://127.0.0.1./', 'notPublic'],
    ['https://１２７.0.0.1/', 'notPublic'],
    ['https://%31%32%37.0.0.1/', 'notPublic'],
    ['https://0xA9FEA9FE/', 'notPublic'],
    ['https://[::1]/', 'notPublic'],
    ['https://[::]/', 'notPublic'],
    ['https://[::ffff:127.0.0.1]/', 'notPublic'],
    ['https://[::ffff:7f00:1]/', 'notPublic'],
    ['https://[0:0:0:0:0:ffff:10.0.0.1]/', 'notPublic'],
    ['https://[64:ff9b::10.0.0.1]/', 'notPublic'],
    ['https://[fe80::1]/', 'notPublic'],
    ['https://8.8.8.8@10.0.0.1/', 'notPublic'],
    ['https://8.8.8.8\\@10.0.0.1/', null],
    ['https://999.0.0.1/', 'malformed'],
    ['https://[fe80::1%25eth0]/', 'malformed'],
    ['https://%zz:x@hooks.example/', 'malformed'],
    ['ftp://hooks.example/', 'malformed'],
    ['file:///etc/passwd', 'malformed'],
    ['unix:/run/docker.sock', 'malformed'],
    ['hooks.example', 'malformed'],
    ['', 'malformed'],
  ])('%s: %s', (url, expected) => expect(targetProblem(url)).toBe(expected))

  test('what the operator allows, with and without TLS', () => {
    const allowed = new AllowedTargets(['10.0.0.0/8'])
    expect(['https://10.1.1.1/', 'http://10.1.1.1/'].map((url) => targetProblem(url, allowed))).toEqual([null, null])
    expect(targetProblem('http://192.168.0.1/', allowed)).toBe('notPublic')
  })
})

describe('where a name may lead', () => {
  test.each([
    ['nowhere', [], 'notFound'],
    ['a private address', ['10.0.0.1'], 'resolvesToPrivate'],
    ['the metadata of a cloud', ['169.254.169.254'], 'resolvesToPrivate'],
    ['several, one of them private', ['8.8.8.8', '2606:4700::1111', '192.168.0.1'], 'resolvesToPrivate'],
    ['a mapped address', ['::ffff:10.0.0.1'], 'resolvesToPrivate'],
    ['NAT64', ['64:ff9b::a00:1'], 'resolvesToPrivate'],
    ['a zone', ['fe80::1%lo'], 'resolvesToPrivate'],
    ['something that is no address', ['hooks.example'], 'resolvesToPrivate'],
    ['an allowed one beside one that is not', ['127.0.0.1', '10.0.0.1'], 'resolvesToPrivate'],
  ])('%s: nothing is connected to', async (_name, addresses, cause) => {
    const before = secure.server.connections
    const { resolve } = resolver(addresses)
    expect(await post(secure.server.url('/', 'hooks.example'), { resolve })).toEqual({ kind: 'noReply', cause })
    expect(secure.server.connections).toBe(before)
  })

  test('nor where the resolver fails', async () => {
    const { promise, reject } = Promise.withResolvers<readonly string[]>()
    const resolve = () => promise
    reject(new Error('EAI_AGAIN'))
    expect(await post('https://hooks.example/', { resolve })).toEqual({ kind: 'noReply', cause: 'notFound' })
  })

  test('a name that the machine resolves to itself is refused too', async () => {
    const allowed = new AllowedTargets()
    const exchange = await post(plain.server.url(), { allowed })
    expect(exchange).toEqual({ kind: 'noReply', cause: 'resolvesToPrivate' })
  })

  test('without TLS only to an allowed address, not to a public one beside it', async () => {
    const { resolve } = resolver(['127.0.0.1', '8.8.8.8'])
    expect(await post(plain.server.url('/', 'nas'), { resolve })).toEqual({ kind: 'noReply', cause: 'notHttps' })
    const outside = resolver(['8.8.8.8'])
    const allowed = new AllowedTargets(['nas'])
    const exchange = await post(plain.server.url('/', 'nas'), { resolve: outside.resolve, allowed })
    expect(exchange).toEqual({ kind: 'noReply', cause: 'notHttps' })
    expect(
      await post(plain.server.url('/', 'nas'), { resolve: resolver(['127.0.0.1']).resolve, allowed }),
    ).toMatchObject({
      status: 200,
    })
  })

  test('a name that changes its answer is asked once, and connected to where it was checked', async () => {
    await using other = await WebhookReceiver.start(certificate, '127.0.0.2', secure.server.port)
    const { resolve, asked } = resolver(['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2'])
    const exchange = await post(secure.server.url('/once', 'hooks.example'), { resolve })
    expect([exchange, asked]).toMatchObject([{ status: 200 }, ['hooks.example']])
    expect([secure.last.path, other.received]).toEqual(['/once', []])
  })

  test('where one of its addresses does not answer, another one does', async () => {
    const { resolve } = resolver(['127.0.0.9', '127.0.0.1'])
    expect(await post(secure.server.url('/', 'hooks.example'), { resolve })).toMatchObject({ status: 200 })
  })
})

describe('what arrives', () => {
  test('the name of the host, by TLS and by HTTP, though the address was connected to', async () => {
    const { resolve } = resolver(['127.0.0.1'])
    await post(secure.server.url('/a/b?c=d', 'hooks.example'), { resolve }, { 'x-digger-id': 'one' })
    expect(secure.last).toMatchObject({
      method: 'POST',
      path: '/a/b?c=d',
      serverName: 'hooks.example',
      text: 'body',
      headers: { host: `hooks.example:${secure.server.port}`, 'x-digger-id': 'one', 'content-length': '4' },
    })
    expect(secure.last.headers.authorization).toBeUndefined()
  })

  test('to an address without a name, with a certificate for the address', async () => {
    expect(await post(secure.server.url('/', '127.0.0.1'))).toMatchObject({ status: 200 })
    expect(secure.last.serverName).toBe('false')
  })

  test.skipIf(!hasIPv6)('over IPv6, by address and by name (skipped where the machine has none)', async () => {
    await using six = await WebhookReceiver.start(certificate, '::1')
    expect(await post(six.server.url('/', '[::1]'))).toMatchObject({ status: 200 })
    expect(six.last.headers.host).toBe(`[::1]:${six.server.port}`)
    const { resolve } = resolver(['::1'])
    expect(await post(six.server.url('/', 'hooks.example'), { resolve })).toMatchObject({ status: 200 })
    expect([six.last.headers.host, six.last.serverName]).toEqual([`hooks.example:${six.server.port}`, 'hooks.example'])
  })

  test('user and password of the address, as a header', async () => {
    const url = new URL(plain.server.url('/', '127.0.0.1'))
    url.username = 'digger'
    url.password = 'pä:ss'
    await post(url.href)
    expect(plain.last.headers.authorization).toBe(`Basic ${Buffer.from('digger:pä:ss').toString('base64')}`)
    expect(plain.last.headers.host).toBe(`127.0.0.1:${plain.server.port}`)
  })

  test('each request makes a connection of its own', async () => {
    const before = plain.server.connections
    for (let at = 0; at < 3; at += 1) await post(plain.server.url('/', '127.0.0.1'))
    expect(plain.server.connections).toBe(before + 3)
  })

  test.each([
    ['for another name', 'other.example', certificate.cert],
    ['of another signer', 'hooks.example', makeCertificate('hooks.example').cert],
  ])('nothing, where the certificate is %s', async (_name, host, ca) => {
    const before = secure.received.length
    const exchange = await post(secure.server.url('/', host), { resolve: resolver(['127.0.0.1']).resolve, ca })
    expect(exchange).toEqual({ kind: 'noReply', cause: 'certificate' })
    expect(secure.received).toHaveLength(before)
  })
})

describe('what comes back', () => {
  test('a redirect is not followed', async () => {
    plain.answer = status(307, { location: plain.server.url('/elsewhere', '127.0.0.1') })
    const before = plain.received.length
    expect(await post(plain.server.url('/', '127.0.0.1'))).toMatchObject({ status: 307 })
    expect(plain.received).toHaveLength(before + 1)
  })

  test('of a body without end, 64 kB are read', async () => {
    const closed = Promise.withResolvers<number>()
    plain.answer = (response) => {
      const chunk = Buffer.alloc(16_384, 'x')
      let written = 0
      const more = (): void => {
        written += chunk.length
        response.write(chunk, () => response.destroyed || more())
      }
      response.once('close', () => closed.resolve(written))
      more()
    }
    const exchange = await post(plain.server.url('/', '127.0.0.1'), { timeoutMs: 60_000 })
    expect(exchange.kind === 'reply' && [exchange.status, exchange.text.length]).toEqual([200, 65_536])
    // What both ends had in their buffers.
    expect(await closed.promise).toBeLessThan(16 * 1024 * 1024)
  })

  test('the status stands where its body breaks off or never ends', async () => {
    plain.answer = (response) => {
      response.writeHead(201, { 'content-length': '100' })
      response.write('some', () => response.destroy())
    }
    expect(await post(plain.server.url('/', '127.0.0.1'))).toMatchObject({ status: 201, text: 'some' })
    plain.answer = (response) => {
      response.writeHead(202, { 'content-length': '100' })
      response.write('some')
    }
    const exchange = await post(plain.server.url('/', '127.0.0.1'), { timeoutMs: 1_500 })
    expect(exchange).toMatchObject({ status: 202, text: 'some' })
  })

  test('no answer in time: from the resolver, and from the server', async () => {
    const { promise } = Promise.withResolvers<readonly string[]>()
    const resolve = () => promise
    const late = { kind: 'noReply', cause: 'timeout' }
    expect(await post('https://hooks.example/', { resolve, timeoutMs: 50 })).toEqual(late)
    plain.answer = () => undefined
    expect(await post(plain.server.url('/', '127.0.0.1'), { timeoutMs: 200 })).toEqual(late)
  })

  test('a name that is found too late is not connected to any more', async () => {
    const found = Promise.withResolvers<readonly string[]>()
    const before = secure.server.connections
    const url = secure.server.url('/', 'hooks.example')
    expect(await post(url, { resolve: () => found.promise, timeoutMs: 20 })).toMatchObject({ cause: 'timeout' })
    found.resolve(['127.0.0.1'])
    plain.answer = status(200)
    await post(plain.server.url('/', '127.0.0.1'))
    expect(secure.server.connections).toBe(before)
  })
})

async function rawServer(speak: (socket: Socket) => void): Promise<{ server: Server; url: string; secureUrl: string }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    speak(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return { server, url: `http://127.0.0.1:${port}/`, secureUrl: `https://127.0.0.1:${port}/` }
}

describe('what is no HTTP', () => {
  test.each<readonly [string, (socket: Socket) => void]>([
    ['a reset', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['an end without a word', (socket) => socket.once('data', () => socket.end())],
    ['another protocol', (socket) => socket.end('220 mail.example ESMTP\r\n')],
    ['binary', (socket) => socket.end(Buffer.from([0, 255, 254, 13, 10, 13, 10]))],
    ['a status that is none', (socket) => socket.end('HTTP/1.1 abc OK\r\n\r\n')],
    ['headers without end', (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`)],
    [
      'another protocol on demand',
      (socket) => socket.write('HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
    ['only an early hint', (socket) => socket.end('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n')],
  ])('%s: cut, and nothing is thrown', async (_name, speak) => {
    const { server, url } = await rawServer(speak)
    expect(await post(url, { timeoutMs: 5_000 })).toEqual({ kind: 'noReply', cause: 'cut' })
    server.close()
  })

  test('TLS is spoken to something else', async () => {
    const { server, secureUrl } = await rawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(await post(secureUrl)).toEqual({ kind: 'noReply', cause: 'cut' })
    server.close()
  })

  test('nobody listens', async () => {
    const { server, url } = await rawServer(() => undefined)
    server.close()
    await once(server, 'close')
    expect(await post(url)).toEqual({ kind: 'noReply', cause: 'cut' })
  })
})
