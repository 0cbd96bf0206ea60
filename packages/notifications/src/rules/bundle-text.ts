import { NOTIFICATION_LABELS, type NotificationKind } from '@digger/contract'
import { grouped, kstDay, kstTime, won } from '@digger/core'
import type { NotificationFill } from '@digger/database'
import { gainText } from './fills.ts'

export interface BundledItem {
  readonly kind: NotificationKind
  readonly code: string | null
  readonly text: string
  readonly amounts: string | null
  readonly fill: NotificationFill | null
}

export interface BundleText {
  readonly title: string
  readonly lines: readonly string[]
}

/** From so many on, the fills of one stock and side are one line with their number. */
const GROUPED_FROM = 5

/** What a bundle says. Each of its items is in exactly one line, by itself or counted with others like it. */
export function bundleText(items: readonly BundledItem[], withAmounts: boolean): BundleText {
  const [first] = items
  if (first !== undefined && items.length === 1) return single(first, withAmounts)
  const lines = linesOf(items, withAmounts)
  const fills = items.filter(({ fill }) => fill !== null)
  const count = (side: 'buy' | 'sell'): number => fills.filter(({ fill }) => fill?.side === side).length
  const parts = [
    ...(count('buy') > 0 ? [`매수 ${count('buy')}건`] : []),
    ...(count('sell') > 0 ? [`매도 ${count('sell')}건`] : []),
    ...(items.length > fills.length ? [`알림 ${items.length - fills.length}건`] : []),
  ]
  return { title: `Digger: ${parts.join(', ')}`, lines }
}

/** What arrives later than this says when it was, ms: a phone shows when it came. */
const LATE_MS = 10 * 60_000

/** The same, for whoever gets it at `now` what was to be told at `at`, epoch ms. */
export function withTime({ title, lines }: BundleText, at: number, now: number): BundleText {
  if (now - at <= LATE_MS) return { title, lines }
  const [day, time] = [kstDay(at), kstTime(at)]
  const date = `${Number(day.slice(4, 6))}월 ${Number(day.slice(6))}일 ${time.slice(0, 2)}:${time.slice(2, 4)}`
  return { title, lines: [...lines, `늦게 전해 드립니다. ${date}의 일입니다.`] }
}

/** A title that says it whole where it is short enough, so that a locked phone shows it. */
const MAX_TITLE = 60

function single(item: BundledItem, withAmounts: boolean): BundleText {
  const amounts = withAmounts && item.amounts !== null ? [item.amounts] : []
  const text = withAmounts ? item.text : withoutAmounts(item.text)
  if (text.length <= MAX_TITLE) return { title: text, lines: amounts }
  return { title: NOTIFICATION_LABELS[item.kind], lines: [text, ...amounts] }
}

function linesOf(items: readonly BundledItem[], withAmounts: boolean): string[] {
  const groups = new Map<string, BundledItem[]>()
  for (const item of items) {
    const key = item.fill === null ? '' : `${item.fill.side} ${item.code}`
    if (key !== '') groups.set(key, [...(groups.get(key) ?? []), item])
  }
  const lines: string[] = []
  // What calls for somebody stands above what only happened.
  for (const item of items) if (item.fill === null) lines.push(lineOf(item, withAmounts))
  for (const group of groups.values()) {
    if (group.length < GROUPED_FROM) lines.push(...group.map((item) => lineOf(item, withAmounts)))
    else lines.push(groupLine(group, withAmounts))
  }
  return lines
}

/** Why a stock stands still may be said with its prices, and which limit was reached with its sum. */
const withoutAmounts = (text: string): string => text.replaceAll(/[+-]?\d[\d,]*원/g, '***원')

function lineOf({ text, amounts }: BundledItem, withAmounts: boolean): string {
  if (!withAmounts) return withoutAmounts(text)
  return amounts === null ? text : `${text} (${amounts})`
}

function groupLine(group: readonly BundledItem[], withAmounts: boolean): string {
  const fills = group.flatMap(({ fill }) => fill ?? [])
  const sum = (of: (fill: NotificationFill) => number): number => fills.reduce((total, fill) => total + of(fill), 0)
  const count = sum((fill) => fill.count)
  const name = group[0]?.text.replace(/ [\d,]+주를 .*$/, '') ?? ''
  const isSale = fills[0]?.side === 'sell'
  const what = `${name} ${fills.length}번에 ${grouped(count)}주를 ${isSale ? '팔았습니다' : '샀습니다'}`
  if (!withAmounts) return withoutAmounts(what)
  const amount = sum((fill) => fill.amount)
  return `${what} (모두 ${won(amount)}${isSale ? `, ${gainText(sum((fill) => fill.net ?? 0))}` : ''})`
}
