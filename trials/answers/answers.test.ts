import { beforeAll, describe, expect, test } from 'vitest'
import { ANSWERS, PLEASANT, TOGETHER } from './answers.ts'
import type { Fill } from './facts.ts'
import { chosen, questions, QUESTIONS } from './questions.ts'
import type { Row } from './row.ts'
import { Runs } from './run.ts'
import { faultsOf, tableOf } from './table.ts'

// All plans, answers and ways are `npm run prove -- answers`.
describe('the same days, whatever the broker answers', () => {
  const runs = new Runs()
  const answers = [PLEASANT, TOGETHER].flatMap((all) => all.filter(({ days }) => days === 'quiet').slice(0, 1))
  beforeAll(async () => {
    for (const answer of answers) await runs.run(answer)
  }, 300_000)

  test('with every second answer the same trades, to the won, and every question came up', () => {
    expect(runs.rows).toHaveLength(2)
    expect(runs.rows.flatMap((row) => faultsOf(row, runs.pleasantOf(row)))).toEqual([])
  })
})

test('every answer to what a replay asks is in one of the runs of `npm run prove -- answers`, and has one of its own', () => {
  for (const [name, { answers, days = 'quiet' }] of questions('telling')) {
    const tried = TOGETHER.filter((one) => one.days === days).map(({ assumptions }) => assumptions[name])
    const all = new Set<unknown>([chosen('telling', 0)[name], ...tried])
    expect([name, ...answers.filter((answer) => !all.has(answer))]).toEqual([name])
  }
  expect(ANSWERS.length).toBeGreaterThan(20)
})

test('what no replay asks says where it is tried', () => {
  for (const { changes, triedIn } of Object.values(QUESTIONS))
    expect(triedIn === undefined).toBe(changes !== 'unasked' && changes !== 'line')
})

const fill = (code: string, at: number): Fill => ({ code, at, key: `20261118 ${code} buy ${at} 1` })
const FILLS = [fill('005930', 10), fill('000660', 20)]
const good: Row = {
  answer: { name: 'one', days: 'quiet', changes: 'telling' },
  trades: 7,
  hashes: new Map([
    ['005930', 'aa'],
    ['000660', 'bb'],
  ]),
  fills: FILLS,
  facts: [],
  asked: new Map([['rowsTwice', 3]]),
  stopped: [],
  forOwner: [],
  missing: [],
  problems: [],
}
const market = { ...good.answer, changes: 'market' as const }
const without = FILLS.slice(1)
const unexplained = '20261118 005930 buy 10 1 at 1970-01-01 09:00: no fact of the exchange'

test.each<[string, Partial<Row>, string]>([
  ['a difference of the books', { problems: ['cash differs'] }, 'cash differs'],
  ['a stock that stands still', { stopped: ['005930: 증권사가 거절'] }, 'stopped: 005930: 증권사가 거절'],
  ['a sell that does not rest', { missing: ['20260108 005930: 3 of 9'] }, 'no order rests: 20260108 005930: 3 of 9'],
  [
    'a question that never came up',
    { asked: new Map([['rowsTwice', 0]]) },
    'rowsTwice was never asked: this run proves nothing',
  ],
  [
    'that the book tells another story',
    { hashes: new Map([...good.hashes, ['005930', 'AA']]) },
    'other trades of 005930',
  ],
  ['a trade that is gone for no reason', { answer: market, fills: without }, unexplained],
  [
    'a trade that is gone before its reason',
    { answer: market, fills: without, facts: [{ code: '005930', at: 11, what: 'halted' }] },
    unexplained,
  ],
  [
    'a trade that is gone for a reason of another stock',
    { answer: market, fills: without, facts: [{ code: '000660', at: 1, what: 'halted' }] },
    unexplained,
  ],
])('%s is a fault, and in the table', (_name, change, fault) => {
  const row = { ...good, ...change }
  expect(faultsOf(row, good)).toEqual([fault])
  expect(tableOf([good, row], () => good)).toContain(fault)
})

test.each([
  ['of its stock', '005930'],
  ['of the whole market', null],
])('a trade that is gone after a fact %s is none, and the table names the fact', (_name, code) => {
  const row: Row = { ...good, answer: market, fills: without, facts: [{ code, at: 9, what: 'halted' }] }
  expect(faultsOf(row, good)).toEqual([])
  expect(tableOf([good, row], () => good)).toContain('005930: halted 1970-01-01 09:00')
})

test('one trade of two that look the same is missed', () => {
  const twice = { ...good, fills: [...FILLS, fill('005930', 10)] }
  expect(faultsOf({ ...good, answer: market }, twice)).toEqual([unexplained])
})

test('that the book learned of it later is none where the market differs', () => {
  expect(faultsOf({ ...good, answer: market, hashes: new Map() }, good)).toEqual([])
})
