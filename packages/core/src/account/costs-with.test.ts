import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { heldLot } from '../../test/desk.ts'
import { heldAmount } from './expected-shares.ts'
import { costsWith } from './give-up-expected.ts'
import type { HeldLot } from './types.ts'

const lotsOf = (parts: readonly (readonly [count: number, amount: number])[]): HeldLot[] =>
  parts.map(([count, buyAmount], at) => ({ ...heldLot(at + 1, count, 0), buyAmount }))
const amounts = (parts: [number, number][], amount: number) =>
  costsWith(lotsOf(parts), amount).map(({ buyAmount }) => buyAmount)

describe('what was kept goes over the lots', () => {
  test.each<[string, [number, number][], number, number[]]>([
    [
      'by cost',
      [
        [1, 100],
        [1, 300],
      ],
      40,
      [110, 330],
    ],
    [
      'the rounding to the last',
      [
        [1, 100],
        [1, 100],
        [1, 100],
      ],
      100,
      [133, 133, 134],
    ],
    [
      'where none cost anything, by shares',
      [
        [3, 0],
        [1, 0],
      ],
      100,
      [75, 25],
    ],
    [
      'nothing to one that cost nothing',
      [
        [1, 100],
        [5, 0],
      ],
      7,
      [107, 0],
    ],
    ['no lots', [], 7, []],
  ])('%s', (_how, parts, amount, after) => expect(amounts(parts, amount)).toEqual(after))

  test('to the won, and no lot costs less than before', () => {
    const part = fc.tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 0, max: 1_000_000_000_000 }))
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 0, max: 1e12 }),
        (parts, amount) => {
          const lots = lotsOf(parts)
          const after = costsWith(lots, amount)
          const sum = after.reduce((all, { buyAmount }) => all + buyAmount, 0)
          expect(sum).toBe(heldAmount({ lots, expected: { count: 1, amount } }))
          for (const [at, { id, buyAmount, buyPrice }] of after.entries()) {
            const lot = lots[at]!
            expect(id).toBe(lot.id)
            expect(buyAmount).toBeGreaterThanOrEqual(lot.buyAmount)
            expect(buyPrice).toBe(Math.ceil(buyAmount / lot.count))
          }
        },
      ),
    )
  })
})
