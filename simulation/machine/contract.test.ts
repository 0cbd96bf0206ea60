import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Seen = z.record(z.string(), z.object({ server: z.array(z.string()), client: z.array(z.string()) }))

/** Each in a process of its own: the model takes the place of Node's functions. */
async function printedBy(name: string): Promise<unknown> {
  const file = fileURLToPath(new URL(`contract/${name}.ts`, import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [file], { maxBuffer: 2 ** 24 })
  return JSON.parse(stdout)
}

const seenOn = async (place: 'loopback' | 'model') => Seen.parse(await printedBy(`on-${place}`))

/** Reading a stream may come in pieces. */
const whole = (events: readonly string[]): string[] =>
  events.filter((event, at) => event !== 'much data' || events[at - 1] !== event)

test('sockets of the simulation behave as those of Node', async () => {
  const [real, model] = await Promise.all([seenOn('loopback'), seenOn('model')])
  const wholes = (all: typeof real) =>
    Object.fromEntries(
      Object.entries(all).map(([name, { server, client }]) => [name, { server: whole(server), client: whole(client) }]),
    )
  expect(wholes(model)).toEqual(wholes(real))
})

test('inside a simulation: its clocks, its chance, its deaths, and what it refuses', async () => {
  expect(await printedBy('inside')).toEqual({
    crashed: ['immediate', 'microtask', 'promise', 'step', 'tick', 'timer'].map((name) => `${name}: uncaught`),
    refused: ['fetch', 'AbortSignal.timeout', 'lookup', 'spawn', 'createGzip', 'readFile'],
    clocks: ['2026-11-23T00:01:02.000Z', 2_000, 2, expect.any(Number), '102.00', 0, true, 4_500],
    distinct: 2,
    waited: 4_000,
  })
})
