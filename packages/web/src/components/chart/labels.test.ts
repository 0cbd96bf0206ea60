import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Candle } from './candles.ts'
import { tagLabels, timeTexts, valueLabel, type Label } from './labels.ts'
import { priceLayout, type PriceTag } from './priceLayout.ts'
import { seriesLayout, type Entry } from './seriesLayout.ts'
import { freeValues, placeTags } from './tags.ts'
import { textWidth } from './textWidth.ts'
import { clamped } from './view.ts'

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}
/** Letters of 12 px: as high as they are, as wide as they are at most. */
function boxOf({ text, x, y, anchor }: Label): Box {
  const width = textWidth(text)
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2
  return { left, right: left + width, top: y - 6, bottom: y + 6 }
}
const meets = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
const meeting = (labels: readonly Label[]): string[] =>
  labels.flatMap((one, at) =>
    labels
      .slice(at + 1)
      .filter((other) => other.text !== '' && one.text !== '' && meets(boxOf(one), boxOf(other)))
      .map((other) => `${one.text} on ${other.text}`),
  )

/** Prices from a won to more than any share has cost, near and far from each other. */
const price = fc.integer({ min: 1, max: 9_999_999 })
const tones = ['now', 'buy', 'sell', 'plain', 'cursor'] as const
const NAMES = [
  ['현재', '현재'],
  ['다음 매수', '매수'],
  ['다음 매도', '매도'],
  ['평균', '평균'],
  ['가상', '가상'],
  ['최고 매수가', '최고'],
  ['가리킴', ''],
] as const
const tags = fc.array(fc.record({ price, name: fc.constantFrom(...NAMES), dashed: fc.boolean() }), { maxLength: 9 })
const tagOf = (
  { price, name: [name, short], dashed }: { price: number; name: readonly [string, string]; dashed: boolean },
  at: number,
): PriceTag => ({
  name,
  short,
  price,
  dashed,
  tone: tones[at % tones.length] ?? 'plain',
})
/** Candles of a stock of any price, which rises or falls by up to 30 % a day, or by the minute. */
const candles = fc
  .tuple(
    fc.integer({ min: 100, max: 5_000_000 }),
    fc.array(fc.double({ min: -0.3, max: 0.3, noNaN: true }), { minLength: 1, maxLength: 90 }),
    fc.boolean(),
  )
  .map(([first, moves, byMinute]) =>
    moves.map((move, at): Candle => {
      const open = Math.round(first * (1 + move))
      const minute = new Date(Date.UTC(2026, 7, 28, 9, at)).toISOString()
      const day = new Date(Date.UTC(2026, 7, 28 + at)).toISOString()
      const time = (byMinute ? minute.slice(0, 16) : day.slice(0, 10)).replaceAll(/\D/g, '')
      return {
        time: byMinute ? `${time}00` : time,
        open,
        close: first,
        low: Math.min(open, first),
        high: Math.max(open, first),
      }
    }),
  )
/** From the narrowest phone to a wide screen. */
const size = fc.record({ width: fc.integer({ min: 240, max: 1_200 }), height: fc.integer({ min: 60, max: 800 }) })

const fromTop = (value: number) => 100 - value

describe('labels of a price chart', () => {
  const given = fc.record({ candles, tags, size, span: fc.integer({ min: 5, max: 90 }), pointed: fc.nat({ max: 89 }) })
  test('never meet each other or the plot, whatever the prices, tags and size', () => {
    fc.assert(
      fc.property(given, ({ candles, tags, size, span, pointed }) => {
        const view = clamped({ span, back: 0 }, candles.length)
        const layout = priceLayout({ candles, view, tags: tags.map(tagOf), ...size })
        const index = Math.min(pointed, candles.length - 1)
        const shown = index >= layout.from && index < layout.to ? index : null
        const below = timeTexts(candles, layout, shown)
        const beside = [
          ...layout.values.map((value) => valueLabel(value, layout)),
          ...layout.tags.flatMap((tag) => tagLabels(tag, layout)),
        ]
        const all = [...beside, ...below.times, ...(below.pointed ? [below.pointed] : [])]
        expect(meeting(all)).toEqual([])
        for (const label of beside) expect(boxOf(label).left).toBeGreaterThanOrEqual(layout.right)
        for (const label of below.times) expect(boxOf(label).top).toBeGreaterThanOrEqual(layout.scale.bottom)
        for (const box of all.map(boxOf)) {
          expect(box.left).toBeGreaterThanOrEqual(-2)
          expect(box.right).toBeLessThanOrEqual(size.width + 0.5)
          expect(box.bottom).toBeLessThanOrEqual(Math.max(size.height, 40))
        }
      }),
    )
  })
  test('ends of a ladder that are next to each other: one is named', () => {
    expect(freeValues([50, 49], fromTop, [])).toEqual([50])
    expect(freeValues([50, 20], fromTop, [])).toEqual([50, 20])
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 170, noNaN: true }), { maxLength: 6 }),
        fc.array(price, { maxLength: 3 }),
        (ends, prices) => {
          const placed = placeTags(
            prices.map((one) => ({ y: one % 170 })),
            0,
            176,
          )
          const kept = freeValues(ends, (value) => value, placed)
          const rows = [...kept, ...placed.map(({ at }) => at)].toSorted((a, b) => a - b)
          expect(rows.slice(1).every((row, at) => row - (rows[at] ?? 0) >= 18)).toBe(true)
        },
      ),
    )
  })
})

describe('labels of a series', () => {
  const amounts = fc.oneof(
    fc.array(fc.integer({ min: -1e12, max: 1e12 }), { maxLength: 60 }),
    // Much money that hardly moves: its values differ in the last figures only.
    fc
      .tuple(fc.integer({ min: 1e8, max: 1e12 }), fc.array(fc.nat({ max: 1e8 }), { maxLength: 60 }))
      .map(([much, moves]) => moves.map((move) => much + move)),
  )
  const nameOf = fc.constantFrom(
    (at: number) => `${at + 1}일`,
    (at: number) => `${(at % 12) + 1}월`,
    () => '11/20',
    () => '13:25',
  )
  test('never meet each other or the plot, up to a trillion won', () => {
    fc.assert(
      fc.property(
        amounts,
        nameOf,
        size,
        fc.constantFrom('bars' as const, 'line' as const),
        (amounts, name, size, kind) => {
          const entries = amounts.map((amount, at): Entry => ({ key: String(at), name: name(at), long: '', amount }))
          const layout = seriesLayout(entries, { ...size, height: Math.max(size.height, 150), kind })
          const { scale, right } = layout
          const values = layout.values.map(({ value, text }): Label => ({
            text,
            x: size.width - 2,
            y: scale.bottom - ((value - scale.low) / (scale.high - scale.low)) * (scale.bottom - scale.top),
            anchor: 'end',
          }))
          const names = layout.labels.map(({ name, x }): Label => ({
            text: name,
            x,
            y: scale.bottom + 13,
            anchor: 'middle',
          }))
          expect(meeting([...values, ...names])).toEqual([])
          for (const value of values) expect(boxOf(value).left).toBeGreaterThanOrEqual(right)
          for (const label of names) expect(boxOf(label).right).toBeLessThanOrEqual(size.width)
        },
      ),
    )
  })
})
