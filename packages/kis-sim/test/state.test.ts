import { fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { demoCredentials, type Sim } from '../src/index.ts'
import { at, RawClient, stillSim } from './client.ts'

const CODE = '005930'
const ME = demoCredentials(0)

let stateDir: string
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'kis-sim-'))
})
afterEach(() => rmSync(stateDir, { recursive: true }))

const view = (sim: Sim): unknown => ({
  orders: sim.orders(ME.accountNumber),
  live: sim.liveOrders(ME.accountNumber).map((o) => o.odno),
  holdings: sim.holdings(ME.accountNumber),
  cash: sim.cash(ME.accountNumber),
  events: sim.trueEvents(ME.accountNumber),
})

test('a restart goes on where it stopped: orders, money, numbers and prices', async () => {
  let sim = await stillSim({ stateDir })
  let client = await RawClient.login(sim)
  await client.order({ count: 4, price: 158_600 })
  const { output } = await client.order({ count: 10, price: 158_000 })
  await client.order({ count: 10, price: 157_000 })
  await client.change(output[0]?.['ODNO'] ?? '')
  sim.setPrice(CODE, 157_500)
  const before = view(sim)
  await sim.close()

  sim = await stillSim({ stateDir })
  expect(view(sim)).toEqual(before)
  expect(sim.price(CODE)).toBe(157_500)
  client = await RawClient.login(sim)
  expect((await client.order({ count: 1, price: 150_000 })).output[0]?.['ODNO']).toBe('0000000005')
  // The order from before still rests, and still trades.
  sim.setPrice(CODE, 157_000, { aggressor: 'sell' })
  expect(sim.holdings(ME.accountNumber)).toMatchObject([{ code: CODE, count: 14 }])
  await sim.close()
})

test('a token outlives a restart, and so does the minute until the next', async () => {
  const first = await stillSim({ stateDir, limits: 'enforced' })
  const [client, other] = [await RawClient.login(first), await RawClient.login(first, demoCredentials(1))]
  first.expireTokens(demoCredentials(1).appKey)
  await first.close()

  const sim = await stillSim({ stateDir, limits: 'enforced' })
  client.sim = other.sim = sim
  expect((await client.order({ count: 1, price: 157_000 })).rt_cd).toBe('0')
  expect((await other.order({ count: 1, price: 157_000 })).msg_cd).toBe('EGW00123')
  await expect(client.renew()).rejects.toThrow('access_token')
  await sim.clock.advance(60_000)
  await client.renew()
  // The broker's own restart is another thing: it forgets them.
  sim.restart()
  expect((await client.order({ count: 1, price: 157_000 })).msg_cd).toBe('EGW00121')
  await sim.close()
})

test('orders of a day that ended meanwhile are gone', async () => {
  let sim = await stillSim({ stateDir })
  await (await RawClient.login(sim)).order({ count: 10, price: 157_000 })
  await sim.close()
  sim = await stillSim({ stateDir, clock: { mode: 'manual', start: at('10:00:00', '2026-11-23') } })
  expect(sim.liveOrders(ME.accountNumber)).toEqual([])
  expect(sim.trueEvents(ME.accountNumber).at(-1)).toMatchObject({ kind: 'reduced', why: 'expired' })
  await sim.close()
})

test('a last line cut short is dropped, and what follows it can be read again', async () => {
  let sim = await stillSim({ stateDir })
  await (await RawClient.login(sim)).order({ count: 4, price: 158_600 })
  const before = view(sim)
  await sim.close()
  appendFileSync(join(stateDir, 'facts.jsonl'), '{"kind":"acce')
  for (let n = 0; n < 2; n++) {
    sim = await stillSim({ stateDir })
    expect(view(sim)).toEqual(before)
    await sim.close()
  }
})

test('a killed process loses nothing it answered', async () => {
  const child = fork(join(import.meta.dirname, 'killed-sim.ts'), [stateDir], { stdio: 'ignore' })
  const [message]: unknown[] = await once(child, 'message')
  const { url } = z.object({ url: z.string() }).parse(message)
  const answered: string[] = []
  const client = await RawClient.login({ url, wsUrl: url.replace('http', 'ws') })
  const exit = once(child, 'exit')
  const hammer = Array.from({ length: 4 }, async () => {
    for (;;) {
      const { output } = await client.order({ count: 1, price: 158_600 })
      answered.push(output[0]?.['ODNO'] ?? 'none')
      if (answered.length === 50) child.kill('SIGKILL')
    }
  })
  await Promise.allSettled(hammer)
  await exit
  const sim = await stillSim({ stateDir })
  const kept = new Set(sim.orders(ME.accountNumber).map((o) => o.odno))
  expect(answered.length).toBeGreaterThanOrEqual(50)
  expect(answered.filter((odno) => !kept.has(odno))).toEqual([])
  expect(readFileSync(join(stateDir, 'facts.jsonl'), 'utf8').endsWith('\n')).toBe(true)
  await sim.close()
})

test.skipIf(process.platform === 'win32')(
  'nobody else on this computer can read the state, nor what was there before',
  async () => {
    const folder = join(stateDir, 'state')
    const usual = process.umask(0)
    try {
      for (let run = 0; run < 2; run++) {
        const sim = await stillSim({ stateDir: folder })
        await (await RawClient.login(sim)).order({ count: 1, price: 157_000 })
        await sim.close()
        const names = readdirSync(folder)
        expect(names.length).toBeGreaterThan(1)
        expect(
          [statSync(folder), ...names.map((name) => statSync(join(folder, name)))].map(({ mode }) => mode & 0o077),
        ).toEqual([0, ...names.map(() => 0)])
        for (const name of names) chmodSync(join(folder, name), 0o644)
      }
    } finally {
      process.umask(usual)
    }
  },
)

test('an order that waits for the post-close price waits on over a restart, and trades', async () => {
  const options = { stateDir, hours: 'krx' } as const
  let sim = await stillSim({ ...options, clock: { mode: 'manual', start: at('15:35:00') } })
  await (await RawClient.login(sim)).order({ count: 2, division: '06' })
  await sim.close()
  sim = await stillSim({ ...options, clock: { mode: 'manual', start: at('15:37:00') } })
  expect(sim.liveOrders(ME.accountNumber)).toMatchObject([{ division: '06', remaining: 2 }])
  await sim.clock.advance(3 * 60_000)
  expect(sim.holdings(ME.accountNumber)).toMatchObject([{ code: CODE, count: 2 }])
  await sim.close()
})
