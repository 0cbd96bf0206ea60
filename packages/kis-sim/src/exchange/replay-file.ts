import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { isDay } from '@digger/core'
import type { Candle } from './replay.ts'

const COLUMNS = ['date', 'code', 'name', 'market', 'open', 'high', 'low', 'close', 'volume', 'amount']

/** Daily candles from a CSV or CSV.GZ with the columns above. Null as `codes` returns every code. */
export function readCandles(path: string, codes: ReadonlySet<string> | null): Candle[] {
  const bytes = readFileSync(path)
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8')
  const [head = '', ...lines] = text.split(/\r?\n/)
  if (head.replace(/^\uFEFF/, '') !== COLUMNS.join(',')) {
    throw new Error(`${path}: the first line must be ${COLUMNS.join(',')}`)
  }
  const candles: Candle[] = []
  lines.forEach((line, i) => {
    if (line === '') return
    const [day = '', code = '', name = '', market = '', ...numbers] = line.split(',')
    if (codes && !codes.has(code)) return
    const [open = NaN, high = NaN, low = NaN, close = NaN, volume = NaN] = numbers.map(Number)
    if (!isDay(day) || code === '' || [open, high, low, close, volume].some((n) => !(n >= 0))) {
      throw new Error(`${path}: line ${i + 2} cannot be read`)
    }
    candles.push({ day, code, name, market, open, high, low, close, volume })
  })
  return candles
}
