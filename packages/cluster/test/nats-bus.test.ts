import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@digger/database/testing'
import { describe, expect, test, vi } from 'vitest'
import { NatsBus } from '../src/bus/nats-bus.ts'
import { natsPlaceOf } from '../src/bus/nats-place.ts'
import { findNats } from './find-nats.mjs'
import { startNats } from './nats-server.ts'

const program = findNats()
const SOON = { timeout: 20_000, interval: 20 }

test('an address gives servers without the password, and says who we are', () => {
  expect(natsPlaceOf('nats://me:p%40ss@one:4222, nats://two:4222')).toEqual({
    servers: ['nats://one:4222', 'nats://two:4222'],
    user: 'me',
    password: 'p@ss',
  })
  expect(natsPlaceOf('nats://one')).toEqual({ servers: ['nats://one'] })
  expect(natsPlaceOf('tls://one:4222')).toMatchObject({ tls: {} })
  expect(natsPlaceOf('tls://one:4222', '/ca.pem')).toMatchObject({ tls: { caFile: '/ca.pem' } })
})

describe.skipIf(program === null)('the bus over NATS (skipped where none is installed)', () => {
  test('begins without the server: what was asked to be answered is answered once it comes', async () => {
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
  })

  test('a wrong password is reported and tried again; the right one gets in', async () => {
    const port = await freePort()
    const flags = ['-a', '127.0.0.1', '-p', String(port), '--user', 'digger', '--pass', 'right']
    const server = spawn(program ?? '', flags, { stdio: 'ignore' })
    const problems: unknown[] = []
    const wrong = new NatsBus(natsPlaceOf(`nats://digger:wrong@127.0.0.1:${port}`), 'x', (error) =>
      problems.push(error),
    )
    const right = await NatsBus.open(natsPlaceOf(`nats://digger:right@127.0.0.1:${port}`), 'y')
    await vi.waitFor(() => expect(problems.length).toBeGreaterThan(0), SOON)
    expect([wrong.connected, right.connected]).toEqual([false, true])
    await Promise.all([wrong.close(), right.close()])
    server.kill('SIGKILL')
  })

  test('an address of TLS goes to no server without it, and over TLS where the signer is given', async () => {
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
  })
})
