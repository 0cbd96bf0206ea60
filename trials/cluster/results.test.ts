import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addResult, isDone, readResults, type RunResult, spread, sumOf } from './results.ts'

const RUN: RunResult = {
  seed: 3,
  mode: 'alone',
  accounts: 9,
  stocks: 3,
  faults: 10,
  orders: 100,
  fills: 80,
  cancelled: 5,
  pending: 0,
  armedMs: { kill: [2_000, 4_000] },
  pauseMs: [],
  answers: { 'POST /api/login: OK': 3, 'GET /api/user/stock: OK': 4 },
  messages: 1_000,
  rows: 500,
  problems: [],
}
let folder = ''
let file = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'digger-chaos-results-'))
  file = join(folder, 'results')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('runs are added to a file and read again, and a seed is done for its own kind of run', () => {
  expect(readResults(file)).toEqual([])
  addResult(file, RUN)
  addResult(file, { ...RUN, seed: 4 })
  const results = readResults(file)
  expect(results).toEqual([RUN, { ...RUN, seed: 4 }])
  expect([isDone(results, 4, 'alone'), isDone(results, 5, 'alone'), isDone(results, 4, 'outages')]).toEqual([
    true,
    false,
    false,
  ])
})

test('a line from before answers, pauses and searches were counted is read, too', () => {
  const { pauseMs: _pauses, answers: _answers, messages: _messages, rows: _rows, ...before } = RUN
  writeFileSync(file, `${JSON.stringify(before)}\n`)
  expect(readResults(file)).toEqual([{ ...RUN, pauseMs: [], answers: {}, messages: 0, rows: 0 }])
})

test('the sum counts faults and orders, spreads times by kind, and names each problem with its run', () => {
  const bad = {
    ...RUN,
    seed: 4,
    armedMs: { kill: [6_500], freeze: [9_000] },
    pauseMs: [1_000, 2_500],
    answers: { 'POST /api/login: BUSY': 1 },
    problems: ['two orders'],
  }
  expect(sumOf([RUN, bad])).toEqual([
    '2 runs, 20 faults, 200 orders, 160 fills, 10 cancelled, 1 problems',
    'pauses of an account: 2 ×, median 1.0 s, p99 2.5 s, longest 2.5 s',
    'answers to people: 7 OK, 1 BUSY',
    '2000 messages of the bus and 1000 rows of the database searched for secrets',
    'armed after freeze: 1 ×, median 9.0 s, p99 9.0 s, longest 9.0 s',
    'armed after kill: 3 ×, median 4.0 s, p99 6.5 s, longest 6.5 s',
    'PROBLEM alone 4: two orders',
  ])
})

test('of a hundred the p99 is the last but one', () => {
  const values = Array.from({ length: 100 }, (_, n) => (n + 1) * 1_000)
  expect(spread(values)).toBe('100 ×, median 50.0 s, p99 99.0 s, longest 100.0 s')
})
