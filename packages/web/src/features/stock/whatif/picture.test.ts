import { barsOf } from '@digger/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bandPath, gainPlot, markPaths, pictureLayout, PLACE_WIDTH, placesIn, pricePaths } from './picture.ts'
import { bandOf, Counts, frameOf, placesOf } from './places.ts'
import { placeText } from './placeTexts.ts'
import type { Frame, Traded } from './protocol.ts'

const days = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => {
    const day = new Date(Date.UTC(2020, 0, 1 + at)).toISOString()
    return day.slice(0, 10).replaceAll('-', '')
  })
const bars = (prices: readonly number[]) =>
  barsOf(
    {
      days: days(prices.length),
      open: prices,
      high: prices.map((price) => price + 100),
      low: prices.map((price) => price - 100),
      close: prices,
    },
    { kind: 'stock', market: 'KOSPI' },
  )
const numbers = (path: string): number[] => [...path.matchAll(/-?\d+(?:\.\d+)?/g)].map(([text]) => Number(text))

describe('places of a chart', () => {
  test('bars are shared out evenly: in order, no place empty, as many as there is room for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 0, max: 400 }), (count, room) => {
        const { count: places, of } = placesOf(count, room)
        expect(places).toBe(Math.min(Math.max(room, 1), count))
        expect(new Set(of).size).toBe(places)
        expect(of.every((place, bar) => bar === 0 || place - (of[bar - 1] ?? 0) <= 1)).toBe(true)
        const sizes = Array.from({ length: places }, (_, at) => of.filter((place) => place === at).length)
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
      }),
      { numRuns: 30 },
    )
  })
  test('a place has the lowest, the highest and the last price of its bars, and the time of the first', () => {
    const frame = frameOf(bars([10_000, 12_000, 9_000, 11_000]), (bar) => `day ${bar}`, 2)
    expect([...frame.low]).toEqual([9_900, 8_900])
    expect([...frame.high]).toEqual([12_100, 11_100])
    expect([...frame.close]).toEqual([12_000, 11_000])
    expect(frame.times).toEqual(['day 0', 'day 2'])
    expect([frame.bars, frame.days]).toEqual([4, 4])
  })
  test('thousands of trades are counted by place, and none is lost', () => {
    const { count, of } = placesOf(2_500, 90)
    const counts = new Counts(of, count)
    for (let n = 0; n < 5_000; n += 1) counts.bought((n * 7) % 2_500)
    for (let n = 0; n < 777; n += 1) counts.sold(n)
    expect(counts.buys.reduce((sum, one) => sum + one, 0)).toBe(5_000)
    expect(counts.sells.reduce((sum, one) => sum + one, 0)).toBe(777)
  })
  test('the band goes from the worse to the better of both ways, at the last bar of each place', () => {
    const band = bandOf(Int32Array.of(0, 0, 1), 2, Float64Array.of(1, 5, -2), Float64Array.of(3, 4, 7))
    expect([...band.worse]).toEqual([4, -2])
    expect([...band.better]).toEqual([5, 7])
  })
})

const frame: Frame = {
  times: ['20260102', '20260105', '20260106'],
  low: Float64Array.of(900, 950, 1_000),
  high: Float64Array.of(1_000, 1_050, 1_100),
  close: Float64Array.of(950, 1_000, 1_050),
  bars: 3,
  days: 3,
}
const traded: Traded = {
  buys: Uint32Array.of(1, 0, 4_000),
  sells: Uint32Array.of(0, 2, 0),
  worse: Float64Array.of(0, -500, 1_000),
  better: Float64Array.of(0, 250, 1_000),
}

describe('the picture', () => {
  test('has fewer places than pixels, none where there is no width', () => {
    expect(placesIn(0)).toBe(0)
    expect(placesIn(318) * PLACE_WIDTH).toBeLessThanOrEqual(318 - 72)
  })
  test('has one mark for a place and side, however many trades it stands for', () => {
    const { bought, sold } = markPaths(frame, traded, pictureLayout(frame, 318))
    expect(bought.split('M')).toHaveLength(3)
    expect(sold.split('M')).toHaveLength(2)
    // Bought points up from below the low, sold down from above the high.
    expect(bought).toMatch(/^M41 [\d.]+l-3 5h6z/)
    expect(sold).toMatch(/l-3 -7h6z$/)
    expect(bought).toMatch(/l-3 11h6z$/)
  })
  test('draws everything between its edges', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e10, max: 1e10 }), { minLength: 1, maxLength: 60 }), (gains) => {
        const band = {
          ...traded,
          worse: Float64Array.from(gains),
          better: Float64Array.from(gains, (gain) => gain + 5_000),
        }
        const { scale, values } = gainPlot(band)
        const path = numbers(bandPath(band, 4, scale))
        const heights = path.filter((_, at) => at % 2 === 1)
        expect(Math.min(...heights)).toBeGreaterThanOrEqual(scale.top - 0.1)
        expect(Math.max(...heights)).toBeLessThanOrEqual(scale.bottom + 0.1)
        // Where nothing was gained is always in sight.
        expect(scale.low).toBeLessThanOrEqual(0)
        expect(scale.high).toBeGreaterThanOrEqual(0)
        expect(values.length).toBeLessThanOrEqual(4)
      }),
    )
    expect(
      bandPath({ ...traded, worse: new Float64Array(), better: new Float64Array() }, 4, gainPlot(traded).scale),
    ).toBe('')
  })
  test('prices are a band with a line through it; times have room', () => {
    const layout = pictureLayout(frame, 318)
    const { band, line } = pricePaths(frame, layout)
    expect(line).toMatch(/^M41 [\d.]+L123 [\d.]+L205 [\d.]+$/)
    expect(band.endsWith('z')).toBe(true)
    expect(layout.times.every(({ x }, at, all) => at === 0 || x - (all[at - 1]?.x ?? 0) >= 70)).toBe(true)
  })
  test('a place says when, the price, what was done and what was gained by then', () => {
    expect(placeText(frame, traded, 1)).toBe('2026-01-05부터 · 종가 1,000 · 판 것 2번 · 합계 −500원 ~ +250원')
    expect(placeText({ ...frame, times: ['20260102090100'] }, traded, 0)).toBe(
      '01-02 09:01부터 · 종가 950 · 산 것 1번 · 합계 0원',
    )
  })
})
