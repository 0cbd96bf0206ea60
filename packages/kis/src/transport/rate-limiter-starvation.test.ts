import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Priority } from '../api.ts'
import { RateLimiter, type QueryKind } from './rate-limiter.ts'
import { DEFAULT_LIMITS, NEW_CUSTOMER, UNLIMITED, type RateLimits } from './limits.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Calls that keep their slot for 20 ms, and the names of those that had it. */
function queueWith(limits: Partial<RateLimits>) {
  const limiter = new RateLimiter({ ...UNLIMITED, ...limits })
  const started = new Set<string>()
  const call = async (name: string, priority: Priority, kind: QueryKind = 'question'): Promise<void> => {
    const slot = await limiter.acquire({ priority, kind })
    started.add(name)
    await new Promise((resolve) => setTimeout(resolve, 20))
    slot.release()
  }
  return { started, call }
}

test('orders without end at three calls a second: lists still go, within two and a half seconds each', async () => {
  const { started, call } = queueWith(NEW_CUSTOMER)
  for (let n = 0; n < 100; n += 1) void call(`order ${n}`, 'order')
  for (let n = 0; n < 10; n += 1) {
    void call(`list ${n}`, 'ledger', 'list')
    await vi.advanceTimersByTimeAsync(2_500)
    expect(started.has(`list ${n}`)).toBe(true)
  }
  expect([...started].filter((name) => name.startsWith('order')).length).toBeGreaterThan(45)
})

test('lists without end: a query still goes, within six seconds', async () => {
  const { started, call } = queueWith({ ledgerSpacingMs: 1_050 })
  const lists = async (): Promise<void> => {
    for (let n = 0; n < 20; n += 1) await call(`list ${n}`, 'ledger', 'list')
  }
  void lists()
  void lists()
  await vi.advanceTimersByTimeAsync(100)
  void call('question', 'ledger')
  await vi.advanceTimersByTimeAsync(6_000)
  expect(started.has('question')).toBe(true)
})

const LIMITS: readonly [string, RateLimits][] = [
  ['three calls a second', NEW_CUSTOMER],
  ['ten calls a second', DEFAULT_LIMITS.real],
  ['the paper host', DEFAULT_LIMITS.paper],
]

describe.each(LIMITS)('orders, lists and quotes without end at %s', (_name, limits) => {
  test('each kind goes on, and most of the slots are for orders', async () => {
    const { started, call } = queueWith({ ...limits, maxQueued: { order: 10_000, ledger: 10_000, quote: 10_000 } })
    for (let n = 0; n < 1_000; n += 1) void call(`order ${n}`, 'order')
    for (let n = 0; n < 300; n += 1) void call(`list ${n}`, 'ledger', 'list')
    for (let n = 0; n < 100; n += 1) void call(`quote ${n}`, 'quote')
    await vi.advanceTimersByTimeAsync(65_000)
    const count = (kind: string): number => [...started].filter((name) => name.startsWith(kind)).length
    expect(count('list')).toBeGreaterThanOrEqual(20)
    expect(count('order')).toBeGreaterThanOrEqual(count('list'))
    // One in ten seconds, and no more: orders are what the key is for.
    expect([5, 6]).toContain(count('quote'))
  })

  test('one list after the other does not keep the orders waiting', async () => {
    const { started, call } = queueWith(limits)
    const lists = async (): Promise<void> => {
      for (let n = 0; n < 200; n += 1) await call(`list ${n}`, 'ledger', 'list')
    }
    void lists()
    await vi.advanceTimersByTimeAsync(5_000)
    for (let n = 0; n < 10; n += 1) {
      void call(`order ${n}`, 'order')
      await vi.advanceTimersByTimeAsync(3 * limits.spacingMs + limits.orderSpacingMs)
      expect(started.has(`order ${n}`)).toBe(true)
    }
  })
})

/** How many orders may wait (`gate.ts` of the account) and how old they may be when they leave (`last-look.ts`), ms. */
const WAITING: readonly [name: string, limits: RateLimits, orders: number, maxAgeMs: number][] = [
  ['the real host, at its widest spacing', NEW_CUSTOMER, 10, 10_000],
  ['the paper host', DEFAULT_LIMITS.paper, 20, 60_000],
]
test.each(WAITING)(
  '%s: as many orders as may wait leave before they are too old, beside lists without end',
  async (...given) => {
    const [, limits, orders, maxAgeMs] = given
    const { started, call } = queueWith(limits)
    for (let n = 0; n < 30; n += 1) void call(`list ${n}`, 'ledger', 'list')
    for (let n = 0; n < orders; n += 1) void call(`order ${n}`, 'order')
    // A fifth of the time is left for slow answers and for a pause after a refusal.
    await vi.advanceTimersByTimeAsync(maxAgeMs * 0.8)
    expect(started.has(`order ${orders - 1}`)).toBe(true)
  },
)
