import type { MapCell } from '@digger/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bestText } from './figures.ts'
import { afterMapKey, bestPlace, largestOf, neighboursShare, SHADES, shadeOf, shadePaths } from './mapCells.ts'

const cell = (low: number, high = low): MapCell => ({
  buyPercent: -1,
  sellPercent: 1.2,
  total: [low, high],
  mostIn: [100_000, 100_000],
})
const cellsOf = (totals: readonly (readonly number[])[]) => totals.map((line) => line.map((total) => cell(total)))
/** One lucky cell among poor ones, and a good region. */
const LUCKY = cellsOf([
  [10, 10, 10],
  [10, 1_000, 10],
  [10, 10, 10],
])

describe('the map', () => {
  test('the best cell is judged by the unkind way', () => {
    expect(bestPlace([[cell(100, 900), cell(200, 201)]])).toEqual({ row: 0, column: 1 })
    expect(bestPlace([])).toBeNull()
  })
  test.each([
    ['a lucky cell', LUCKY, { row: 1, column: 1 }, 1],
    [
      'one among its like',
      cellsOf([
        [90, 90, 90],
        [90, 100, 90],
      ]),
      { row: 1, column: 1 },
      90,
    ],
    [
      'in a corner',
      cellsOf([
        [100, 50],
        [50, 50],
      ]),
      { row: 0, column: 0 },
      50,
    ],
    ['alone', cellsOf([[100]]), { row: 0, column: 0 }, null],
    ['without a gain', cellsOf([[-5, -10]]), { row: 0, column: 0 }, null],
    ['beside losses', cellsOf([[100, -50]]), { row: 0, column: 0 }, -50],
  ])('how much of its gain the neighbours have: %s', (_what, cells, place, share) => {
    expect(neighboursShare(cells, place)).toBe(share)
  })
  test.each([
    [500, 90, /이웃 칸들도 그 이익의 90%를 냈습니다/],
    [500, 30, /30%에 그쳤습니다\. 우연히 맞은 값일 수 있습니다/],
    [0, null, /어느 칸도 이익이 없었습니다/],
    [-500, null, /가장 덜 잃은 칸은 매수 −1%, 매도 \+1\.2%/],
  ])('a best cell with %i won is told with what speaks against it', (total, share, says) => {
    expect(bestText(cell(total), share)).toMatch(says)
  })
  test('for any gains: losses and gains never share a shade, and only nothing has none', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1 }), (totals) => {
        const cells = cellsOf([totals])
        const largest = largestOf(cells)
        for (const one of cells[0] ?? []) {
          const shade = shadeOf(one, largest)
          expect(Math.sign(shade)).toBe(Math.sign(one.total[0]))
          expect(Math.abs(shade)).toBeLessThanOrEqual(SHADES)
        }
        // As many boxes as cells, in few paths.
        const paths = [...shadePaths(cells, { width: 10, height: 10 }).values()]
        expect(paths.join('').split('M')).toHaveLength(totals.length + 1)
        expect(paths.length).toBeLessThanOrEqual(2 * SHADES + 1)
      }),
    )
  })
  test.each([
    ['ArrowUp', { row: 0, column: 5 }],
    ['ArrowDown', { row: 1, column: 5 }],
    ['ArrowLeft', { row: 0, column: 4 }],
    ['ArrowRight', { row: 0, column: 6 }],
    ['Home', { row: 0, column: 0 }],
    ['End', { row: 0, column: 20 }],
    ['PageDown', { row: 20, column: 5 }],
    ['PageUp', { row: 0, column: 5 }],
    ['Tab', null],
  ])('%s leads to a cell of the map, or nowhere', (key, place) => {
    expect(afterMapKey(key, { row: 0, column: 5 }, 21, 21)).toEqual(place)
  })
  test('arrows end at the edges', () => {
    expect(afterMapKey('ArrowRight', { row: 20, column: 20 }, 21, 21)).toEqual({ row: 20, column: 20 })
    expect(afterMapKey('ArrowDown', { row: 20, column: 20 }, 21, 21)).toEqual({ row: 20, column: 20 })
  })
})
