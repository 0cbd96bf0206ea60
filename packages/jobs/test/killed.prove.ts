import { expect, test } from 'vitest'
import { survivesKills } from './kills.ts'

test('killed eight times in the middle: each user has exactly one result, and nothing unsafe was done twice', async () => {
  expect(await survivesKills(8)).toBe('over, 0 problems')
}, 240_000)
