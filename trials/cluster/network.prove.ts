import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HostProcess } from './host-process.ts'
import { Network, networkMissing } from './network.ts'

const missing = networkMissing()
const SOON = { timeout: 10_000, interval: 50 }
const ECHO = `require('net').createServer((socket) => socket.pipe(socket)).listen(7000, process.argv[1], () => console.log('listening'))`
/** Sends a number ten times a second and prints each that comes back. */
const ASK = `
const socket = require('net').connect(7000, process.argv[1])
let n = 0
setInterval(() => socket.write(String(n++) + ' '), 100)
socket.on('data', (data) => process.stdout.write(data))
socket.on('error', (error) => console.log(error.code))`

let folder = ''
let network: Network
let processes: HostProcess[] = []

const run = (host: string, script: string, argument: string): HostProcess => {
  const logFile = join(folder, `${host}.log`)
  const one = new HostProcess({
    before: network.command(host),
    command: [process.execPath, '-e', script, argument],
    logFile,
  })
  processes.push(one)
  return one
}
const printed = (host: string): string => readFileSync(join(folder, `${host}.log`), 'utf8')
const received = (): number => printed('a').split(' ').length

/** How much had come when nothing more did for a second: what was through before is printed once its process has its turn. */
async function receivedInSilence(): Promise<number> {
  const before = received()
  await delay(1_000)
  expect(received()).toBe(before)
  return before
}

describe.skipIf(missing !== null)(`hosts in namespaces (skipped where: ${missing ?? 'there is no root'})`, () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'digger-network-'))
    network = new Network()
    processes = []
  })
  afterEach(async () => {
    for (const one of processes) await one.kill()
    network.close()
    rmSync(folder, { recursive: true })
  })

  test('a cut line is silent and not an error, for what is connected already too, and a mended one goes on', async () => {
    const [, service] = [network.add('a'), network.add('b')]
    run('b', ECHO, service)
    await vi.waitFor(() => expect(printed('b')).toContain('listening'), SOON)
    run('a', ASK, service)
    await vi.waitFor(() => expect(received()).toBeGreaterThan(3), SOON)
    network.cut('a', 'b')
    network.cut('a', 'b')
    const before = await vi.waitFor(receivedInSilence, SOON)
    network.mend('a', 'b')
    await delay(500)
    expect(received()).toBe(before)
    network.mend('a', 'b')
    await vi.waitFor(() => expect(received()).toBeGreaterThan(before + 5), SOON)
    expect(printed('a')).not.toContain('E')
  }, 30_000)

  test('nothing of it is left when it is closed, not even a process', async () => {
    const address = network.add('a')
    const one = run('a', ECHO, address)
    await vi.waitFor(() => expect(printed('a')).toContain('listening'), SOON)
    const name = `dgc-${process.pid}-a`
    expect(existsSync(`/run/netns/${name}`)).toBe(true)
    network.close()
    await vi.waitFor(() => expect(one.ended).toBe(true), SOON)
    expect(existsSync(`/run/netns/${name}`)).toBe(false)
  })

  test('what a killed run left is removed by the next one', async () => {
    network.close()
    const script = `
      const { Network } = await import(${JSON.stringify(new URL('network.ts', import.meta.url).href)})
      new Network().add('a')
      process.kill(process.pid, 'SIGKILL')`
    const killed = spawnSync(process.execPath, ['--input-type=module', '-e', script])
    expect(existsSync(`/run/netns/dgc-${killed.pid}-a`)).toBe(true)
    network = new Network()
    expect(existsSync(`/run/netns/dgc-${killed.pid}-a`)).toBe(false)
  })
})
