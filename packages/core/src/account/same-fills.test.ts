import { expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../test/desk.ts'
import type { Execution } from './types.ts'
import { sameFills } from './same-fills.ts'

const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
const row = (over: Partial<Execution> = {}): Execution => desk.row(1, over)
const list = (...executions: Execution[]) => ({ from: DAY, executions })
const OTHER = { code: '000660', odno: '0000000009' }

test.each([
  ['the same list', list(row()), list(row()), true],
  ['a fill', list(row()), list(row({ filledCount: 1 })), false],
  ['an order more', list(row()), list(row(), row(OTHER)), false],
  ['another order', list(row()), list(row({ odno: '0000000009' })), false],
])('%s', (_name, one, other, expected) => {
  expect([sameFills(one, other, null), sameFills(other, one, null)]).toEqual([expected, expected])
})

test('of one stock the fills of others do not count', () => {
  const [one, other] = [list(row(), row(OTHER)), list(row(), row({ ...OTHER, filledCount: 1 }))]
  expect([sameFills(one, other, CODE), sameFills(one, other, OTHER.code)]).toEqual([true, false])
})

test('days that only one list shows do not count', () => {
  const older = { from: '20261101', executions: [row({ day: '20261102', odno: '0000000005' }), row()] }
  expect(sameFills(older, list(row()), null)).toBe(true)
})
