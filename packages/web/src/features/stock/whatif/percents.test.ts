import { settingsProblems } from '@digger/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newStock } from '../draft.ts'
import { MAP_SIZES, mapCentre, mapSizes, nearest, sliderSizes } from './percents.ts'

const sizes = fc.integer({ min: 1, max: 9_000 }).map((hundredths) => hundredths / 100)
const isRising = (all: readonly number[]) => all.every((size, at) => at === 0 || size > (all[at - 1] ?? 0))

describe('sizes of a step', () => {
  test('a slider is finer where small, and has what is set now between its own', () => {
    const all = sliderSizes([0.37, 1.2, 1.2])
    expect(all.slice(0, 4)).toEqual([0.01, 0.02, 0.03, 0.04])
    expect(all[nearest(all, 0.37) - 1]).toBe(0.35)
    expect(all[nearest(all, 0.37)]).toBe(0.37)
    expect(all.filter((size) => size === 1.2)).toHaveLength(1)
    expect(all.at(-1)).toBe(50)
    // Fewer than a phone has pixels for, so that each is reached by a finger.
    expect(all.length).toBeLessThan(160)
  })
  test('a step that is not one, as zero, is no place of a slider', () => {
    expect(sliderSizes([0, -1])).toEqual(sliderSizes([]))
  })
  test('a map has at least twenty different sizes on each axis, the present one among them, whatever it is', () => {
    fc.assert(
      fc.property(sizes, (present) => {
        const all = mapSizes(present)
        expect(all).toHaveLength(MAP_SIZES)
        expect(all).toContain(present)
        expect(isRising(all)).toBe(true)
        expect(all[0]).toBeGreaterThanOrEqual(0.01)
        // What is filled into the form can be saved.
        const worst = { ...newStock('u1', '005930'), buyPercent: -(all.at(-1) ?? 0), sellPercent: all.at(-1) ?? 0 }
        expect(settingsProblems(worst)).toEqual([])
      }),
    )
    expect(MAP_SIZES).toBeGreaterThanOrEqual(20)
  })
  test.each([
    ['in the middle where there is room', 1.2, 10, [0.3, 4.8]],
    ['at the edge where there is none', 0.01, 0, [0.01, 0.21]],
    ['up to where a step is nearly everything', 60, 10, [15, 90]],
  ])('the present size stands %s', (_where, present, at, ends) => {
    const all = mapSizes(present)
    expect(all.indexOf(present)).toBe(at)
    expect([all[0], all.at(-1)]).toEqual(ends)
  })
  test.each([
    ['the same', 1.2, 1.2, 1.2],
    ['at the edge of the map', 1.2, 4.8, 1.2],
    ['beyond it', 1.2, 4.9, 4.8],
    ['far beyond it', 1.2, 40, 76.8],
    ['far below it', 1.2, 0.08, 0.08],
    ['none', 0, 1, 0.64],
  ])('a map is made around what is saved until what is tried lies outside: %s', (_what, saved, tried, centre) => {
    expect(mapCentre(saved, tried)).toBe(centre)
  })
  test('whatever is tried lies on the map', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 5_000 }), (saved, hundredths) => {
        const tried = hundredths / 100
        const all = mapSizes(mapCentre(saved, tried))
        // To a step of the map: its ends are rounded to two decimals, and it never goes beyond nearly everything.
        expect(tried).toBeGreaterThanOrEqual((all[0] ?? 0) * 0.8 - 0.02)
        expect(tried).toBeLessThanOrEqual((all.at(-1) ?? 0) * 1.25 + 0.02)
      }),
    )
  })
})
