import { createKis, type KisRest, type RateLimits } from '@digger/kis'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { demoCredentials, startSim, type Sim } from '../src/index.ts'

/*
 * For its first three days a new customer has three calls a second (the broker's notice of 2026-03-20), and nothing says so but
 * the refusals. In passed time, of client and broker alike.
 */
const ME = demoCredentials(0)
const CODE = '005930'
const NO_TOKENS = { load: async () => null, save: async () => undefined }
const SETTLE_MS = 8_000
const THEN_MS = 6_000
const STEP_MS = 10
/** A call and its answer, both within this process, take a quarter of these turns of the event loop. */
const TURNS = 24

let sim: Sim
let rest: KisRest
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await rest.close()
  await sim.close()
})

/** Time of client and broker goes on by so much, and what is sent in it is answered in it. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    vi.advanceTimersByTime(STEP_MS)
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
}

async function open(limits: Partial<RateLimits> = {}): Promise<void> {
  sim = await startSim({
    port: 0,
    hours: 'always',
    walk: 'off',
    latency: 'none',
    accounts: [{ credentials: ME, env: 'real', cash: 10_000_000 }],
    assumptions: { callsPerSecond: { real: 3, paper: 1 } },
  })
  ;({ rest } = createKis({
    env: 'real',
    credentials: ME,
    restUrl: sim.url,
    wsUrl: sim.wsUrl,
    tokens: NO_TOKENS,
    limits,
  }))
}

/** Asks for prices as fast as the client lets it, and for the balance now and then. Returns what the broker counted, and failures. */
async function callFor(ms: number): Promise<{ refused: number; admitted: number; failed: number }> {
  const before = { ...sim.traffic }
  const time = { isOver: false }
  let failed = 0
  const repeat = async (call: () => Promise<unknown>): Promise<void> => {
    while (!time.isOver) await call().catch(() => (failed += 1))
  }
  const calls = [repeat(() => rest.quote(CODE)), repeat(() => rest.quote(CODE)), repeat(() => rest.balance())]
  await pass(ms)
  time.isOver = true
  const { admitted, tooMany } = sim.traffic
  await Promise.all([...calls, pass(THEN_MS)])
  return { refused: tooMany - before.tooMany, admitted: admitted - before.admitted, failed }
}

test('with the usual limits the client finds its pace by itself, and refusals do not pile up', async () => {
  await open()
  const first = await callFor(SETTLE_MS)
  const then = await callFor(THEN_MS)
  // Widened in steps of half as much again, from ten calls a second: half a dozen refusals.
  expect(first.refused).toBeLessThanOrEqual(10)
  expect(then.refused).toBeLessThanOrEqual(2)
  expect(then.failed).toBe(0)
  // And it goes on calling: twelve would be two a second.
  expect(then.admitted).toBeGreaterThanOrEqual(12)
}, 40_000)

test('told how many calls there are, it is never refused', async () => {
  await open({ spacingMs: 1_000 / 2.5 })
  expect(await callFor(THEN_MS)).toMatchObject({ refused: 0, failed: 0 })
}, 20_000)
