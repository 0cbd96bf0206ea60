import { expect, test } from 'vitest'
import { DAY, Desk } from '../../test/desk.ts'
import { decideAgain, inputOf, inputText, recording } from './input.ts'

const HALF_A_DAY_MS = 12 * 3_600_000

test('no day begins by a clock that nobody has held against the broker’s, and it does as soon as somebody has', () => {
  const desk = new Desk()
  desk.isTimeUnknown = true
  desk.now += HALF_A_DAY_MS * 2
  desk.do({ kind: 'timer' })
  expect([desk.account.book.day, desk.facts]).toEqual([DAY, []])
  desk.isTimeUnknown = false
  desk.do({ kind: 'timer' })
  expect(desk.account.book.day).toBe('20261117')
})

test('a decision of such a time is the same when it is made again', () => {
  const desk = new Desk()
  desk.isTimeUnknown = true
  desk.now += HALF_A_DAY_MS * 2
  const { context, quotes } = recording(desk.ctx)
  const stored = inputText(desk.account, { kind: 'timer' }, context, quotes, 1)
  expect(decideAgain(desk.account.book, inputOf(JSON.parse(stored))).facts).toEqual([])
})
