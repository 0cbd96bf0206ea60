import { beforeAll, describe, expect, test } from 'vitest'
import { ANSWERS, PLEASANT, QUESTIONS, TOGETHER } from './answers.ts'
import { PLAN } from './market.ts'
import { faultsOf, rowOf, tableOf, type Row } from './row.ts'

// Each answer to each question in some run; one question after the other takes minutes and is `npm run answers`.
describe('the same days, whatever the broker answers', () => {
  let pleasant: Row
  let rows: readonly Row[] = []
  beforeAll(async () => {
    pleasant = await rowOf(PLEASANT, PLAN)
    rows = await Promise.all(TOGETHER.map((answer) => rowOf(answer, PLAN)))
  }, 300_000)

  test('with pleasant answers everything trades', () => {
    expect(faultsOf(pleasant, pleasant)).toEqual([])
    expect(pleasant.trades).toBeGreaterThan(50)
  })

  test('with every other answer the same, to the won', () => {
    expect(rows.flatMap((row) => faultsOf(row, pleasant))).toEqual([])
  })

  test('every answer is in one of the runs', () => {
    for (const [name, { changes, answers }] of Object.entries(QUESTIONS)) {
      if (changes !== 'telling') continue
      const tried = new Set(
        [PLEASANT, ...TOGETHER].map(
          ({ assumptions }) => Object.entries(assumptions).find(([key]) => key === name)?.[1],
        ),
      )
      expect([name, ...answers.filter((answer) => !tried.has(answer))]).toEqual([name])
    }
    expect(ANSWERS.length).toBeGreaterThan(20)
  })
})

const fillsOf = (hash: string) => ({ exact: hash, timeless: hash.toLowerCase() })
const good: Row = {
  name: 'one',
  changes: 'telling',
  trades: 7,
  fills: new Map([
    ['005930', fillsOf('aa')],
    ['000660', fillsOf('bb')],
  ]),
  befallen: new Set(),
  stopped: [],
  missing: [],
  problems: [],
}
const other = new Map([...good.fills, ['005930', fillsOf('cc')]])
/** The same shares and prices, learned of at another time. */
const later = new Map([...good.fills, ['005930', fillsOf('AA')]])

test.each<[string, Partial<Row>, string]>([
  ['a difference of the books', { problems: ['cash differs'] }, 'cash differs'],
  ['a stock that stands still', { stopped: ['005930: 증권사가 거절'] }, 'stopped: 005930: 증권사가 거절'],
  ['a sell that does not rest', { missing: ['20260108 005930: 3 of 9'] }, 'no order rests: 20260108 005930: 3 of 9'],
  ['other trades', { fills: other }, 'other trades of 005930, and nothing befell it'],
  [
    'other trades than those of the stock that something befell',
    { fills: other, changes: 'market', befallen: new Set(['000660']) },
    'other trades of 005930, and nothing befell it',
  ],
])('%s is a fault, and in the table', (_name, change, fault) => {
  const row = { ...good, ...change }
  expect(faultsOf(row, good)).toEqual([fault])
  expect(tableOf([good, row], good)).toContain(fault)
})

test('what the exchange itself explains is no fault', () => {
  const row: Row = { ...good, fills: other, changes: 'market', befallen: new Set(['005930']) }
  expect(faultsOf(row, good)).toEqual([])
})

test('that something was learned later is a fault where only the telling differs, and none where the market does', () => {
  expect(faultsOf({ ...good, fills: later }, good)).toEqual(['other trades of 005930, and nothing befell it'])
  expect(faultsOf({ ...good, fills: later, changes: 'market' }, good)).toEqual([])
})
