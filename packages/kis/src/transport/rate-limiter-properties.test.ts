import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Priority } from '../api.ts'
import { NotSentError } from '../errors.ts'
import { DEFAULT_LIMITS, NEW_CUSTOMER, UNLIMITED } from './limits.ts'
import type { RateLimits } from './limits.ts'
import { RateLimiter } from './rate-limiter.ts'
import type { QueryKind } from './rate-limiter.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

interface Job {
  readonly priority: Priority
  readonly kind: QueryKind
  /** Ms after the job before it. */
  readonly afterMs: number
  /** From the start to the reply, ms. */
  readonly lastsMs: number
  /** How often the broker refuses it at first, and how long it then pauses, ms. */
  readonly retries: number
  readonly pauseMs: number
  /** EGW00201 or EGW00215 instead of a plain failure. */
  readonly refusal: 'none' | 'all' | 'ledger'
}
interface Start {
  readonly id: number
  readonly at: number
  readonly end: number
  readonly isRetry: boolean
}

/** Only ledger queries have a kind. */
const anyCall = fc.constantFrom<readonly [Priority, QueryKind]>(
  ['order', 'question'],
  ['ledger', 'list'],
  ['ledger', 'balance'],
  ['ledger', 'question'],
  ['quote', 'question'],
)
const job: fc.Arbitrary<Job> = fc
  .record({
    call: anyCall,
    afterMs: fc.oneof(fc.constant(0), fc.nat(3_000)),
    lastsMs: fc.nat(900),
    retries: fc.constantFrom(0, 0, 0, 1, 2),
    pauseMs: fc.nat(700),
    refusal: fc.constantFrom<Job['refusal']>('none', 'none', 'all', 'ledger'),
  })
  .map(({ call: [priority, kind], ...rest }) => ({ priority, kind, ...rest }))
const jobs = fc.array(job, { minLength: 1, maxLength: 40 })
const limitsOf: fc.Arbitrary<RateLimits> = fc.oneof(
  fc.constantFrom(DEFAULT_LIMITS.real, DEFAULT_LIMITS.paper, NEW_CUSTOMER, UNLIMITED),
  fc
    .record({
      spacingMs: fc.nat(500),
      orderSpacingMs: fc.nat(1_500),
      maxQuotesInFlight: fc.integer({ min: 1, max: 4 }),
    })
    .map((changes) => ({ ...DEFAULT_LIMITS.real, ...changes })),
)

/** Runs the jobs to their end, an hour at most: every start, in order of time. */
async function run(limits: RateLimits, list: readonly Job[]): Promise<Start[]> {
  const limiter = new RateLimiter(limits)
  const zero = performance.now()
  const starts: Start[] = []
  const work = async (one: Job, id: number): Promise<void> => {
    const slot = await limiter.acquire({ priority: one.priority, kind: one.kind })
    for (let attempt = 0; ; attempt += 1) {
      const at = performance.now() - zero
      starts.push({ id, at, end: at + one.lastsMs, isRetry: attempt > 0 })
      await new Promise((resolve) => setTimeout(resolve, one.lastsMs))
      if (attempt === one.retries) break
      if (one.refusal === 'all') limiter.holdAll()
      if (one.refusal === 'ledger') limiter.holdLedger()
      await slot.retryAfter(one.pauseMs)
    }
    slot.release()
  }
  const all: Promise<void>[] = []
  for (const [id, one] of list.entries()) {
    await vi.advanceTimersByTimeAsync(one.afterMs)
    all.push(work(one, id))
  }
  const done = Promise.all(all)
  await vi.advanceTimersByTimeAsync(3_600_000)
  await done
  return starts.sort((a, b) => a.at - b.at)
}

/** Timers may fire up to a millisecond late, never early. */
const SLACK = 0.001
const gaps = (times: readonly number[]): number[] => times.slice(1).map((at, i) => at - (times[i] ?? 0))
const busiestSecond = (times: readonly number[]): number =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length))

test('no two starts closer than the spacing, no second with more than it allows, orders apart by theirs', () =>
  fc.assert(
    fc.asyncProperty(limitsOf, jobs, async (limits, list) => {
      const starts = await run(limits, list)
      const times = starts.map(({ at }) => at)
      expect(Math.min(...gaps(times), Infinity)).toBeGreaterThanOrEqual(limits.spacingMs - SLACK)
      const most = limits.spacingMs === 0 ? Infinity : Math.ceil(1_000 / limits.spacingMs)
      expect(busiestSecond(times)).toBeLessThanOrEqual(most)
      const orders = starts.filter(({ id }) => list[id]?.priority === 'order').map(({ at }) => at)
      expect(Math.min(...gaps(orders), Infinity)).toBeGreaterThanOrEqual(limits.orderSpacingMs - SLACK)
    }),
    { numRuns: 60 },
  ))

test('everything asked is started once and for each of its retries, and nothing waits in the end', () =>
  fc.assert(
    fc.asyncProperty(limitsOf, jobs, async (limits, list) => {
      const starts = await run(limits, list)
      const counts = list.map((_, id) => starts.filter((start) => start.id === id).length)
      expect(counts).toEqual(list.map(({ retries }) => retries + 1))
    }),
    { numRuns: 60 },
  ))

test('orders start in the order asked and one at a time; a retry is overtaken by none', () =>
  fc.assert(
    fc.asyncProperty(limitsOf, jobs, async (limits, list) => {
      const orders = (await run(limits, list)).filter(({ id }) => list[id]?.priority === 'order')
      const ids = orders.map(({ id }) => id)
      // Retries stand right behind their first try, so the ids only ever grow.
      expect(ids).toEqual([...ids].sort((a, b) => a - b))
      expect(orders.every(({ at }, i) => i === 0 || at >= (orders[i - 1]?.end ?? 0) - SLACK)).toBe(true)
    }),
    { numRuns: 60 },
  ))

test('ledger queries never overlap, start after the pause that follows a reply, and keep the place of a retry', () =>
  fc.assert(
    fc.asyncProperty(limitsOf, jobs, async (limits, list) => {
      const ledger = (await run(limits, list)).filter(({ id }) => list[id]?.priority === 'ledger')
      const pauses = ledger.slice(1).map(({ at }, i) => at - (ledger[i]?.end ?? 0))
      expect(Math.min(...pauses, Infinity)).toBeGreaterThanOrEqual(limits.ledgerSpacingMs - SLACK)
      const balances = ledger.filter(({ id }) => list[id]?.kind === 'balance')
      const rests = balances.slice(1).map(({ at }, i) => at - (balances[i]?.end ?? 0))
      expect(Math.min(...rests, Infinity)).toBeGreaterThanOrEqual(limits.balanceSpacingMs - SLACK)
      expect(ledger.every(({ id, isRetry }, i) => !isRetry || ledger[i - 1]?.id === id)).toBe(true)
    }),
    { numRuns: 60 },
  ))

test('quotes in flight are never more than allowed', () =>
  fc.assert(
    fc.asyncProperty(limitsOf, jobs, async (limits, list) => {
      const quotes = (await run(limits, list)).filter(({ id }) => list[id]?.priority === 'quote')
      const busy = quotes.map(({ at }) => quotes.filter((other) => other.at <= at && other.end > at + SLACK).length)
      expect(Math.max(0, ...busy)).toBeLessThanOrEqual(limits.maxQuotesInFlight)
    }),
    { numRuns: 60 },
  ))

test('an order asked while queries wait goes next, but for a query that has waited too long', () =>
  fc.assert(
    fc.asyncProperty(fc.array(job, { maxLength: 30 }), fc.nat(700), async (list, waitMs) => {
      const limiter = new RateLimiter(DEFAULT_LIMITS.real)
      const started: string[] = []
      const call = async (name: string, one: Pick<Job, 'priority' | 'kind' | 'lastsMs'>): Promise<void> => {
        const slot = await limiter.acquire({ priority: one.priority, kind: one.kind })
        started.push(name)
        await new Promise((resolve) => setTimeout(resolve, one.lastsMs))
        slot.release()
      }
      const queries = list.filter(({ priority }) => priority !== 'order')
      for (const [n, one] of queries.entries()) void call(`query ${n}`, one)
      await vi.advanceTimersByTimeAsync(waitMs)
      const before = started.length
      void call('order', { priority: 'order', kind: 'question', lastsMs: 0 })
      await vi.advanceTimersByTimeAsync(3_600_000)
      // 800 ms have not passed for any query when the next slot is due.
      expect(started[before]).toBe('order')
    }),
    { numRuns: 100 },
  ))

test('a deadline is kept to the millisecond, and what it ends is distinguished from what was sent', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 20 }),
      async (deadlines) => {
        const limiter = new RateLimiter(DEFAULT_LIMITS.real)
        const zero = performance.now()
        const ends = deadlines.map((ms) =>
          limiter.acquire({ priority: 'ledger', deadline: zero + ms }).then(
            (slot) => {
              slot.release()
              return { ms, at: performance.now() - zero, sent: true }
            },
            (error: unknown) => ({ ms, at: performance.now() - zero, sent: !(error instanceof NotSentError) }),
          ),
        )
        await vi.advanceTimersByTimeAsync(60_000)
        const results = await Promise.all(ends)
        expect(results.filter(({ ms, at, sent }) => (sent ? at > ms : Math.abs(at - ms) > 1))).toEqual([])
        expect(limiter.figures().ledger.waiting).toBe(0)
      },
    ),
    { numRuns: 100 },
  ))
