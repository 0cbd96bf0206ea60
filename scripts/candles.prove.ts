import { expect, test } from 'vitest'
import { checkCandles, readCandles } from './candle-check.ts'

const path = process.env['DIGGER_CANDLES'] ?? ''
test.skipIf(path === '')('real candles of DIGGER_CANDLES=<file.csv.gz> (skipped: not given)', () => {
  const report = checkCandles(readCandles(path))
  expect(report.onGrid / report.values).toBeGreaterThanOrEqual(0.998)
  expect(report.touchedLimit).toBeGreaterThan(0)
  expect(report.outside.filter((day) => day.why === 'unexplained')).toEqual([])
})
