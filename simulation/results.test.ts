import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addRange, nextSeed, rangeOf, readRanges, sumLines, type Ran } from './results.ts'

let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'digger-results-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const ran = (seed: number, more: Partial<Ran> = {}): Ran => ({
  plan: { seed },
  failure: null,
  simulatedMs: 1_800_000,
  steps: 100,
  orders: 10,
  fills: 5,
  queuePeak: seed,
  struck: ['kill', 'pause', 'kill'],
  pressed: ['look'],
  life: { armedMs: 1_000 + seed, dueMs: [200, 300 + seed] },
  ...more,
})
const range = (version: string, first: number, last: number) =>
  rangeOf(
    version,
    Array.from({ length: last - first + 1 }, (_, index) => ran(first + index)),
    10,
  )

test('ranges of several processes add up: seeds, hours, faults by kind, peaks', () => {
  const file = join(folder, 'results.jsonl')
  expect(readRanges(file)).toEqual([])
  addRange(file, range('v', 1, 4))
  addRange(file, range('v', 101, 106))
  appendFileSync(file, '{"version":"v","first":107')
  const lines = sumLines(readRanges(file), ['kill', 'pause', 'sleep']).join('\n')
  expect(lines).toContain('10 seeds in 2 ranges\n')
  expect(lines).toContain('5.0 server-hours in 0.01 CPU-hours: 0.250 server-hours per CPU-second')
  expect(lines).toContain('1000 steps, 100 orders, 50 fills, 10 presses')
  expect(lines).toContain('peaks: queue 106, armed after 1106 ms, due orders out after 406 ms')
  expect(lines).toMatch(/kill +20\n +pause +10\n +sleep +0/)
  expect(lines).toContain('NEVER STRUCK: sleep')
  expect(lines).toContain('0 failures')
})

test('a failure is told with its seed; a run that failed early has no figures of life', () => {
  const failure = { message: 'no double order: one\nand two' }
  const lines = sumLines([rangeOf('v', [ran(3, { failure, life: null })], 1)], []).join('\n')
  expect(lines).toContain('FAILED seed 3: no double order: one\n')
  expect(lines).toContain('1 failures')
  expect(lines).toContain('armed after 0 ms')
})

test('a run goes on after the seeds of its own version, from its own first seed', () => {
  const ranges = [range('v', 21, 40), range('v', 1, 20), range('old', 41, 60), range('v', 1_000, 1_019)]
  expect(nextSeed(ranges, 'v', 1)).toBe(41)
  expect(nextSeed(ranges, 'v', 1_000)).toBe(1_020)
  expect(nextSeed(ranges, 'old', 1)).toBe(1)
  expect(nextSeed([], 'v', 7)).toBe(7)
})

test('seeds that were run twice are named, versions are told apart', () => {
  const lines = sumLines([range('v', 1, 20), range('v', 11, 30), range('new', 1, 5)], []).join('\n')
  expect(lines).toContain('version v\n  40 seeds in 2 ranges, 10 OF THEM TWICE')
  expect(lines).toContain('version new\n  5 seeds in 1 ranges\n')
})
