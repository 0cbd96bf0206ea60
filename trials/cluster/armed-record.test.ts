import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ArmedRecord } from './armed-record.ts'

const report = (record: ArmedRecord, host: string, armed: number): void =>
  record.report(host, { armed, at: Date.now() })

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => vi.useRealTimers())

test('a time is counted until the last stretch without all of them is over', () => {
  const record = new ArmedRecord(10)
  report(record, 'w1', 4)
  report(record, 'w2', 6)
  const from = Date.now()
  expect([record.all, record.sinceThen(from)]).toEqual([true, 0])
  record.gone('w1')
  vi.advanceTimersByTime(500)
  expect(record.sinceThen(from)).toBe(null)
  report(record, 'w2', 10)
  vi.advanceTimersByTime(300)
  report(record, 'w2', 8)
  report(record, 'w1', 1)
  vi.advanceTimersByTime(200)
  report(record, 'w1', 2)
  expect(record.sinceThen(from)).toBe(1_000)
})

test('a worker that says nothing any more has nothing armed', () => {
  const record = new ArmedRecord(10)
  report(record, 'w1', 4)
  report(record, 'w2', 6)
  vi.advanceTimersByTime(900)
  report(record, 'w2', 6)
  expect(record.all).toBe(true)
  vi.advanceTimersByTime(200)
  expect([record.now, record.all]).toEqual([6, false])
})
