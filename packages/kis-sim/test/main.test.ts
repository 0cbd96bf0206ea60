import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { demoCredentials } from '../src/index.ts'
import { stillSim } from './client.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const { PATH, NODE_COMPILE_CACHE } = process.env
const start = (env: Record<string, string>, ...args: string[]) =>
  spawn(process.execPath, [MAIN, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

describe('the command', () => {
  test('prints where it listens and every credential, serves, and stops on a signal', async () => {
    const child = start({ SIM_PORT: '0' })
    let output = ''
    for await (const chunk of child.stdout) {
      output += String(chunk)
      if (output.includes('/sim/price -d')) break
    }
    const { appKey, appSecret } = demoCredentials(9)
    expect(output).toContain(appKey)
    expect(output).toContain(appSecret)
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? ''
    const body = JSON.stringify({ grant_type: 'client_credentials', appkey: appKey, appsecret: appSecret })
    expect((await fetch(`${url}/oauth2/tokenP`, { method: 'POST', body })).status).toBe(200)
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })

  test.each([
    [{ SIM_PORT: 'abc' }, 'SIM_PORT=abc: a number from 0 to 65535'],
    [{ SIM_SPEED: '0' }, 'SIM_SPEED=0: a number from'],
    [{ SIM_CALLS_PER_SECOND: '0' }, 'SIM_CALLS_PER_SECOND=0: a number from 1'],
    [{ SIM_HOURS: 'sometimes' }, 'SIM_HOURS=sometimes'],
    [{ SIM_REPLAY: '/no/such/file.csv' }, 'SIM_REPLAY=/no/such/file.csv: no such file'],
    [{ SIM_REPLAY: MAIN, SIM_PORT: '0' }, 'the first line must be'],
  ])('%o is refused by name', async (env, message) => {
    const child = start(env)
    const [output, exit] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect(output).toContain(message)
    expect(exit).toEqual([1, null])
  })

  test.each([
    [['--archive', '/no/such'], '/no/such/archive.json is no file of an archive'],
    [['--archived', 'x'], "Unknown option '--archived'"],
  ])('%j is refused by name', async (args, message) => {
    const child = start({ SIM_PORT: '0' }, ...args)
    const [output, exit] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect(output).toContain(message)
    expect(exit).toEqual([1, null])
  })

  test('a port in use is named as the cause', async () => {
    const sim = await stillSim()
    const child = start({ SIM_PORT: String(sim.port) })
    const [output, exit] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect(output).toContain('the port is in use')
    expect(exit).toEqual([1, null])
    await sim.close()
  })
})
