import type { HistoryCorrection } from '@digger/contract'
import type { Bar } from './bar.ts'

/** As of the share that is `ratio` of it: prices smaller, counts larger. Whole won, as the broker rounds. */
export function scaled(bar: Bar, ratio: number): Bar {
  if (ratio === 1) return bar
  const price = (won: number): number => Math.max(1, Math.round(won * ratio))
  return {
    at: bar.at,
    open: price(bar.open),
    high: price(bar.high),
    low: price(bar.low),
    close: price(bar.close),
    volume: Math.round(bar.volume / ratio),
    traded: bar.traded,
  }
}

/** What prices as they were traded on a day are to be multiplied by. */
export const ratioAfter = (day: string, corrections: readonly HistoryCorrection[]): number =>
  corrections.reduce((ratio, correction) => (correction.day > day ? ratio * correction.ratio : ratio), 1)

/**
 * The same for prices of which nobody has said as of which share they are: those of the day, those of today, or those of some day between, as
 * they were read. The one is taken that brings `close` nearest to the adjusted close of the day.
 */
export function ratioBetween(
  day: string,
  corrections: readonly HistoryCorrection[],
  { close, adjusted }: { readonly close: number; readonly adjusted: number },
): number {
  const later = corrections.filter((correction) => correction.day > day)
  const candidates = [1]
  for (const { ratio } of later.toReversed()) candidates.push((candidates.at(-1) ?? 1) * ratio)
  const off = (ratio: number): number => Math.abs(Math.log((close * ratio) / adjusted))
  return candidates.reduce((best, candidate) => (off(candidate) < off(best) ? candidate : best))
}
