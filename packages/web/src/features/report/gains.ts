import type { Reply } from '@digger/contract'
import { addDays, gainRatio, weekday } from '@digger/core'
import type { Range } from '../../format/day.ts'

export type GainDay = Reply<'gain'>[number]

/** Sums of the range; the ratio is 0 when nothing was bought. */
export function totals(days: readonly GainDay[]) {
  const sum = (of: (day: GainDay) => number) => days.reduce((total, day) => total + of(day), 0)
  const buyAmount = sum(({ gain }) => gain.buyAmount)
  const gainAmount = sum(({ gain }) => gain.gainAmount)
  return {
    buyAmount,
    gainAmount,
    gainRatio: gainRatio(gainAmount, buyAmount),
    netGainAmount: sum(({ gain }) => gain.netGainAmount),
  }
}

/** Every day of the range, oldest first, with its gain; null where nothing was sold. */
export function everyDay(range: Range, days: readonly GainDay[]): { date: string; gain: number | null }[] {
  const gains = new Map(days.map(({ date, gain }) => [date, gain.gainAmount]))
  const all: { date: string; gain: number | null }[] = []
  for (let date = range.fromDate; date <= range.toDate; date = addDays(date, 1))
    all.push({ date, gain: gains.get(date) ?? null })
  return all
}

/** True when the range lies within one month, so that a calendar says more than bars. */
export const isMonth = ({ fromDate, toDate }: Range): boolean => fromDate.slice(0, 6) === toDate.slice(0, 6)

/** Rows of a calendar, Sunday first; null pads before the first and after the last day. */
export function weeks<T extends { date: string }>(days: readonly T[]): (T | null)[][] {
  const first = days[0]
  if (first === undefined) return []
  const cells: (T | null)[] = [...Array.from({ length: weekday(first.date) }, () => null), ...days]
  while (cells.length % 7 !== 0) cells.push(null)
  return Array.from({ length: cells.length / 7 }, (_, row) => cells.slice(row * 7, row * 7 + 7))
}

/** Months of a longer range, oldest first. */
export function byMonth(days: readonly GainDay[]): { month: string; gain: number }[] {
  const sums = new Map<string, number>()
  for (const { date, gain } of days.toReversed()) {
    const month = date.slice(0, 6)
    sums.set(month, (sums.get(month) ?? 0) + gain.gainAmount)
  }
  return [...sums].map(([month, gain]) => ({ month, gain }))
}
