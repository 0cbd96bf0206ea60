import type { Candle } from '@digger/kis-sim'

/** One socket carries the prices of forty stocks beside its notices. */
const MAX_CODES = 40

export interface Choice {
  readonly codes: readonly string[]
  readonly days: readonly string[]
  /** The candles of these codes on these days. */
  readonly candles: readonly Candle[]
}

/**
 * Takes the first days of a record and the given codes. Without codes it takes those with the largest turnover of the
 * whole record (close × volume) among those that traded on these days.
 */
export function choose(record: readonly Candle[], maxDays: number, given: readonly string[] | null): Choice {
  const days = [...new Set(record.map(({ day }) => day))].sort().slice(0, maxDays)
  const chosenDays = new Set(days)
  const onDays = record.filter(({ day }) => chosenDays.has(day))
  const traded = new Set(onDays.map(({ code }) => code))
  const codes = given ?? busiest(record.filter(({ code }) => traded.has(code)))
  if (codes.length > MAX_CODES)
    throw new Error(`at most ${MAX_CODES} codes; --codes all takes every one, in parts of ${MAX_CODES}`)
  const missing = codes.filter((code) => !traded.has(code))
  if (missing.length > 0) throw new Error(`no candles of ${missing.join(', ')} on these ${days.length} days`)
  return { codes, days, candles: onDays.filter(({ code }) => codes.includes(code)) }
}

/** Every code with a candle on the first days, busiest first, in parts that one account can watch. */
export function chooseAll(record: readonly Candle[], maxDays: number): Choice[] {
  const { days } = choose(record, maxDays, null)
  const onDays = record.filter(({ day }) => days.includes(day))
  const codes = byTurnover(onDays)
  const parts = Array.from({ length: Math.ceil(codes.length / MAX_CODES) }, (_, part) =>
    codes.slice(part * MAX_CODES, (part + 1) * MAX_CODES),
  )
  return parts.map((part) => choose(record, maxDays, part))
}

const busiest = (candles: readonly Candle[]): string[] => byTurnover(candles).slice(0, MAX_CODES)

function byTurnover(candles: readonly Candle[]): string[] {
  const turnover = new Map<string, number>()
  for (const { code, close, volume } of candles) turnover.set(code, (turnover.get(code) ?? 0) + close * volume)
  return [...turnover].sort(([, a], [, b]) => b - a).map(([code]) => code)
}
