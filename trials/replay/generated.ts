import { ceilToTick, tickAbove, tickBelow } from '@digger/core'
import { type Candle, type MinuteCandle, readCandles } from '@digger/kis-sim'

/** A seeded stream of numbers from 0 to 1 (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const two = (part: number): string => String(part).padStart(2, '0')
const OPENS = 9 * 60
const MINUTES = 380

/** Days of minutes from 09:00 to 15:20, and the closing auction, on the grid: a walk that jumps now and then, and over night. */
export function generatedMinutes(code: string, days: readonly string[], first: number, seed: number): Candle[] {
  const roll = dice(seed)
  let price = first
  const move = (ticks: number): number => {
    for (let n = 0; n < Math.abs(ticks); n += 1)
      price = ticks > 0 ? tickAbove(price, 'stock') : tickBelow(price, 'stock')
    return price
  }
  const around = (ticks: number): number => Math.round((roll() * 2 - 1) * ticks)
  return days.map((day) => {
    move(around(20))
    const minutes: MinuteCandle[] = Array.from({ length: MINUTES }, (_, at) => {
      const time = OPENS + at
      const jump = roll() < 0.02 ? 8 : 1
      const walked = [move(around(jump)), move(around(2)), move(around(2)), move(around(2))]
      const [open = price, , , close = price] = walked
      return {
        time: `${two(Math.floor(time / 60))}${two(time % 60)}00`,
        open,
        high: Math.max(...walked),
        low: Math.min(...walked),
        close,
      }
    })
    const close = move(around(3))
    minutes.push({ time: '153000', open: close, high: close, low: close, close })
    const [open] = minutes.map((minute) => minute.open)
    return {
      day,
      code,
      name: `종목 ${code}`,
      market: 'KOSPI',
      open: open ?? ceilToTick(first, 'stock'),
      high: Math.max(...minutes.map(({ high }) => high)),
      low: Math.min(...minutes.map(({ low }) => low)),
      close,
      volume: 10_000_000,
      minutes,
    }
  })
}

const MADE_UP_DAYS = ['20260108', '20260109', '20260112', '20260113', '20260114']
/** Won: on three grids. */
const FIRST_PRICES = [9_000, 48_000, 180_000]

/** The candles of a file; of `made-up` those of three stocks that never were, the same with the same seed. */
export const recordOf = (file: string, seed: number): readonly Candle[] =>
  file === 'made-up'
    ? FIRST_PRICES.flatMap((first, n) => generatedMinutes(String(100_001 + n), MADE_UP_DAYS, first, seed + n))
    : readCandles(file, null)
