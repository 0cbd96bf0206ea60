import { expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../test/desk.ts'
import type { Execution } from './types.ts'
import { movedStocks } from './moved-stocks.ts'

const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
const row = (over: Partial<Execution> = {}): Execution => desk.row(1, over)
const list = (...executions: Execution[]) => ({ from: DAY, executions })
const OTHER = { code: '000660', odno: '0000000009' }

test.each([
  ['the same list', list(row()), list(row()), []],
  ['a fill', list(row()), list(row({ filledCount: 1 })), [CODE]],
  ['an order more, of another stock', list(row()), list(row(), row(OTHER)), [OTHER.code]],
  ['another order', list(row()), list(row({ odno: '0000000009' })), [CODE]],
  ['a fill of one of two', list(row(), row(OTHER)), list(row(), row({ ...OTHER, filledCount: 1 })), [OTHER.code]],
  [
    'fills of both',
    list(row(), row(OTHER)),
    list(row({ filledCount: 1 }), row({ ...OTHER, filledCount: 1 })),
    [CODE, OTHER.code],
  ],
  ['an order of one stock between those of another', list(row()), list(row(OTHER), row()), [OTHER.code]],
])('%s', (_name, one, other, expected) => {
  expect([movedStocks(one, other).sort(), movedStocks(other, one).sort()]).toEqual([
    expected.toSorted(),
    expected.toSorted(),
  ])
})

test('days that only one list shows do not count', () => {
  const older = { from: '20261101', executions: [row({ day: '20261102', odno: '0000000005' }), row()] }
  expect(movedStocks(older, list(row()))).toEqual([])
})
