import { expect, test } from 'vitest'
import { lookAgain } from './look-again.ts'

test.each([
  ['nothing to find', [[]], [], 1],
  ['under way at the first look', [['a card'], []], [], 2],
  ['under way at two', [['a card'], ['another'], []], [], 3],
  ['there at every look', [['a card'], ['a card'], ['a card']], ['a card'], 3],
])('%s', async (_name, found, last, looks) => {
  let count = 0
  expect(await lookAgain(1, async () => found[count++] ?? ['looked too often'])).toEqual(last)
  expect(count).toBe(looks)
})
