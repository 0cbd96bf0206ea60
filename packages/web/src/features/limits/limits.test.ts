import type { Limit } from '@digger/contract'
import { expect, test } from 'vitest'
import { isLooserText, LIMIT_GROUPS, LIMIT_TEXTS, usedOf, withoutField, wrongLimit } from './limitTexts.ts'

const limit = (change: Partial<Limit>): Limit => ({
  name: 'positionAmount',
  value: 1_000_000,
  ceiling: null,
  used: 800_000,
  pending: null,
  ...change,
})

test.each([
  [limit({}), '800,000원 / 1,000,000원'],
  [limit({ value: null }), '800,000원 / 한도 없음'],
  [limit({ used: null }), '1,000,000원'],
  [limit({ name: 'sellCollarPercent', value: 10, used: null }), '10%'],
  [limit({ name: 'unknownPerHour', value: 0, used: 0 }), '0건 / 0건'],
])('%j reads %s', (shown, text) => expect(usedOf(shown)).toBe(text))

test.each([
  ['', null],
  ['1,000', null],
  ['0', null],
  ['1.5', '정수'],
  ['-1', '정수'],
  ['다섯', '정수'],
])('‘%s’ is wrong: %s', (text, message) => expect(wrongLimit('positionAmount', text) ?? '').toMatch(message ?? /^$/))

test.each([
  [1_000, '999', false],
  [1_000, '1,000', false],
  [1_000, '1,001', true],
  [1_000, '', true],
  [null, '5', false],
  [null, '', false],
])('%j in force, ‘%s’ typed: looser %s', (value, text, looser) => expect(isLooserText(value, text)).toBe(looser))

test('a refusal is shown without the name of its field', () =>
  expect(withoutField('positionAmount: 1원부터')).toBe('1원부터'))

test('every limit is in one group', () => {
  const names = LIMIT_GROUPS.flatMap((group) => group.names)
  expect(names.toSorted()).toEqual(Object.keys(LIMIT_TEXTS).toSorted())
})
