import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Lane } from '../api.ts'
import { NotSentError } from '../errors.ts'
import { Gate } from './gate.ts'
import type { Pass } from './gate.ts'
import { DEFAULT_LIMITS, UNLIMITED } from './limits.ts'
import type { RateLimits } from './limits.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A gate, and a record of when each named call got its slot (ms since the start). */
function gateWith(limits: Partial<RateLimits>) {
  const gate = new Gate({ ...UNLIMITED, ...limits })
  const zero = performance.now()
  const starts: Record<string, number> = {}
  /** Keeps its slot for `lasts` ms. */
  const call = async (name: string, lane: Lane, lasts = 0, balance = false): Promise<void> => {
    const pass = await gate.enter(lane, balance)
    starts[name] = performance.now() - zero
    if (lasts > 0) await new Promise((resolve) => setTimeout(resolve, lasts))
    pass.leave()
  }
  return { gate, starts, call }
}

test('calls are spaced evenly, not in bursts', async () => {
  const { starts, call } = gateWith({ spacingMs: 100 })
  for (const name of ['a', 'b', 'c', 'd']) void call(name, 'quote')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(starts).toEqual({ a: 0, b: 100, c: 200, d: 300 })
})

test('orders go before ledger queries, those before quotes, whatever came first', async () => {
  const { starts, call } = gateWith({ spacingMs: 100 })
  void call('first', 'quote')
  void call('quote', 'quote')
  void call('ledger', 'ledger')
  void call('order', 'order')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(starts['order']).toBeLessThan(starts['ledger'] ?? 0)
  expect(starts['ledger']).toBeLessThan(starts['quote'] ?? 0)
})

test('orders go one at a time, in the order asked', async () => {
  const { starts, call } = gateWith({})
  void call('slow', 'order', 700)
  void call('next', 'order', 50)
  void call('last', 'order')
  void call('quote', 'quote')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(starts).toEqual({ slow: 0, quote: 0, next: 700, last: 750 })
})

test('a slot that an order is about to use is not given to a query', async () => {
  const { starts, call } = gateWith({ spacingMs: 1_200, orderSpacingMs: 2_000 })
  void call('order 1', 'order')
  await vi.advanceTimersByTimeAsync(1_000)
  void call('order 2', 'order')
  void call('quote', 'quote')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(starts).toEqual({ 'order 1': 0, 'order 2': 2_000, quote: 3_200 })
})

test('ledger queries never overlap and wait after the answer, balances longer, others may pass them', async () => {
  const { starts, call } = gateWith({ ledgerSpacingMs: 1_050, balanceSpacingMs: 2_000 })
  void call('balance 1', 'ledger', 300, true)
  void call('balance 2', 'ledger', 0, true)
  void call('orders', 'ledger', 100)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(starts).toEqual({ 'balance 1': 0, orders: 1_350, 'balance 2': 2_500 })
})

test('after EGW00201 the whole key is silent, after EGW00215 only the ledger', async () => {
  const { gate, starts, call } = gateWith({ holdMs: 1_000, ledgerHoldMs: 2_000 })
  gate.holdAll()
  gate.holdLedger()
  void call('order', 'order')
  void call('quote', 'quote')
  void call('ledger', 'ledger')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(starts).toEqual({ order: 1_000, quote: 1_000, ledger: 2_000 })
})

test('a second try keeps its lane: no later order overtakes it', async () => {
  const { gate, starts, call } = gateWith({ holdMs: 1_000 })
  const zero = performance.now()
  const pass: Pass = await gate.enter('order')
  void call('later', 'order')
  gate.holdAll()
  const again = pass.again(0).then(() => performance.now() - zero)
  await vi.advanceTimersByTimeAsync(1_500)
  expect(await again).toBe(1_000)
  expect(starts).toEqual({})
  pass.leave()
  pass.leave()
  await vi.advanceTimersByTimeAsync(100)
  expect(starts['later']).toBe(1_500)
})

test('a pause before a second try is kept', async () => {
  const { gate } = gateWith({})
  const zero = performance.now()
  const pass = await gate.enter('quote')
  const waited = pass.again(400).then(() => performance.now() - zero)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await waited).toBe(400)
})

test('quotes on the wire are bounded', async () => {
  const { starts, call } = gateWith({ quotesAtOnce: 2 })
  for (const name of ['a', 'b', 'c']) void call(name, 'quote', 500)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(starts).toEqual({ a: 0, b: 0, c: 500 })
})

describe('closing', () => {
  test('what waits is told that nothing was sent; what is on the wire ends well', async () => {
    const { gate } = gateWith({})
    const pass = await gate.enter('order')
    const waiting = Promise.allSettled([gate.enter('order'), gate.enter('order')])
    gate.close()
    const results = await waiting
    expect(results.map((result) => result.status === 'rejected' && result.reason instanceof NotSentError)).toEqual([
      true,
      true,
    ])
    pass.leave()
    await expect(gate.enter('quote')).rejects.toThrow(NotSentError)
  })

  test('a full lane refuses, and only that lane', async () => {
    const { gate } = gateWith({ queueMax: 2 })
    const pass = await gate.enter('ledger')
    const waiting = Promise.allSettled([gate.enter('ledger'), gate.enter('ledger')])
    await expect(gate.enter('ledger')).rejects.toThrow(NotSentError)
    ;(await gate.enter('order')).leave()
    gate.close()
    await waiting
    pass.leave()
  })
})

const gaps = (all: number[]): number[] => all.slice(1).map((at, i) => at - (all[i] ?? 0))

test('on paper, minutes of mixed work stay below one call per 1.2 s and one order per 2 s', async () => {
  const { starts, call } = gateWith(DEFAULT_LIMITS.paper)
  for (let i = 0; i < 40; i += 1) {
    void call(`o${i}`, 'order', 60)
    void call(`q${i}`, 'quote', 60)
    void call(`l${i}`, 'ledger', 60, i % 2 === 0)
  }
  await vi.advanceTimersByTimeAsync(400_000)
  const times = Object.values(starts).sort((a, b) => a - b)
  const orders = Object.entries(starts)
    .filter(([name]) => name.startsWith('o'))
    .map(([, at]) => at)
  expect(times).toHaveLength(120)
  expect(Math.min(...gaps(times))).toBeGreaterThanOrEqual(1_200)
  expect(Math.min(...gaps(orders))).toBeGreaterThanOrEqual(2_000)
})
