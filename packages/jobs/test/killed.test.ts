import { expect, test } from 'vitest'
import { survivesKills } from './kills.ts'

test('killed twice in the middle: each user has exactly one result, and nothing unsafe was done twice', async () => {
  expect(await survivesKills(2)).toBe('over, 0 problems')
}, 240_000)
