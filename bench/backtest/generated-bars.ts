import { addDays, type BarColumns, type Bars, barsOf } from '@digger/core'

const MINUTES_A_DAY = 390
const MOVES = 8

/** A seeded walk on the grid, drawn back to 70,000 won: bars of several moves each, the next one beginning where the last ended. */
export function generatedBars(count: number, unit: 'day' | 'minute', moveWon: number, seed = 20_261_116): Bars {
  const prices: Record<'open' | 'high' | 'low' | 'close', number[]> = { open: [], high: [], low: [], close: [] }
  const [days, times]: string[][] = [[], []]
  let state = seed
  let price = 70_000
  let day = '20160104'
  for (let bar = 0; bar < count; bar += 1) {
    const minute = bar % MINUTES_A_DAY
    if (bar > 0 && (unit === 'day' || minute === 0)) day = addDays(day, 1)
    const walked = [price]
    for (let move = 0; move < MOVES; move += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      const drift = price > 74_000 ? -1 : price < 62_000 ? 1 : 0
      price += (Math.floor((state / 4_294_967_296) * 5) - 2 + drift) * moveWon
      walked.push(price)
    }
    days?.push(day)
    times?.push(clock(540 + minute))
    prices.open.push(walked[0] ?? price)
    prices.high.push(Math.max(...walked))
    prices.low.push(Math.min(...walked))
    prices.close.push(price)
  }
  const columns: BarColumns = { days: days ?? [], ...(unit === 'minute' && { times: times ?? [] }), ...prices }
  return barsOf(columns, { kind: 'stock', market: 'KOSPI' })
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}${String(minutes % 60).padStart(2, '0')}00`
