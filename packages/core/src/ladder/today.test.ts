import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { knownSum, openGainToday } from './today.ts'

const held = (count: number, before: number, boughtAmount = 0) => ({ count, before, boughtAmount })
const at = (price: number | null, base: number | null, isFrozen = false) => ({ price, base, isFrozen })

test.each<[string, Parameters<typeof openGainToday>, number | null]>([
  ['nothing held', [held(0, 0), at(null, null)], 0],
  ['held since before: against the base', [held(10, 10), at(71_000, 70_000)], 10_000],
  ['below the base', [held(10, 10), at(69_500, 70_000)], -5_000],
  ['bought today: against what it cost', [held(3, 0, 213_000), at(70_500, 69_000)], -1_500],
  ['both', [held(5, 2, 213_000), at(72_000, 70_000)], 2 * 2_000 + 3 * 1_000],
  ['no price', [held(1, 1), at(null, 70_000)], null],
  ['no base', [held(1, 1), at(70_000, null)], null],
  ['no base, but all was bought today', [held(3, 0, 213_000), at(72_000, null)], 3_000],
  ['another share than the one held', [held(10, 10), at(35_000, 35_000, true)], null],
  ['the same, all bought today', [held(2, 0, 70_000), at(36_000, 35_000, true)], 2_000],
])('%s', (_, [shares, prices], gain) => {
  expect(openGainToday(shares, prices)).toBe(gain)
})

test('a won more in the price is a won more for each share held, whenever it was bought', () => {
  const amount = fc.integer({ min: 1, max: 2_000_000 })
  fc.assert(
    fc.property(fc.nat(500), fc.nat(500), amount, amount, (before, bought, price, base) => {
      const shares = held(before + bought, before, bought * base)
      const gain = (won: number): number => openGainToday(shares, at(won, base)) ?? Number.NaN
      expect(gain(price + 1) - gain(price)).toBe(before + bought)
      expect(gain(base)).toBe(0)
    }),
  )
})

test.each([
  [[], 0],
  [[1, -2, 3], 2],
  [[1, null, 3], null],
])('the sum of %j is %s', (amounts, sum) => {
  expect(knownSum(amounts)).toBe(sum)
})
