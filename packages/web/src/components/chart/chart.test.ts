import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { candlePaths, markPaths, timeLabels, type Candle } from './candles.ts'
import { lotNear, nameWithin, priceLayout, type PriceTag } from './priceLayout.ts'
import { roundValues, yOf } from './scale.ts'
import { clampedLeft, linePath, seriesLayout } from './seriesLayout.ts'
import { freeValues, placeTags, spaced, TAG_DISTANCE, TAG_HEIGHT } from './tags.ts'
import { afterKey } from './usePlotGestures.ts'
import { clamped, firstOf, panned, showing, zoomed } from './view.ts'

const heights = fc.double({ min: -500, max: 2_000, noNaN: true })
const candle = (time: string, low: number, high: number): Candle => ({ time, open: low, close: high, low, high })
const days = Array.from({ length: 60 }, (_, at) => {
  const day = new Date(Date.UTC(2026, 8, 1 + at)).toISOString().slice(0, 10).replaceAll('-', '')
  return candle(day, 100_000 + at * 100, 101_000 + at * 150)
})

const tagOf = (name: string, price: number, dashed = false): PriceTag => ({
  name,
  short: name,
  price,
  tone: 'plain',
  dashed,
})
const layout = (tags: PriceTag[], width = 358) =>
  priceLayout({ candles: days, view: { span: 60, back: 0 }, tags, width, height: 300 })
const entries = (amounts: number[]) =>
  amounts.map((amount, at) => ({ key: String(at), name: `${at + 1}일`, long: '', amount }))
const y = (value: number) => value

describe('tags', () => {
  test('for any prices and any height: in the plot, in their order, never on each other', () => {
    fc.assert(
      fc.property(fc.array(heights, { maxLength: 12 }), fc.integer({ min: 0, max: 900 }), (wanted, height) => {
        const placed = placeTags(
          wanted.map((y) => ({ y })),
          8,
          8 + height,
        )
        const middles = placed.map(({ at }) => at)
        expect(middles.every((at) => at - TAG_HEIGHT / 2 >= 8 && at + TAG_HEIGHT / 2 <= 8 + height)).toBe(true)
        expect(middles.slice(1).every((at, index) => at - (middles[index] ?? 0) >= TAG_DISTANCE)).toBe(true)
        expect(placed.map(({ tag }) => tag.y)).toEqual(placed.map(({ tag }) => tag.y).toSorted((a, b) => a - b))
        // None is left out that has room.
        const room = height < TAG_HEIGHT ? 0 : Math.floor((height - TAG_HEIGHT) / TAG_DISTANCE) + 1
        expect(placed).toHaveLength(Math.min(wanted.length, room))
      }),
    )
  })
  test.each([
    ['far apart: where they point', [30, 100], [30, 100]],
    ['on each other: moved evenly to both sides', [100, 100], [88, 112]],
    ['at the edge: pushed in', [0, 5], [19, 43]],
    ['three, of which two are near', [100, 102, 200], [89, 113, 200]],
  ])('%s', (_name, wanted, middles) => {
    const placed = placeTags(
      wanted.map((y) => ({ y })),
      8,
      300,
    )
    expect(placed.map(({ at }) => at)).toEqual(middles)
  })
  test('a low plot keeps the most important', () => {
    const placed = placeTags(
      [
        { y: 40, name: 'now' },
        { y: 10, name: 'next' },
        { y: 20, name: 'average' },
      ],
      0,
      50,
    )
    expect(placed.map(({ tag }) => tag.name)).toEqual(['next', 'now'])
  })
  test('an axis value 18 px from a tag stays, one closer goes', () => {
    expect(freeValues([0, 17, 18, 35, 36, 60], y, [{ at: 18 }])).toEqual([0, 36, 60])
  })
  test('its name goes where there is no room for it: long, short, none', () => {
    const tag: PriceTag = { name: '다음 매수', short: '매수', price: 146_100, tone: 'buy' }
    expect([nameWithin(tag, 118), nameWithin(tag, 82), nameWithin(tag, 60)]).toEqual(['다음 매수', '매수', ''])
  })
})

describe('an axis', () => {
  test('has three to five round values inside, whatever it spans', () => {
    const spans = fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 12, max: 1e9 }))
    fc.assert(
      fc.property(spans, ([low, size]) => {
        const values = roundValues(low, low + size)
        expect(values.length).toBeGreaterThanOrEqual(3)
        expect(values.length).toBeLessThanOrEqual(5)
        expect(values.every((value) => Number.isInteger(value) && value >= low && value <= low + size)).toBe(true)
        expect(new Set(values.slice(1).map((value, at) => value - (values[at] ?? 0))).size).toBe(1)
      }),
    )
  })
  test.each([
    [138_000, 158_000, [140_000, 145_000, 150_000, 155_000]],
    [-30_000, 180_000, [0, 50_000, 100_000, 150_000]],
    [0, 1, [0, 1]],
  ])('%d to %d', (low, high, values) => expect(roundValues(low, high)).toEqual(values))
  test('labels below keep their distance from each other and from what is pointed at', () => {
    const labels = [0, 30, 60, 90, 120].map((x) => ({ x }))
    expect(spaced(labels, 60, null).map(({ x }) => x)).toEqual([0, 60, 120])
    expect(spaced(labels, 60, 100).map(({ x }) => x)).toEqual([0])
  })
  test('months where two begin, else days, else minutes', () => {
    expect(timeLabels(days, 0, 60).map(({ text }) => text)).toEqual(dayTexts(0, 60))
    const long = [...days, candle('20261101', 1, 2)]
    expect(timeLabels(long, 0, 61).map(({ text }) => text)).toEqual(['10월', '11월'])
    expect(timeLabels([candle('20261120093000', 1, 2)], 0, 1)).toEqual([{ index: 0, text: '09:30' }])
  })
})
const dayTexts = (from: number, to: number) =>
  days.slice(from, to).map(({ time }) => `${time.slice(4, 6)}/${time.slice(6, 8)}`)

describe('what is seen', () => {
  const view = fc.record({
    span: fc.double({ min: 1, max: 200, noNaN: true }),
    back: fc.double({ min: -50, max: 200, noNaN: true }),
  })
  test('is never empty and never beyond what there is', () => {
    fc.assert(
      fc.property(
        view,
        fc.integer({ min: 5, max: 150 }),
        fc.double({ min: -300, max: 300, noNaN: true }),
        (wanted, count, by) => {
          for (const seen of [
            clamped(wanted, count),
            panned(wanted, count, by),
            zoomed(clamped(wanted, count), count, Math.exp(by / 100), 0.3),
          ]) {
            expect(seen.span).toBeGreaterThanOrEqual(5)
            expect(firstOf(seen, count)).toBeGreaterThanOrEqual(-1e-9)
            expect(seen.back).toBeGreaterThanOrEqual(0)
          }
        },
      ),
    )
  })
  test('what lies under the fingers stays there', () => {
    const seen = zoomed({ span: 40, back: 30 }, 100, 2, 0.25)
    // Entry 40 lay at a quarter of 30…70, and does of 35…55.
    expect([seen.span, firstOf(seen, 100)]).toEqual([20, 35])
  })
  test('moves the least to show an entry', () => {
    expect(showing({ span: 10, back: 0 }, 60, 20)).toEqual({ span: 10, back: 30 })
    expect(showing({ span: 10, back: 40 }, 60, 30)).toEqual({ span: 10, back: 29 })
    expect(showing({ span: 10, back: 0 }, 60, 55)).toEqual({ span: 10, back: 0 })
  })
  test('keys zoom and put the values away; others are not ours', () => {
    const shown = { view: { span: 40, back: 0 }, cursor: { index: 59, y: null }, count: 60 }
    expect(afterKey('+', shown)?.view.span).toBeCloseTo(28.6, 1)
    expect(afterKey('-', shown)?.view.span).toBe(56)
    expect(afterKey('Escape', shown)?.cursor).toBeNull()
    expect(afterKey('Escape', { ...shown, cursor: null })).toBeNull()
    expect(afterKey('Tab', shown)).toBeNull()
  })
})

describe('a price chart', () => {
  test('names what is far away at its edge, and does not shrink the candles for it', () => {
    const near = layout([])
    const { above, below, scale } = layout([
      tagOf('최고 매수가', 900_000),
      tagOf('가상', 300_000, true),
      tagOf('평균', 1),
    ])
    expect(above.map(({ name }) => name)).toEqual(['최고 매수가', '가상'])
    expect(below.map(({ name }) => name)).toEqual(['평균'])
    expect(scale).toEqual(near.scale)
  })
  test('a supposed price near the candles does not move their scale either', () =>
    expect(layout([tagOf('가상', 112_000, true)]).scale).toEqual(layout([]).scale))
  test('has a wider gutter where there is room', () =>
    expect([layout([]).gutter, layout([], 700).gutter]).toEqual([104, 140]))
  test('its candles lie inside its height, in two colours; marks once for each candle and side', () => {
    const { scale, x, step } = layout([])
    const falling = { time: '20261101', open: 105_000, high: 106_000, low: 101_000, close: 102_000 }
    const { up, down } = candlePaths([days[0] ?? falling, falling], { first: 0, x, step, scale })
    expect([up.match(/M/g)?.length, down.match(/M/g)?.length]).toEqual([2, 2])
    const marks = markPaths(
      [
        { index: 3, side: 'buy' },
        { index: 3, side: 'buy' },
        { index: 99, side: 'sell' },
      ],
      days,
      x,
      scale,
    )
    expect([marks.buy.match(/M/g)?.length, marks.sell]).toEqual([1, ''])
  })
  test('the lot under a finger, and none where none is near', () => {
    const { scale } = layout([])
    const lots = [{ price: 101_000 }, { price: 104_000 }]
    expect(lotNear(lots, scale, yOf(scale, 104_000) + 5)).toBe(1)
    expect(lotNear(lots, scale, yOf(scale, 102_500))).toBeNull()
    expect(lotNear([], scale, 100)).toBeNull()
  })
})

describe('a series', () => {
  const size = { width: 326, height: 220 }

  test('bars stand on zero, a line has the scale of its data', () => {
    const bars = seriesLayout(entries([50_000, 80_000]), { ...size, kind: 'bars' })
    const line = seriesLayout(entries([98_000_000, 98_100_000]), { ...size, kind: 'line' })
    expect(bars.scale.low).toBe(0)
    expect(line.scale.low).toBeGreaterThan(97_900_000)
  })
  test('every entry lies inside, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1e8, max: 1e9 }), { maxLength: 60 }),
        fc.constantFrom('bars' as const, 'line' as const),
        (amounts, kind) => {
          const { scale, x, right } = seriesLayout(entries(amounts), { ...size, kind })
          for (const [at, amount] of amounts.entries()) {
            expect(yOf(scale, amount)).toBeGreaterThanOrEqual(scale.top)
            expect(yOf(scale, amount)).toBeLessThanOrEqual(scale.bottom + 1e-6)
            expect(x(at)).toBeLessThanOrEqual(right)
          }
        },
      ),
    )
  })
  test('a value stays within the picture', () =>
    expect([
      clampedLeft(10, 80, 326),
      clampedLeft(160, 80, 326),
      clampedLeft(320, 80, 326),
      clampedLeft(5, 400, 326),
    ]).toEqual([0, 120, 246, 0]))
  test('a line goes through its entries in order', () =>
    expect(linePath(entries([1, 2]), seriesLayout(entries([1, 2]), { ...size, kind: 'line' }))).toMatch(
      /^M65\.5 [\d.]+L196\.5 [\d.]+$/,
    ))
})
