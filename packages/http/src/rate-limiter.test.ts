import { beforeEach, describe, expect, test } from 'vitest'
import { TestClock } from '@digger/database/testing'
import { RateLimiter } from './rate-limiter.ts'

let clock: TestClock
beforeEach(() => (clock = new TestClock()))

const takeAll = (limiter: RateLimiter, subject: string, times: number) =>
  Array.from({ length: times }, () => limiter.take(subject)).filter(Boolean).length

describe('a subject', () => {
  test('has a burst, then one after each part of a second', () => {
    const limiter = new RateLimiter({ burst: 3, perSecond: 2 }, clock)
    expect(takeAll(limiter, 'a', 10)).toBe(3)
    clock.advance(499)
    expect(limiter.take('a')).toBe(false)
    clock.advance(1)
    expect(takeAll(limiter, 'a', 2)).toBe(1)
  })

  test('saves up no more than the burst', () => {
    const limiter = new RateLimiter({ burst: 3, perSecond: 2 }, clock)
    limiter.take('a')
    clock.advance(3_600_000)
    expect(takeAll(limiter, 'a', 10)).toBe(3)
  })

  test('does not take from another', () => {
    const limiter = new RateLimiter({ burst: 1, perSecond: 1 }, clock)
    expect([limiter.take('a'), limiter.take('b'), limiter.take('a')]).toEqual([true, true, false])
  })

  test('gets nothing from a clock set back, and loses nothing', () => {
    const limiter = new RateLimiter({ burst: 2, perSecond: 1 }, clock)
    limiter.take('a')
    clock.advance(-60_000)
    expect(takeAll(limiter, 'a', 5)).toBe(1)
    clock.advance(1_000)
    expect(limiter.take('a')).toBe(true)
  })

  test('without a limit is not even remembered', () => {
    const limiter = new RateLimiter({ burst: Infinity, perSecond: Infinity }, clock)
    expect([takeAll(limiter, 'a', 100), limiter.size]).toEqual([100, 0])
  })
})

describe('more subjects than are remembered', () => {
  const rate = { burst: 2, perSecond: 1 }

  test('share one bucket, and memory stays as it is', () => {
    const limiter = new RateLimiter(rate, clock, 3)
    for (const subject of ['a', 'b', 'c']) expect(takeAll(limiter, subject, 5)).toBe(2)
    expect(['d', 'e', 'f'].map((subject) => limiter.take(subject))).toEqual([true, true, false])
    expect(limiter.size).toBeLessThanOrEqual(4)
  })

  test('make room by forgetting those whose bucket is full again', () => {
    const limiter = new RateLimiter(rate, clock, 3)
    for (const subject of ['a', 'b', 'c']) limiter.take(subject)
    clock.advance(2_000)
    expect(takeAll(limiter, 'd', 5)).toBe(2)
    expect(limiter.size).toBe(1)
  })
})
