import { expect, test } from 'vitest'
import { assertTimely, StaleCallError, TakenCalls } from './taken-calls.ts'

test('a change is begun once, for far longer than its call is good for', () => {
  const taken = new TakenCalls()
  taken.take('one', 0)
  for (const at of [0, 60_000, 120_000, 149_000]) expect(() => taken.take('one', at)).toThrow(StaleCallError)
  taken.take('two', 100_000)
  taken.take('one', 151_000)
  expect(() => taken.take('two', 151_000)).toThrow(/before/)
})

test('one whose outcome nobody knows may be asked again', () => {
  const taken = new TakenCalls()
  taken.take('one', 0)
  taken.forget('one')
  expect(() => taken.take('one', 1)).not.toThrow()
})

test('a flood makes nothing forgotten: what cannot be remembered is not begun, until there is room', () => {
  const taken = new TakenCalls(3)
  for (const id of ['one', 'two', 'three']) taken.take(id, 0)
  expect(() => taken.take('four', 1)).toThrow(/too many/)
  expect(() => taken.take('one', 2)).toThrow(/before/)
  taken.take('four', 150_000)
})

test.each([
  ['just asked', 1_040_000],
  ['by a clock that is a little ahead', 1_044_000],
  ['at the last moment', 1_000_000],
])('a call is begun: %s', (_, until) => {
  expect(() => assertTimely({ until }, 1_000_000)).not.toThrow()
})

test.each([
  ['too late', 999_999],
  ['of somebody who would wait longer than anybody does', 1_046_000],
])('a call is not begun: %s', (_, until) => {
  expect(() => assertTimely({ until }, 1_000_000)).toThrow(StaleCallError)
})
