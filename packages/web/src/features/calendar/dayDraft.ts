import type { DayCorrection } from '@digger/contract'
import { clockText, correctionProblem, secondsOf, weekday } from '@digger/core'
import { validDay } from '../../format/day.ts'

/** A day as it is typed. Times are `HH:MM`; an empty pre-market: there is none. */
export interface DayDraft {
  /** `2027-01-04`, as the browser's own field has it. */
  readonly date: string
  readonly how: 'closed' | 'normal' | 'hours'
  readonly opensAt: string
  readonly closesAt: string
  readonly preMarketAt: string
}

export const NEW_DAY: DayDraft = { date: '', how: 'closed', opensAt: '10:00', closesAt: '15:30', preMarketAt: '' }

/** The day with its hours, to be typed over. */
export function draftOf(day: string, is: DayCorrection): DayDraft {
  const date = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
  if (is === 'closed' || is === 'normal') return { ...NEW_DAY, date, how: is }
  return {
    date,
    how: 'hours',
    opensAt: clockText(is.opensAt),
    closesAt: clockText(is.closesAt),
    preMarketAt: is.preMarketAt === null ? '' : clockText(is.preMarketAt),
  }
}

type Typed =
  | { readonly day: string; readonly is: DayCorrection }
  | { readonly problem: string; readonly at: 'date' | 'hours' }

/** What is sent, or why it cannot be. `today`: KST `YYYYMMDD`. */
export function typedDay(draft: DayDraft, today: string): Typed {
  const day = validDay(draft.date.replaceAll('-', ''))
  if (day === null) return { problem: '날짜를 골라 주세요.', at: 'date' }
  if (day < today) return { problem: '지난 날은 고칠 수 없습니다.', at: 'date' }
  const is = draft.how === 'hours' ? typedHours(draft) : draft.how
  if (is === null) return { problem: '시각은 10:00처럼 넣어 주세요.', at: 'hours' }
  const problem = correctionProblem(day, is)
  // Of a day without hours only the day itself can be wrong.
  return problem === null ? { day, is } : { problem, at: typeof is === 'string' || isWeekend(day) ? 'date' : 'hours' }
}

function typedHours({ opensAt, closesAt, preMarketAt }: DayDraft): DayCorrection | null {
  const [opens, closes] = [secondsOf(opensAt), secondsOf(closesAt)]
  const before = preMarketAt.trim() === '' ? null : (secondsOf(preMarketAt) ?? undefined)
  if (opens === null || closes === null || before === undefined) return null
  return { opensAt: opens, closesAt: closes, preMarketAt: before }
}

const isWeekend = (day: string): boolean => [0, 6].includes(weekday(day))
