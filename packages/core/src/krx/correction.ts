import { weekday } from './kst.ts'
import { NORMAL_HOURS, type DayHours } from './session.ts'

/** What an operator says of a KST day: it is closed, it has hours of its own, or it is like any other. */
export type DayCorrection = 'closed' | 'normal' | DayHours

const MINUTES = 60
const clock = (hours: number, minutes = 0): number => (hours * 60 + minutes) * MINUTES

/** Trading begins no earlier: the opening auction takes orders for 40 minutes before the open. */
const EARLIEST = clock(6)
/** KRX's after-market begins half an hour after the close and ends at 20:00. */
const LATEST_CLOSE = clock(19)
/** Shorter days were never announced; and the closing auction needs ten minutes of it. */
const MIN_SESSION = clock(1)
/** NXT's pre-market lasts so long. */
const PRE_MARKET = 50 * MINUTES

/** Why a day cannot be made so, in words for the operator; null: it can. */
export function correctionProblem(day: string, correction: DayCorrection): string | null {
  if (weekday(day) % 6 === 0) return '토요일과 일요일은 언제나 휴장이라 고칠 수 없습니다.'
  if (correction === 'closed' || correction === 'normal') return null
  const { opensAt, closesAt, preMarketAt } = correction
  if (opensAt < EARLIEST) return '여는 시각은 06:00부터 넣을 수 있습니다.'
  if (closesAt > LATEST_CLOSE) return '닫는 시각은 19:00까지 넣을 수 있습니다.'
  if (closesAt - opensAt < MIN_SESSION) return '닫는 시각은 여는 시각보다 한 시간 넘게 뒤여야 합니다.'
  if (preMarketAt === null) return null
  if (preMarketAt < EARLIEST) return '프리마켓 시각은 06:00부터 넣을 수 있습니다.'
  return preMarketAt + PRE_MARKET > opensAt ? '프리마켓(50분)은 정규장이 열리기 전에 끝나야 합니다.' : null
}

/** `HH:MM`, KST, as seconds of the day; null: it is no time of the day. */
export function secondsOf(text: string): number | null {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim()) ?? []
  return hours === undefined ? null : clock(Number(hours), Number(minutes))
}

export const clockText = (seconds: number): string =>
  [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60].map((part) => String(part).padStart(2, '0')).join(':')

/** A day in words: `휴장`, `보통`, or its hours. */
export function correctionText(correction: DayCorrection): string {
  if (correction === 'closed') return '휴장'
  const { opensAt, closesAt, preMarketAt } = correction === 'normal' ? NORMAL_HOURS : correction
  const hours = `${clockText(opensAt)}~${clockText(closesAt)}`
  if (correction === 'normal') return `보통(${hours})`
  return `${hours}, ${preMarketAt === null ? '프리마켓 없음' : `프리마켓 ${clockText(preMarketAt)}부터`}`
}
