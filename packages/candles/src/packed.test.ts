import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Bar, dayNumber, dayOf, minuteNumber, timeOf } from './bar.ts'
import { pack, unpack } from './packed.ts'

const price = fc.integer({ min: 1, max: 3_000_000 })
const bar = fc.record<Omit<Bar, 'at'>>({
  open: price,
  high: price,
  low: price,
  close: price,
  volume: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.maxSafeNat()),
  traded: price,
})
/** In order, with gaps of any length. */
const series = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), bar), { maxLength: 60 }).map((rows) => {
  let at = 0
  return rows.map(([gap, one]): Bar => ({ at: (at += gap), ...one }))
})

const walk = (count: number, move: number, volume: number): Bar[] => {
  let close = 70_000
  return Array.from({ length: count }, (_, n) => {
    const open = close + Math.round(Math.sin(n) * move)
    close = open + Math.round(Math.cos(n * 1.7) * move)
    const [high, low] = [Math.max(open, close) + move / 4, Math.min(open, close) - move / 4]
    return { at: 20_000 + n, open, high, low, close, volume: volume + n * 997, traded: close }
  })
}

describe('packed candles', () => {
  test('are unpacked as they were, whatever they are', () =>
    fc.assert(
      fc.property(series, (bars) => {
        expect(unpack(pack(bars))).toEqual(bars)
      }),
    ))

  test('are refused where they end in the middle or go on', () =>
    fc.assert(
      fc.property(series, fc.nat(), (bars, n) => {
        const bytes = pack(bars)
        expect(() => unpack(bytes.subarray(0, n % bytes.length))).toThrow(RangeError)
        expect(() => unpack(Buffer.concat([bytes, Buffer.of(0)]))).toThrow(RangeError)
      }),
    ))

  test('of another way of packing are refused', () => expect(() => unpack(Buffer.of(2, 0))).toThrow('later version'))

  test.each([{ volume: -1 }, { volume: 1.5 }, { open: Number.NaN }, { at: -1 }])('never take %o', (wrong) => {
    const good: Bar = { at: 1, open: 1, high: 1, low: 1, close: 1, volume: 1, traded: 1 }
    expect(() => pack([{ ...good, ...wrong }])).toThrow(RangeError)
  })

  test('never take a bar that is older than the one before', () => {
    const good: Bar = { at: 2, open: 1, high: 1, low: 1, close: 1, volume: 1, traded: 1 }
    expect(() => pack([good, { ...good, at: 1 }])).toThrow(RangeError)
  })

  test('stay small: a year of an ordinary stock below 15 bytes a day, a day of minutes below 11 each', () => {
    expect(pack(walk(245, 1_000, 12_000_000)).length / 245).toBeLessThan(15)
    expect(pack(walk(381, 100, 30_000)).length / 381).toBeLessThan(11)
  })
})

describe('places in time', () => {
  test.each([
    ['19700101', 0],
    ['19700102', 1],
    ['20240229', 19_782],
    ['20261127', 20_784],
  ])('%s is day %i', (day, number) => {
    expect(dayNumber(day)).toBe(number)
    expect(dayOf(number)).toBe(day)
  })
  test.each([
    ['000000', 0],
    ['090000', 540],
    ['152900', 929],
    ['200000', 1_200],
  ])('%s is minute %i', (time, minute) => {
    expect(minuteNumber(time)).toBe(minute)
    expect(timeOf(minute)).toBe(time)
  })
})
