import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimSeeds, hasSeeds } from './claims.ts'
import { addLine, addRange, rangeOf, readRanges, type Ran } from './results.ts'
import { sumOf } from './sum.ts'

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
  looks: { queues: { looked: 2, skipped: 1 } },
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
  appendFileSync(file, '\n{"version":"v","first":107')
  addRange(file, range('v', 201, 201))
  const { lines: all, problems } = sumOf(readRanges(file), ['kill', 'pause', 'sleep'])
  const lines = all.join('\n')
  expect(lines).toContain('11 seeds in 3 ranges\n')
  expect(lines).toContain('5.5 server-hours in 0.01 CPU-hours: 0.183 server-hours per CPU-second')
  expect(lines).toContain('1100 steps, 110 orders, 55 fills, 11 presses')
  expect(lines).toContain('peaks: queue 201, armed after 1201 ms, due orders out after 501 ms')
  expect(lines).toMatch(/kill +22\n +pause +11\n +sleep +0/)
  expect(lines).toMatch(/check queues +22 looks, +11 let pass/)
  expect(lines).toContain('0 failures')
  expect(problems).toEqual(['never struck: sleep'])
})

test('a failure is told with its seed; a run that failed early has no figures of life', () => {
  const failure = { message: 'no double order: one\nand two' }
  const { lines, problems } = sumOf([rangeOf('v', [ran(3, { failure, life: null })], 1)], [])
  expect(lines.join('\n')).toContain('FAILED seed 3: no double order: one\n')
  expect(lines.join('\n')).toContain('armed after 0 ms')
  expect(problems).toEqual(['1 seeds failed'])
})

test('nothing is shown by no ranges, and by checks that never looked', () => {
  expect(sumOf([], []).problems).toEqual(['there are no ranges'])
  const blind = ran(1, { looks: { queues: { looked: 0, skipped: 9 }, orders: { looked: 1, skipped: 0 } } })
  expect(sumOf([rangeOf('v', [blind], 1)], ['kill']).problems).toEqual(['never looked: queues'])
  expect(sumOf([range('v', 1, 2)], ['kill', 'pause']).problems).toEqual([])
})

test('seeds that were run twice are named; only the newest version is summed, and what is left out is told', () => {
  const { lines, problems } = sumOf([range('old', 1, 5), range('v', 1, 20), range('v', 11, 30)], ['kill'])
  expect(lines.join('\n')).toContain('version v\n  40 seeds in 2 ranges\n')
  expect(problems).toEqual(['10 seeds were run twice', 'left out: 1 ranges with 5 seeds of version old'])
})

test('a line that was cut off takes nothing with it', () => {
  const file = join(folder, 'results.jsonl')
  addRange(file, range('v', 1, 4))
  appendFileSync(file, '\n{"version":"v","first":5')
  addRange(file, range('v', 101, 106))
  expect(readRanges(file).map(({ first }) => first)).toEqual([1, 101])
})

test('two processes take seeds of their own, and none is left out', () => {
  const file = join(folder, 'results.jsonl')
  const living = new Set([11, 12])
  const process = (pid: number) => ({ pid, isAlive: (other: number) => living.has(other) })
  const claim = (pid: number, last = 100) => claimSeeds(file, 'v', { first: 1, last }, 20, process(pid))
  addRange(file, range('v', 25, 30))
  expect([claim(11), claim(12)]).toEqual([
    { first: 1, last: 20 },
    { first: 21, last: 24 },
  ])
  expect(claim(13, 30)).toBeNull()
  addRange(file, range('v', 1, 20))
  expect(claim(11)).toEqual({ first: 31, last: 50 })
  // What a process that is gone had taken is free again; another version has seeds of its own.
  living.delete(12)
  expect(claim(13)).toEqual({ first: 21, last: 24 })
  expect(claimSeeds(file, 'new', { first: 1, last: 100 }, 20, process(14))).toEqual({ first: 1, last: 20 })
  expect([1, 51].map((first) => hasSeeds(file, 'v', { first, last: first }, process(14)))).toEqual([true, false])
})

test('of two claims for the same seeds the first in the file stands', () => {
  const file = join(folder, 'results.jsonl')
  let others = 1
  // The other process claims between the look and the claim of this one.
  const wanted = {
    get first() {
      if (others-- > 0) addLine(file, { version: 'v', claimedBy: 11, first: 1, last: 20 })
      return 1
    },
    last: 100,
  }
  expect(claimSeeds(file, 'v', wanted, 20, { pid: 12, isAlive: () => true })).toEqual({ first: 21, last: 40 })
})
