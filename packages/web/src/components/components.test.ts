import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, describe, expect, test } from 'vitest'
import { candleAt, liveCandle, priceRange, type Candle } from './chart/candles.ts'
import { sheetHeight } from './OptionSheet.tsx'
import { Signed } from './Signed.tsx'
import { stepped } from './Stepper.tsx'

const comparing = () => expect.hasAssertions()
beforeEach(comparing)

const signed = (value: number, unit: 'won' | 'percent') =>
  renderToStaticMarkup(createElement(Signed, { value, unit })).replaceAll(/<[^>]+>/g, '')

test.each([
  [0.004, '0.00%'],
  [-0.004, '0.00%'],
  [0.005, '+0.01%'],
  [-1.239, '−1.24%'],
  [12, '+12.00%'],
])('percent %d with sign is %s', (value, text) => expect(signed(value, 'percent')).toBe(text))
test('only gains carry a plus', () =>
  expect([1500, -1500, 0].map((value) => signed(value, 'won'))).toEqual(['+1,500원', '−1,500원', '0원']))

test('a sheet is 60 px per row and title, never taller than the screen', () => {
  expect(sheetHeight(3, 844)).toBe(240)
  expect(sheetHeight(13, 844)).toBe(840)
  expect(sheetHeight(14, 844)).toBe(844)
})

test.each([
  ['1.1', 0.1, '1.2'],
  ['-1', -0.01, '-1.01'],
  ['1,000', 50, '1050'],
  ['', 1, '1'],
  ['words', -1, '-1'],
])('%s stepped by %d is %s', (text, change, result) => expect(stepped(text, change)).toBe(result))

const candle = (time: string, low: number, high: number): Candle => ({ time, open: low, close: high, low, high })

describe('candles', () => {
  const days = [candle('20261119', 90, 100), candle('20261120', 95, 110)]

  test('the newest one follows the live price and stretches with it', () => {
    const last = candle('20261120', 95, 110)
    expect(liveCandle(last, 120)).toMatchObject({ close: 120, high: 120, low: 95 })
    expect(liveCandle(last, 80)).toMatchObject({ close: 80, high: 110, low: 80 })
    expect(liveCandle(last, null)).toEqual(last)
  })
  test('a price near them widens the picture, one far away does not', () => {
    const [low, high] = priceRange(days, [115, 500])
    expect(low).toBeLessThanOrEqual(90)
    expect(high).toBeGreaterThan(115)
    expect(high).toBeLessThan(140)
    expect(priceRange([], [])).toEqual([0, 1])
  })
  test('a trade belongs to the candle of its day or minute, and to none outside the picture', () => {
    expect(candleAt(days, '20261120101500')).toBe(1)
    expect(candleAt(days, '20261118101500')).toBeNull()
    expect(candleAt(days, '20261121090000')).toBeNull()
    const minutes = [candle('20261120100000', 1, 2), candle('20261120100100', 1, 2)]
    expect(candleAt(minutes, '20261120100059')).toBe(0)
    expect(candleAt([], '20261120100059')).toBeNull()
  })
})
