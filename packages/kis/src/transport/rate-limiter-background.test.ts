import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RateLimiter } from './rate-limiter.ts'
import { UNLIMITED, type RateLimits } from './limits.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A limiter, and when each named call got its slot, ms since the start. */
function limiterWith(limits: Partial<RateLimits>) {
  const limiter = new RateLimiter({ ...UNLIMITED, ...limits })
  const zero = performance.now()
  const starts: Record<string, number> = {}
  /** Keeps its slot for `lasts` ms. */
  const call = async (name: string, priority: 'order' | 'quote', lasts = 0): Promise<void> => {
    const slot = await limiter.acquire({ priority })
    starts[name] = performance.now() - zero
    if (lasts > 0) await new Promise((resolve) => setTimeout(resolve, lasts))
    slot.release()
  }
  return { limiter, starts, call }
}

test('a call in the background that hangs keeps the slot of no price, and there is one of them at a time', async () => {
  const { limiter, starts, call } = limiterWith({ maxQuotesInFlight: 1 })
  const hanging = await limiter.acquire({ priority: 'quote', isBackground: true })
  const next = limiter.acquire({ priority: 'quote', isBackground: true })
  void next.then(() => (starts['next'] = performance.now()))
  void call('price', 'quote', 300)
  void call('another', 'quote')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(starts).toEqual({ price: 0, another: 300 })
  hanging.release()
  await next
  expect(limiter.figures().quote.waiting).toBe(0)
})

test('none that nothing waits for goes before an order, however long it has waited, or counts as kept waiting', async () => {
  const { limiter, starts, call } = limiterWith({ spacingMs: 1_000 })
  let isGranted = false
  for (let n = 0; n < 30; n += 1) void call(`order ${n}`, 'order')
  const patient = { priority: 'quote', isBackground: true, isAwaited: false } as const
  void limiter.acquire(patient).then(() => (isGranted = true))
  await vi.advanceTimersByTimeAsync(29_500)
  expect([starts['order 29'], isGranted]).toEqual([29_000, false])
  expect(limiter.figures().quote).toMatchObject({ waiting: 1, oldestMs: 0 })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(isGranted).toBe(true)
})

test('one in the background that something waits for goes before orders after ten seconds, as a price does', async () => {
  const { limiter, call } = limiterWith({ spacingMs: 1_000 })
  let grantedAt = 0
  for (let n = 0; n < 30; n += 1) void call(`order ${n}`, 'order')
  const zero = performance.now()
  void limiter.acquire({ priority: 'quote', isBackground: true }).then(() => (grantedAt = performance.now() - zero))
  await vi.advanceTimersByTimeAsync(30_500)
  expect(grantedAt).toBe(11_000)
})
