import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isExactPercent, movedDown, movedUp } from './percent.ts'

test.each([
  ['−1 %', 70_000, -1, 69_300, 69_300],
  ['−0.01 % of 70,000 is 7 won', 70_000, -0.01, 69_993, 69_993],
  ['−0.01 % of 69,993 is a fraction', 69_993, -0.01, 69_986, 69_987],
  ['1.2 %', 69_300, 1.2, 70_131, 70_132],
  ['1.2 %, even', 70_000, 1.2, 70_840, 70_840],
  ['floats say 32,999.999…', 30_000, 10, 33_000, 33_000],
  ['floats say 1.0999999…', 1, 10, 1, 2],
  ['−99 %', 1_000, -99, 10, 10],
  ['×11', 1_234_567, 1000, 13_580_237, 13_580_237],
  ['a trillion won, exactly', 1_000_000_000_000, 1.2, 1_012_000_000_000, 1_012_000_000_000],
  ['the finest step there is', 1_000_000, 0.0001, 1_000_001, 1_000_001],
])('%s: %i × %f %% → %i … %i', (_name, price, percent, down, up) => {
  expect([movedDown(price, percent), movedUp(price, percent)]).toEqual([down, up])
})

test('agrees with big integers for every price to a trillion won and every percent to four decimals', () => {
  const prices = fc.oneof(fc.integer({ min: 1, max: 2_000_000 }), fc.integer({ min: 1, max: 1_000_000_000_000 }))
  const tenThousandths = fc.integer({ min: -999_999, max: 10_000_000 })
  fc.assert(
    fc.property(prices, tenThousandths, (price, units) => {
      const product = BigInt(price) * BigInt(1_000_000 + units)
      const down = product / 1_000_000n
      expect(BigInt(movedDown(price, units / 10_000))).toBe(down)
      expect(BigInt(movedUp(price, units / 10_000))).toBe(down + (product % 1_000_000n === 0n ? 0n : 1n))
      expect(isExactPercent(units / 10_000)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test.each([0.00001, -1.23456, 1 / 3])('%f has too many decimals', (percent) =>
  expect(isExactPercent(percent)).toBe(false),
)
