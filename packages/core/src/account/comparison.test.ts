import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { comparisonOf } from './comparison.ts'

test('a book is compared once a reading has the balance, and not any more when the key is gone', () => {
  const desk = new Desk()
  expect(comparisonOf(desk.account)).toEqual({ at: desk.now - 2_000, differing: [] })
  desk.do({ kind: 'authorised', authorised: false })
  expect(comparisonOf(desk.account)).toEqual({ at: null, differing: [] })
})

test('a difference counts from the first look at it on, once, and no more when it is gone', () => {
  const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 2, 70_000]).quote(70_000)
  desk.wait(60_000).read([], [[1, 70_000]])
  expect([comparisonOf(desk.account).differing, desk.stock.blocked]).toEqual([[CODE], null])
  desk.wait(60_000).read([], [[1, 70_000]])
  expect([comparisonOf(desk.account).differing, desk.stock.blocked?.code]).toEqual([[CODE], 'mismatch'])
  desk.wait(60_000).read([], [[2, 70_000]])
  expect(comparisonOf(desk.account).differing).toEqual([])
})
