import { describe, expect, test } from 'vitest'
import { parseInt8 } from './parsers.ts'

describe.each([['9007199254740991'], ['-9007199254740991'], ['0']])('won %s', (text) => {
  test('comes as a number', () => expect(parseInt8(text)).toBe(Number(text)))
})
test.each([['9007199254740992'], ['-9223372036854775808']])('won %s beyond 2^53 is refused, not rounded', (text) => {
  expect(() => parseInt8(text)).toThrow(/2\^53/)
})
