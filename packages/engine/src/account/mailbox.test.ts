import type { Stop } from '@digger/core'
import { expect, test } from 'vitest'
import { Bench, buying, CODE, issue, NOW, turn } from '../../test/mailbox-bench.ts'
import { SETTINGS } from '@digger/storage/testing'

const halt = { kind: 'setStop', level: 'user', code: null, stop: 'halt' } as const

test('an order may leave while its row waits for nothing else', async () => {
  const bench = await buying()
  expect(bench.refusal()).toBe(null)
})

test.each<[string, Stop, (bench: Bench) => unknown]>([
  ['halt of the user', 'active', ({ mailbox }) => mailbox.ask(halt)],
  ['no buys of the user', 'active', ({ mailbox }) => mailbox.ask({ ...halt, stop: 'reduce' })],
  ['halt of the stock', 'active', ({ mailbox }) => mailbox.ask({ ...halt, level: 'stock', code: CODE })],
  [
    'no buys of the stock',
    'active',
    ({ mailbox }) => mailbox.ask({ ...halt, level: 'stock', code: CODE, stop: 'reduce' }),
  ],
  ['halt of the server', 'halt', () => undefined],
  ['no buys of the server', 'reduce', () => undefined],
])('%s holds it back in the same turn, before anything is durable', async (_name, serverStop, act) => {
  const bench = await buying()
  const asked = act(bench)
  expect(bench.refusal(serverStop)).toMatch(/멈췄습니다/)
  await asked
  expect(bench.refusal(serverStop)).toMatch(/멈췄습니다/)
})

test('a stop of another stock holds nothing back', async () => {
  const code = '000660'
  const other = {
    kind: 'stockAdded',
    code,
    name: 'SK하이닉스',
    issue: { ...issue, code },
    settings: { ...SETTINGS, autoBuy: false },
    at: NOW,
  } as const
  const bench = await buying(other)
  const asked = bench.mailbox.ask({ ...halt, level: 'stock', code })
  expect(bench.refusal()).toBe(null)
  await asked
})

test('what a person cancelled, and what was given up as lost, does not leave any more', async () => {
  const cancelled = await buying()
  await cancelled.mailbox.ask({ kind: 'cancelOrders', code: CODE })
  expect(cancelled.refusal()).toMatch(/취소해 달라/)
  const lost = await buying()
  lost.now += 120_000
  lost.mailbox.post({ kind: 'timer' })
  await lost.mailbox.idle()
  expect(lost.order(1).status).toBe('unknown')
  expect(lost.refusal()).toMatch(/기다리다 만/)
})

test('while commits fail nothing is sent, and the disk is asked ever less often', async () => {
  const bench = new Bench()
  bench.failing = 3
  const began = performance.now()
  await expect(bench.mailbox.ask(halt)).rejects.toThrow(/저장하지 못했습니다/)
  for (let i = 0; i < 3; i += 1) {
    bench.mailbox.post({ kind: 'timer' })
    await bench.mailbox.ask(halt).catch(() => undefined)
  }
  await bench.mailbox.ask(halt)
  expect(bench.sends).toBe(0)
  expect(bench.mailbox.book.stop).toBe('halt')
  // 200, 400 and 800 ms; the fourth is kept.
  expect(performance.now() - began).toBeGreaterThan(1_300)
  expect(bench.reloads).toHaveLength(3)
})

test('a request that waited behind a commit that failed is refused with it, and never done later', async () => {
  const bench = new Bench()
  bench.failing = 1
  const first = bench.mailbox.ask({ ...halt, stop: 'reduce' })
  const second = bench.mailbox.ask({ kind: 'setSubscribed', code: CODE, subscribed: false })
  await expect(first).rejects.toThrow(/저장하지 못했습니다/)
  await expect(second).rejects.toThrow(/저장하지 못했습니다/)
  bench.mailbox.post({ kind: 'timer' })
  await bench.mailbox.idle()
  expect(bench.mailbox.book.stop).toBe('active')
  expect(bench.mailbox.book.stocks.get(CODE)?.priceSubscribed).toBe(true)
})

const refusedOnce = (bench: Bench, events: number): void => {
  bench.mailbox.post({ kind: 'accepted', orderId: 1, odno: '0000000001', orgno: '06010' })
  for (let n = 0; n < events; n += 1) bench.mailbox.post({ kind: 'timer' })
}

test('while commits fail the mailbox reports since when', async () => {
  const bench = await buying()
  bench.failing = 1_000
  refusedOnce(bench, 1)
  await expect.poll(() => bench.mailbox.failingMs, { timeout: 10_000 }).toBeGreaterThan(300)
  bench.failing = 0
  await bench.mailbox.idle()
  expect(bench.mailbox.failingMs).toBe(0)
})

test('an event that the tables refuse for itself does not stand before all others for ever', async () => {
  const bench = await buying()
  bench.why = Object.assign(new Error('duplicate key value'), { code: '23505' })
  bench.refuses = 'orderAccepted'
  refusedOnce(bench, 1)
  await bench.mailbox.ask({ kind: 'setSubscribed', code: CODE, subscribed: false }).catch(() => undefined)
  await bench.mailbox.idle()
  expect(bench.order(1).status).toBe('unknown')
  await bench.mailbox.ask({ kind: 'setSubscribed', code: CODE, subscribed: false })
  expect(bench.mailbox.book.stocks.get(CODE)?.priceSubscribed).toBe(false)
})

test('a day of timers while nothing can be written waits as one', async () => {
  const bench = await buying()
  bench.failing = 2
  refusedOnce(bench, 0)
  await turn()
  for (let n = 0; n < 10_000; n += 1) bench.mailbox.post({ kind: 'timer' })
  expect(bench.mailbox.waiting).toBeLessThan(10)
  await bench.mailbox.idle()
})

test('what left before a restart may still come for as long as the process before could send it', async () => {
  const intended = (await buying()).order(1)
  const bench = new Bench([{ kind: 'orderIntended', order: intended, at: NOW }])
  await bench.mailbox.idle()
  expect(bench.order(1)).toMatchObject({ status: 'unknown', absentFrom: NOW + 120_000 })
})
