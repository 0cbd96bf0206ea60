import type { Reply } from '@digger/contract'
import { addDays, gainRatio, weekday } from '@digger/core'
import type { Range } from '../../format/day.ts'
import { gap } from '../../format/time.ts'
import { number } from '../../format/won.ts'

export type GainDay = Reply<'gain'>[number]

export type Gain = GainDay['gain']

/** Sums of gains; the ratio is 0 when nothing was bought. */
export function sumOf(gains: readonly Gain[]): Gain {
  const sum = (of: (gain: Gain) => number) => gains.reduce((total, gain) => total + of(gain), 0)
  const buyAmount = sum((gain) => gain.buyAmount)
  const gainAmount = sum((gain) => gain.gainAmount)
  return {
    buyAmount,
    gainAmount,
    gainRatio: gainRatio(gainAmount, buyAmount),
    netGainAmount: sum((gain) => gain.netGainAmount),
    sales: sum((gain) => gain.sales),
    wins: sum((gain) => gain.wins),
    heldMs: sum((gain) => gain.heldMs),
  }
}

/** All days of the range together. */
export const totals = (days: readonly GainDay[]): Gain => sumOf(days.map(({ gain }) => gain))

/** 115번 팔아 114번 이익 · 평균 2.6일 들고 있었습니다 */
export const recordText = ({ sales, wins, heldMs }: Gain): string =>
  sales === 0
    ? '판 것이 없습니다'
    : `${number(sales)}번 팔아 ${number(wins)}번 이익 · 평균 ${gap(heldMs / sales)} 들고 있었습니다`

export interface StockGain {
  code: string
  name: string
  gain: Gain
}

/** What each stock brought over the whole range, the most first. */
export function byStock(days: readonly GainDay[]): StockGain[] {
  const stocks = Map.groupBy(
    days.flatMap(({ stockGainList }) => stockGainList),
    ({ code }) => code,
  )
  return [...stocks]
    .map(([code, ofStock]) => ({ code, name: ofStock[0]?.name ?? code, gain: sumOf(ofStock.map(({ gain }) => gain)) }))
    .sort((a, b) => b.gain.netGainAmount - a.gain.netGainAmount)
}

export interface DayGain {
  date: string
  /** Null where nothing was sold. */
  gain: Gain | null
}

/** Every day of the range, oldest first. */
export function everyDay(range: Range, days: readonly GainDay[]): DayGain[] {
  const gains = new Map(days.map(({ date, gain }) => [date, gain]))
  const all: DayGain[] = []
  for (let date = range.fromDate; date <= range.toDate; date = addDays(date, 1))
    all.push({ date, gain: gains.get(date) ?? null })
  return all
}

/** The days that brought and cost the most; null without any. */
export function bestAndWorst(days: readonly GainDay[]): { best: GainDay; worst: GainDay } | null {
  const sorted = days.toSorted((a, b) => b.gain.netGainAmount - a.gain.netGainAmount)
  const [best, worst] = [sorted[0], sorted.at(-1)]
  return best && worst ? { best, worst } : null
}

/** Share of its colour that a cell has, percent: 12 for hardly anything, 58 for the most of the range. */
export const heat = (amount: number, most: number): number =>
  amount === 0 || most === 0 ? 0 : Math.round(12 + 46 * (Math.abs(amount) / most))

/** In units of 10,000 won and as short as a narrow cell: +6.6, −2.9, +124, +1.2억, +124억, +1.2조. No sign on what shows as 0. */
export function inMan(amount: number): string {
  const size = Math.abs(amount) / 10_000
  const text = manText(size)
  return Number.parseFloat(text) === 0 ? '0' : `${amount > 0 ? '+' : '−'}${text}`
}

function manText(size: number): string {
  if (size >= 9_995_000) return `${(size / 100_000_000).toFixed(1)}조`
  if (size >= 99_500) return `${(size / 10_000).toFixed(0)}억`
  if (size >= 9_999.5) return `${(size / 10_000).toFixed(1)}억`
  return size.toFixed(size >= 99.95 ? 0 : 1)
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
export function byMonth(days: readonly GainDay[]): { month: string; gain: Gain }[] {
  const months = Map.groupBy(days.toReversed(), ({ date }) => date.slice(0, 6))
  return [...months].map(([month, ofMonth]) => ({ month, gain: totals(ofMonth) }))
}
