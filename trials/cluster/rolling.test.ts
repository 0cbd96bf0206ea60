import { expect, test } from 'vitest'
import { tooLong } from './rolling.ts'

const pauses = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms)

test('one pause in a hundred may be long, two may not', () => {
  expect(tooLong([...pauses(99, 3_000), 20_000], 30)).toEqual([])
  expect(tooLong([...pauses(98, 3_000), 6_000, 20_000], 30)).toEqual([
    'pauses of an account: p99 6000 ms, at most 5000 are allowed',
  ])
})

test('accounts that nobody saw move prove nothing', () => {
  expect(tooLong(pauses(29, 1_000), 30)).toEqual(['only 29 pauses of 30 accounts: this proves nothing'])
})
