import { NotOfferedError, ProtocolError, UnreachableError } from '@digger/kis'
import { expect, test } from 'vitest'
import { pauseAfter, restAfter } from './failures.ts'

test('after failures in a row everything rests ever longer, five minutes at most', () => {
  expect([1, 2, 3, 4, 5, 60].map(restAfter)).toEqual([60_000, 120_000, 240_000, 300_000, 300_000, 300_000])
})

test.each([
  [new NotOfferedError('x'), 24 * 60, '모의투자'],
  [new ProtocolError('x'), 60, '1시간 뒤'],
  [new UnreachableError('x'), 10, '10분 뒤'],
])('%s: the series waits, and says for how long', (error, minutes, text) => {
  expect(pauseAfter(error)).toEqual({ note: expect.stringContaining(text), ms: minutes * 60_000 })
})
