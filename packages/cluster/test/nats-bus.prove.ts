import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@digger/database/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { NoAnswerError, NobodyThereError } from '../src/bus/bus.ts'
import { NatsBus } from '../src/bus/nats-bus.ts'
import { natsPlaceOf } from '../src/bus/nats-place.ts'
import { ClusterSecret, SealedBus } from '../src/index.ts'
import { bytes, describeBus, text } from './bus-contract.ts'
import { findNats } from './find-nats.mjs'
import { type NatsServer, startNats } from './nats-server.ts'

const program = findNats()
const SOON = { timeout: 20_000, interval: 20 }

describe.skipIf(program === null)('with a NATS server (skipped where none is installed)', () => {
  let running: NatsServer
  beforeAll(async () => {
    running = await startNats(program ?? '')
  })
  afterAll(() => running[Symbol.asyncDispose]())

  describeBus('over NATS', () => NatsBus.open({ servers: [running.url] }, 'test'))
})

test.skipIf(program === null)(
  'when the server goes nothing is asked meanwhile, whoever listens is told of the gap, and all goes on',
  async () => {
    await using server = await startNats(program ?? '')
    const [one, two] = [
      await NatsBus.open({ servers: [server.url] }, 'one'),
      await NatsBus.open({ servers: [server.url] }, 'two'),
    ]
    const asked: string[] = []
    one.answer('call.a', async (data) => {
      asked.push(text(data))
      return bytes('ok')
    })
    await vi.waitFor(() => two.request('call.a', bytes('before'), 1_000), SOON)
    let gaps = 0
    two.onGap(() => (gaps += 1))
    await server.crash()
    await vi.waitFor(() => expect(two.connected).toBe(false), SOON)
    await expect(two.request('call.a', bytes('meanwhile'), 1_000)).rejects.toThrow(NobodyThereError)
    await server.start()
    await vi.waitFor(() => expect([two.connected, gaps]).toEqual([true, 1]), SOON)
    await vi.waitFor(() => two.request('call.a', bytes('after'), 1_000), SOON)
    expect(asked.includes('meanwhile')).toBe(false)
    await Promise.all([one.close(), two.close()])
  },
)

test.skipIf(program === null)(
  'begins without the server: what was asked to be answered is answered once it comes',
  async () => {
    await using server = await startNats(program ?? '')
    await server.crash()
    const problems: unknown[] = []
    const place = natsPlaceOf(server.url)
    const [one, two] = [new NatsBus(place, 'one', (error) => problems.push(error)), new NatsBus(place, 'two')]
    one.answer('call.a', async (data) => data)
    let gaps = 0
    one.onGap(() => (gaps += 1))
    expect([one.connected, two.connected]).toEqual([false, false])
    await vi.waitFor(() => expect(problems).toHaveLength(1), SOON)
    await server.start()
    await vi.waitFor(async () => expect(String(await two.request('call.a', Buffer.from('x'), 1_000))).toBe('x'), SOON)
    expect([gaps, problems.length]).toEqual([1, 1])
    await Promise.all([one.close(), two.close()])
  },
)
test.skipIf(program === null)('a wrong password is reported and tried again; the right one gets in', async () => {
  const port = await freePort()
  const flags = ['-a', '127.0.0.1', '-p', String(port), '--user', 'digger', '--pass', 'right']
  const server = spawn(program ?? '', flags, { stdio: 'ignore' })
  const problems: unknown[] = []
  const wrong = new NatsBus(natsPlaceOf(`nats://digger:wrong@127.0.0.1:${port}`), 'x', (error) => problems.push(error))
  const right = await NatsBus.open(natsPlaceOf(`nats://digger:right@127.0.0.1:${port}`), 'y')
  await vi.waitFor(() => expect(problems.length).toBeGreaterThan(0), SOON)
  expect([wrong.connected, right.connected]).toEqual([false, true])
  await Promise.all([wrong.close(), right.close()])
  server.kill('SIGKILL')
})

test.skipIf(program === null)(
  'an address of TLS goes to no server without it, and over TLS where the signer is given',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'digger-nats-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ed25519',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-days',
      '2',
      ...subject,
    ]
    execFileSync('openssl', request, { stdio: 'ignore' })
    const [plainPort, tlsPort] = [await freePort(), await freePort()]
    const plain = spawn(program ?? '', ['-a', '127.0.0.1', '-p', String(plainPort)], { stdio: 'ignore' })
    const flags = ['-a', '127.0.0.1', '-p', String(tlsPort), '--tls', '--tlscert', cert, '--tlskey', key]
    const secure = spawn(program ?? '', flags, { stdio: 'ignore' })
    const problems: unknown[] = []
    const refused = new NatsBus(natsPlaceOf(`tls://localhost:${plainPort}`, cert), 'x', (error) => problems.push(error))
    const through = await NatsBus.open(natsPlaceOf(`tls://localhost:${tlsPort}`, cert), 'y')
    await vi.waitFor(() => expect(problems.length).toBeGreaterThan(0), SOON)
    expect([refused.connected, through.connected]).toEqual([false, true])
    await Promise.all([refused.close(), through.close()])
    for (const server of [plain, secure]) server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  },
)

test.skipIf(program === null)(
  'a sealed bus brings questions and news; what an intruder sends gets no answer',
  async () => {
    await using server = await startNats(program ?? '')
    const [one, two, intruder] = await Promise.all(
      ['one', 'two', 'intruder'].map((name) => NatsBus.open({ servers: [server.url] }, name)),
    )
    if (!one || !two || !intruder) throw new Error('no bus')
    const secret = new ClusterSecret(randomBytes(32))
    const [answers, asks] = [one, two].map((bus) => new SealedBus(bus, secret, { dropped: () => undefined }))
    if (!answers || !asks) throw new Error('no sealed bus')
    const received: string[] = []
    answers.answer('call.a', async (data) => data)
    answers.subscribe('live.*', (data) => received.push(text(data)))
    await vi.waitFor(async () => expect(text(await asks.request('call.a', bytes('x'), 1_000))).toBe('x'), SOON)
    asks.publish('live.a', bytes('news'))
    await vi.waitFor(() => expect(received).toEqual(['news']), SOON)
    await expect(intruder.request('call.a', bytes('x'), 200)).rejects.toThrow(NoAnswerError)
    await Promise.all([one.close(), two.close(), intruder.close()])
  },
)
