import type { HistoryProgress } from '@digger/contract'
import { addDays } from '@digger/core'
import type { CandleUnit, Db } from '@digger/database'
import { sql } from 'kysely'

/** Ten years, and the last 60 days of trading: 90 days have 60 to 64. */
const WANTED_YEARS = 10
const WANTED_MINUTE_DAYS = 90

export const wantedFrom = (unit: CandleUnit, today: string): string =>
  unit === 'minute' ? addDays(today, -WANTED_MINUTE_DAYS) : yearsBefore(today, WANTED_YEARS)

function yearsBefore(day: string, years: number): string {
  const [year, date] = [Number(day.slice(0, 4)) - years, day.slice(4)]
  // There is no 29th of February in most years.
  return `${year}${date === '0229' ? '0228' : date}`
}

const NOT_BEGUN = '아직 모으지 않았습니다. 증권사 키가 열려 있으면 곧 모으기 시작합니다.'
const AGAIN = '주식 수가 바뀌어 증권사가 지난 가격을 고쳤습니다. 고친 가격으로 다시 모으는 동안 이전 것을 보여 줍니다.'

export interface ProgressRow {
  readonly code: string
  readonly unit: CandleUnit
  readonly from: string | null
  readonly to: string | null
  readonly isComplete: boolean
  readonly isAgain: boolean
  readonly note: string | null
  readonly adjustedAt: number | null
}

/** Both units of each of these stocks. */
export async function readProgress(db: Db, codes: readonly string[]): Promise<ProgressRow[]> {
  const { rows } = await sql<ProgressRow>`
    select w.code, u.unit, s.note, s.adjusted_at as "adjustedAt", p.first_day as "from", p.last_day as "to",
      coalesce(s.is_complete and s.shown = s.generation, false) as "isComplete",
      coalesce(s.shown <> s.generation, false) as "isAgain"
    from unnest(${codes}::text[]) as w (code) cross join (values ('day'), ('minute')) as u (unit)
      left join candle_series s on s.code = w.code and s.unit = u.unit
      left join lateral (
        select min(first_day) as first_day, max(last_day) as last_day from candle_part c
        where c.code = w.code and c.unit = u.unit
          and (c.source <> 'broker' or c.generation = coalesce(s.shown, 0))) p on true`.execute(db)
  return rows
}

export function progressView(row: ProgressRow | undefined, unit: CandleUnit, today: string): HistoryProgress {
  const wanted = wantedFrom(unit, today)
  if (row === undefined) return { from: null, to: null, wantedFrom: wanted, isComplete: false, note: NOT_BEGUN }
  const { from, to, isComplete, isAgain, note } = row
  return {
    from,
    to,
    wantedFrom: wanted,
    isComplete,
    note: note ?? (isAgain ? AGAIN : from === null ? NOT_BEGUN : null),
  }
}
