import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { checkCandles, joined, readCandles, type DayCandle } from './candle-check.ts'

const candle = (date: string, prices: [number, number, number, number], change: Partial<DayCandle> = {}): DayCandle => {
  const [open, high, low, close] = prices
  return { date, code: '000001', name: '가나', market: 'KOSDAQ', open, high, low, close, volume: 100, ...change }
}
const start = candle('20260102', [10_000, 10_000, 10_000, 10_000])
const halted = candle('20260105', [0, 0, 0, 10_000], { volume: 0 })

describe('one day after a close of 10,000 won (limits 7,000 and 13,000)', () => {
  test.each([
    ['both limits touched', [start, candle('20260105', [10_000, 13_000, 7_000, 10_000])], '1 touched'],
    ['one tick above the limit', [start, candle('20260105', [10_000, 13_010, 10_000, 10_000])], 'unexplained'],
    ['one tick below the limit', [start, candle('20260105', [10_000, 10_000, 6_990, 10_000])], 'unexplained'],
    ['a rights day: it opens at half', [start, candle('20260105', [5_000, 6_500, 4_900, 5_500])], 'rebased'],
    [
      'opening far out, but moving too far for any base',
      [start, candle('20260105', [5_000, 9_900, 4_900, 5_500])],
      'unexplained',
    ],
    ['trading again after a halt', [start, halted, candle('20260106', [500, 900, 300, 400])], 'resumed'],
    [
      'liquidation trading after it',
      [start, halted, candle('20260106', [500, 900, 300, 400]), candle('20260107', [300, 600, 200, 200])],
      'resumed unbound',
    ],
    [
      'KONEX is bound at 15 %',
      [start, candle('20260105', [10_000, 11_510, 10_000, 10_000], { market: 'KONEX' })],
      'unexplained',
    ],
    [
      'a listing has nothing to be judged by',
      [start, candle('20260105', [100, 900, 100, 900], { code: '000002' })],
      '1 listed',
    ],
  ])('%s', (_name, candles, expected) => {
    const report = checkCandles(candles)
    const seen = report.outside.map((day) => day.why).join(' ')
    const counts = [
      report.touchedLimit && `${report.touchedLimit} touched`,
      report.listings.length && `${report.listings.length} listed`,
    ]
    expect(seen || counts.filter(Boolean).join(' ')).toBe(expected)
  })
})

const whys = (candles: readonly DayCandle[], unbound?: readonly string[]) =>
  checkCandles(candles, new Set(unbound)).outside.map((day) => day.why)

describe('liquidation trading that began before the candles', () => {
  const later = [candle('20260109', [400, 600, 200, 300]), candle('20260112', [300, 500, 300, 450])]
  const earlier = [start, halted, candle('20260106', [500, 900, 300, 400])]

  test('is not to be seen in them', () => {
    expect(whys(later)).toEqual(['unexplained'])
  })

  test('is said by name, of this code alone', () => {
    expect(whys(later, ['000001'])).toEqual(['unbound'])
    expect(whys(later, ['000002'])).toEqual(['unexplained'])
  })

  test('is seen in an earlier file, in whichever order they are given', () => {
    expect(whys(joined([earlier, later]))).toEqual(['resumed', 'unbound', 'unbound'])
    expect(whys(joined([later, earlier]))).toEqual(['resumed', 'unbound', 'unbound'])
  })

  test('a day that is in both files is judged once', () => {
    expect(joined([[...earlier, ...later], later])).toEqual([...earlier, ...later])
  })
})

test('prices off the grid are counted, days without a trade are not', () => {
  const report = checkCandles([start, halted, candle('20260106', [10_005, 10_010, 10_000, 10_001])])
  expect([report.values, report.onGrid]).toEqual([9, 7])
  expect(report.offGrid.map(({ price }) => price)).toEqual([10_005, 10_001])
})

test('reads the columns of the file, and refuses others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'candles-'))
  const file = (text: string) => {
    const path = join(folder, 'x.csv.gz')
    writeFileSync(path, gzipSync(text))
    return path
  }
  const header = 'date,code,name,market,open,high,low,close,volume,amount'
  const line = '20260102,000001,가나,KOSDAQ GLOBAL,10000,10000,10000,10000,100,1000000'
  try {
    expect(readCandles(file(`${header}\n${line}\n`))).toEqual([start])
    expect(() => readCandles(file('a,b\n1,2\n'))).toThrow('unknown columns')
    expect(() => readCandles(file(`${header}\n${line.replace('KOSDAQ GLOBAL', 'NYSE')}\n`))).toThrow('unknown market')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
