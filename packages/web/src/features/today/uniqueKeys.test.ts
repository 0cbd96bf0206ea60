import { expect, test } from 'vitest'
import { uniqueKeys } from './uniqueKeys.ts'

test('lines that are alike have keys of their own, and those that are not keep theirs', () => {
  expect(uniqueKeys([])).toEqual([])
  const keys = uniqueKeys(['A 100', 'B 100', 'A 100', 'A 100'])
  expect(new Set(keys).size).toBe(4)
  expect(keys.slice(0, 2)).toEqual(['A 100', 'B 100'])
  // One more at the end moves no other line.
  expect(uniqueKeys(['A 100', 'B 100', 'A 100', 'A 100', 'B 100']).slice(0, 4)).toEqual(keys)
})
