import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Priority } from '../api.ts'
import { NotSentError } from '../errors.ts'
import { RateLimiter } from './rate-limiter.ts'
import type { QueryKind, Slot } from './rate-limiter.ts'
import { DEFAULT_LIMITS, NEW_CUSTOMER, UNLIMITED } from './limits.ts'
import type { RateLimits } from './limits.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A limiter, and a record of when each named call got its slot (ms since the start). */
function limiterWith(limits: Partial<RateLimits>) {
  const limiter = new RateLimiter({ ...UNLIMITED, ...limits })
  const zero = performance.now()
  const starts: Record<string, number> = {}
  /** Keeps its slot for `lasts` ms. */
  const call = async (name: string, priority: Priority, lasts = 0, kind: QueryKind = 'question'): Promise<void> => {
    const slot = await limiter.acquire({ priority, kind })
    starts[name] = performance.now() - zero
    if (lasts > 0) await new Promise((resolve) => setTimeout(resolve, lasts))
    slot.release()
  }
  return { limiter, starts, call }
}

test('calls are spaced evenly, not in bursts', async () => {
  const { starts, call } = limiterWith({ spacingMs: 100 })
  for (const name of ['a', 'b', 'c', 'd']) void call(name, 'quote')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(starts).toEqual({ a: 0, b: 100, c: 200, d: 300 })
})

test('orders go before ledger queries, those before quotes, whatever came first', async () => {
  const { starts, call } = limiterWith({ spacingMs: 100 })
  void call('first', 'quote')
  void call('quote', 'quote')
  void call('ledger', 'ledger')
  void call('order', 'order')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(starts['order']).toBeLessThan(starts['ledger'] ?? 0)
  expect(starts['ledger']).toBeLessThan(starts['quote'] ?? 0)
})

test('orders go one at a time, in the order asked', async () => {
  const { starts, call } = limiterWith({})
  void call('slow', 'order', 700)
  void call('next', 'order', 50)
  void call('last', 'order')
  void call('quote', 'quote')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(starts).toEqual({ slow: 0, quote: 0, next: 700, last: 750 })
})

test('a slot that an order is about to use is not given to a query', async () => {
  const { starts, call } = limiterWith({ spacingMs: 1_200, orderSpacingMs: 2_000 })
  void call('order 1', 'order')
  await vi.advanceTimersByTimeAsync(1_000)
  void call('order 2', 'order')
  void call('quote', 'quote')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(starts).toEqual({ 'order 1': 0, 'order 2': 2_000, quote: 3_200 })
})

test('ledger queries never overlap and wait after the answer, balances longer, others may pass them', async () => {
  const { starts, call } = limiterWith({ ledgerSpacingMs: 1_050, balanceSpacingMs: 2_000 })
  void call('balance 1', 'ledger', 300, 'balance')
  void call('balance 2', 'ledger', 0, 'balance')
  void call('orders', 'ledger', 100)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(starts).toEqual({ 'balance 1': 0, orders: 1_350, 'balance 2': 2_500 })
})

test('after EGW00201 the whole key is silent, after EGW00215 only the ledger', async () => {
  const { limiter, starts, call } = limiterWith({ holdMs: 1_000, ledgerHoldMs: 2_000 })
  limiter.holdAll()
  limiter.holdLedger()
  void call('order', 'order')
  void call('quote', 'quote')
  void call('ledger', 'ledger')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(starts).toEqual({ order: 1_000, quote: 1_000, ledger: 2_000 })
})

test('a second try keeps its priority: no later order overtakes it', async () => {
  const { limiter, starts, call } = limiterWith({ holdMs: 1_000 })
  const zero = performance.now()
  const slot: Slot = await limiter.acquire({ priority: 'order' })
  void call('later', 'order')
  limiter.holdAll()
  const again = slot.retryAfter(0).then(() => performance.now() - zero)
  await vi.advanceTimersByTimeAsync(1_500)
  expect(await again).toBe(1_000)
  expect(starts).toEqual({})
  slot.release()
  slot.release()
  await vi.advanceTimersByTimeAsync(100)
  expect(starts['later']).toBe(1_500)
})

test('a pause before a second try is kept', async () => {
  const { limiter } = limiterWith({})
  const zero = performance.now()
  const slot = await limiter.acquire({ priority: 'quote' })
  const waited = slot.retryAfter(400).then(() => performance.now() - zero)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await waited).toBe(400)
})

test('quotes on the wire are bounded', async () => {
  const { starts, call } = limiterWith({ maxQuotesInFlight: 2 })
  for (const name of ['a', 'b', 'c']) void call(name, 'quote', 500)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(starts).toEqual({ a: 0, b: 0, c: 500 })
})

describe('closing', () => {
  test('waiting calls fail as not sent; the call on the wire finishes', async () => {
    const { limiter } = limiterWith({})
    const slot = await limiter.acquire({ priority: 'order' })
    const waiting = Promise.allSettled([limiter.acquire({ priority: 'order' }), limiter.acquire({ priority: 'order' })])
    limiter.close()
    const results = await waiting
    expect(results.map((result) => result.status === 'rejected' && result.reason instanceof NotSentError)).toEqual([
      true,
      true,
    ])
    slot.release()
    await expect(limiter.acquire({ priority: 'quote' })).rejects.toThrow(NotSentError)
  })

  test('a full queue refuses, and only that queue', async () => {
    const { limiter } = limiterWith({ maxQueued: { order: 2, ledger: 2, quote: 2 } })
    const slot = await limiter.acquire({ priority: 'ledger' })
    const waiting = Promise.allSettled([
      limiter.acquire({ priority: 'ledger' }),
      limiter.acquire({ priority: 'ledger' }),
    ])
    await expect(limiter.acquire({ priority: 'ledger' })).rejects.toThrow(NotSentError)
    ;(await limiter.acquire({ priority: 'order' })).release()
    limiter.close()
    await waiting
    slot.release()
  })
})

const gaps = (all: number[]): number[] => all.slice(1).map((at, i) => at - (all[i] ?? 0))

test('on paper, minutes of mixed work stay below one call per 1.2 s and one order per 2 s', async () => {
  const { starts, call } = limiterWith(DEFAULT_LIMITS.paper)
  for (let i = 0; i < 40; i += 1) {
    void call(`o${i}`, 'order', 60)
    void call(`q${i}`, 'quote', 60)
    void call(`l${i}`, 'ledger', 60, i % 2 === 0 ? 'balance' : 'list')
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

describe('ledger queries', () => {
  test('lists go before the queries that wait, each kind in the order asked', async () => {
    const { starts, call } = limiterWith({ ledgerSpacingMs: 1_000 })
    void call('first', 'ledger')
    void call('cash 1', 'ledger')
    void call('cash 2', 'ledger')
    void call('orders', 'ledger', 0, 'list')
    void call('balance', 'ledger', 0, 'balance')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(starts).toEqual({ first: 0, orders: 1_000, balance: 2_000, 'cash 1': 3_000, 'cash 2': 4_000 })
  })

  test('a list does not overtake the second try of a query that is under way', async () => {
    const { limiter, starts, call } = limiterWith({})
    const slot = await limiter.acquire({ priority: 'ledger' })
    void call('orders', 'ledger', 0, 'list')
    const again = slot.retryAfter(500)
    void call('more', 'ledger', 0, 'list')
    await vi.advanceTimersByTimeAsync(600)
    await again
    expect(starts).toEqual({})
    slot.release()
    await vi.advanceTimersByTimeAsync(100)
    expect(Object.keys(starts)).toEqual(['orders', 'more'])
  })

  test('forty queries do not hold up the lists, and fail when their deadline passes', async () => {
    const { limiter, starts, call } = limiterWith({ ...DEFAULT_LIMITS.real })
    const began = performance.now()
    const waits = Array.from({ length: 40 }, async () => {
      const deadline = performance.now() + 3_000
      const left = await limiter.acquire({ priority: 'ledger', deadline }).catch((error: Error) => error)
      const waited = performance.now() - began
      if (left instanceof Error) return { waited, name: left.name }
      setTimeout(() => left.release(), 50)
      return { waited, name: 'sent' }
    })
    void call('orders', 'ledger', 50, 'list')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(starts['orders']).toBeLessThan(1_200)
    const outcomes = await Promise.all(waits)
    expect(Math.max(...outcomes.map(({ waited }) => waited))).toBeLessThanOrEqual(3_001)
    expect(new Set(outcomes.map(({ name }) => name))).toEqual(new Set(['sent', 'NotSentError']))
  })

  test('a second try that comes too late is not made either', async () => {
    const { limiter } = limiterWith({ ledgerHoldMs: 2_000 })
    const slot = await limiter.acquire({ priority: 'ledger', deadline: performance.now() + 1_000 })
    limiter.holdLedger()
    const again = slot.retryAfter(0).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await again).toBeInstanceOf(NotSentError)
    slot.release()
    void limiter.acquire({ priority: 'ledger' }).then((next) => next.release())
    await vi.advanceTimersByTimeAsync(2_000)
    expect(limiter.figures().ledger.waiting).toBe(0)
  })

  test('a queue full of queries still takes a list', async () => {
    const { limiter } = limiterWith({ maxQueued: { order: 1, ledger: 2, quote: 1 } })
    const calls = [1, 2, 3].map(() => limiter.acquire({ priority: 'ledger' }))
    await expect(limiter.acquire({ priority: 'ledger' })).rejects.toThrow(NotSentError)
    calls.push(
      limiter.acquire({ priority: 'ledger', kind: 'list' }),
      limiter.acquire({ priority: 'ledger', kind: 'balance' }),
    )
    await expect(limiter.acquire({ priority: 'ledger', kind: 'list' })).rejects.toThrow(NotSentError)
    limiter.close()
    await Promise.allSettled(calls)
  })
})

test('figures: what waits, its peak since last asked, and the age of the oldest', async () => {
  const { limiter, call } = limiterWith({ ledgerSpacingMs: 1_000 })
  for (const name of ['a', 'b', 'c', 'd']) void call(name, 'ledger')
  await vi.advanceTimersByTimeAsync(1_500)
  const idle = { waiting: 0, peak: 0, oldestMs: 0 }
  expect(limiter.figures()).toEqual({ order: idle, ledger: { waiting: 2, peak: 3, oldestMs: 1_500 }, quote: idle })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(limiter.figures().ledger).toEqual({ waiting: 0, peak: 2, oldestMs: 0 })
  expect(limiter.figures().ledger).toEqual(idle)
})

/** Calls without a pause against a broker that takes `perSecond`: refusals in each minute. */
async function refusals(limits: RateLimits, perSecond: number, minutes: number): Promise<number[]> {
  const { limiter } = limiterWith(limits)
  const taken: number[] = []
  const refused: number[] = Array.from({ length: minutes }, () => 0)
  const began = performance.now()
  const end = began + minutes * 60_000
  const ask = async (): Promise<void> => {
    while (performance.now() < end) {
      const slot = await limiter.acquire({ priority: 'quote' })
      const now = performance.now()
      const minute = Math.floor((now - began) / 60_000)
      if (taken.filter((at) => at > now - 1_000).length < perSecond) taken.push(now)
      else {
        limiter.holdAll()
        refused[minute] = (refused[minute] ?? 0) + 1
      }
      await new Promise((resolve) => setTimeout(resolve, 30))
      slot.release()
    }
  }
  const asking = Promise.all([ask(), ask()])
  await vi.advanceTimersByTimeAsync(minutes * 60_000 + 5_000)
  await asking
  return refused
}

describe('a customer who has fewer calls than most', () => {
  test('limits of a new customer are never refused', async () => {
    expect(await refusals(NEW_CUSTOMER, 3, 2)).toEqual([0, 0])
  })

  test('with the usual limits the key slows down by itself and is seldom refused from then on', async () => {
    const [first = 0, ...later] = await refusals(DEFAULT_LIMITS.real, 3, 10)
    expect(first).toBeLessThan(8)
    expect(Math.max(...later)).toBeLessThanOrEqual(2)
  })
})

test('whoever takes a key over waits before the first call, orders too', async () => {
  const { limiter, starts, call } = limiterWith({ spacingMs: 100 })
  limiter.hold(1_000)
  void call('quote', 'quote')
  void call('order', 'order')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(starts).toEqual({ order: 1_000, quote: 1_100 })
})
