import { type BarColumns, barsOf, type Bars, type Market } from '@digger/core'
import { goesLowFirst, type Candle } from '@digger/kis-sim'

/** The bars of one stock, and which extreme each went to first in the replay. */
export function barsInOrder(
  days: readonly Candle[],
  seed: number,
): { readonly prepared: Bars; readonly order: Uint8Array } {
  const rows = days.flatMap((day) =>
    (day.minutes ?? [undefined]).map((minute) => ({ day, minute, prices: minute ?? day })),
  )
  const column = (of: (prices: (typeof rows)[number]['prices']) => number): number[] =>
    rows.map(({ prices }) => of(prices))
  const columns: BarColumns = {
    days: rows.map(({ day }) => day.day),
    ...(days.some(({ minutes }) => minutes) && { times: rows.map(({ minute }) => minute?.time ?? '090000') }),
    open: column(({ open }) => open),
    high: column(({ high }) => high),
    low: column(({ low }) => low),
    close: column(({ close }) => close),
  }
  const prepared = barsOf(columns, { kind: 'stock', market: marketOf(days[0]?.market ?? '') })
  const lowFirst = [...prepared.source].map((at) => {
    const row = rows[at]
    return row !== undefined && goesLowFirst(row.day, seed, row.minute)
  })
  return { prepared, order: Uint8Array.from(lowFirst, Number) }
}

/** KOSDAQ GLOBAL is a segment of KOSDAQ. */
const marketOf = (text: string): Market => (text.startsWith('KOSDAQ') ? 'KOSDAQ' : text === 'KONEX' ? 'KONEX' : 'KOSPI')
