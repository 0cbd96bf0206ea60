import { addDays, isTradingDay, kstDay } from '@digger/core'
import { type Check, goodReplies, judged, orOk } from '../check.ts'
import type { Examiner } from '../examined.ts'
import { rowsOf } from '../expect/judge.ts'
import { CHART_HEAD, DAY_BARS } from '../expect/market-tables.ts'
import { judgeRelations } from '../expect/relations.ts'
import { type Finding, note, source, wrong } from '../finding.ts'
import { numberOf, textOf, type Row } from '../reply.ts'
import { BAR_RELATIONS, likeQuote } from './candle-relations.ts'

const SOURCE = source('D', '3.4')

/** Days asked for: some weeks, with a weekend or holiday among them. */
const SPAN_DAYS = 30

export const dayCandlesCheck: Check = {
  key: 'dayCandles',
  name: '일봉',
  source: SOURCE,
  async run(examiner) {
    const { code, now } = examiner.subject
    const today = kstDay(now())
    const asked = await examiner.ask((rest) => rest.dayCandles(code, addDays(today, -SPAN_DAYS), today))
    const rows = goodReplies(asked).flatMap((reply) => rowsOf(DAY_BARS, reply) ?? [])
    const last = asked.value?.findLast(({ day }) => day < today)
    if (last !== undefined) examiner.seen.lastClose = last.close
    const judgedAs = { name: `${code} 일봉`, source: SOURCE, rowName: (row: Row) => textOf(row['stck_bsop_date']) }
    return orOk(
      [
        ...judged(examiner, asked, '일봉'),
        ...judgeRelations(judgedAs, BAR_RELATIONS('stck_clpr', 'acml_vol'), rows),
        ...changes(rows),
        ...ranges(rows),
        ...likeQuote(examiner, asked, CHART_HEAD),
        ...daysOf(examiner, rows, today),
      ],
      `${code}의 일봉 ${rows.length}개가 거래일과 맞고 고가·저가가 바릅니다.`,
      SOURCE,
    )
  },
}

/** No day leaves its limits around the close before it, which no action of the company moves in a chart of adjusted prices. */
function ranges(rows: readonly Row[]): Finding[] {
  for (const [at, row] of rows.entries()) {
    const before = numberOf(rows[at + 1] ?? {}, 'stck_clpr')
    const odd = ['stck_hgpr', 'stck_lwpr'].filter(
      (field) => Math.abs(numberOf(row, field) - before) > before * MAX_CHANGE,
    )
    if (odd.length === 0) continue
    const came = odd.map((field) => `${field} ${textOf(row[field])}`).join(', ')
    const text = `일봉 ${textOf(row['stck_bsop_date'])}의 값이 앞날 종가 ${before}원에서 30%보다 멀리 있습니다. 단위가 다르거나 수정주가가 아닐 수 있으니 차트와 기준가를 확인해 주세요.`
    return [wrong(text, { fields: odd, came, source: source('X', '7.2') })]
  }
  return []
}

/** A day's limits are 30 % either way; a little more, for the close of a chart may be another session's. */
const MAX_CHANGE = 0.35

/** Newest first: the change of a day is against the row after it. */
function changes(rows: readonly Row[]): Finding[] {
  for (const [at, row] of rows.entries()) {
    const before = rows[at + 1]
    if (before === undefined) continue
    const [close, change, last] = [row['stck_clpr'], row['prdy_vrss'], before['stck_clpr']].map(Number)
    if (close === undefined || change === undefined || last === undefined) continue
    if ([close, change, last].some(Number.isNaN) || close - change === last) continue
    const day = textOf(row['stck_bsop_date'])
    return [
      note(
        `일봉 ${day}: 종가 − 전일 대비가 앞날 종가와 다릅니다. 권리락이 아니라면 값의 뜻이 다를 수 있습니다. 디거는 종가만 씁니다.`,
        {
          fields: ['stck_clpr', 'prdy_vrss'],
          came: `${close} − ${change} ≠ ${last}`,
          source: SOURCE,
        },
      ),
    ]
  }
  return []
}

/** Each row on a day of trading, descending, and none missing between. */
function daysOf({ subject: { timetable } }: Examiner, rows: readonly Row[], today: string): Finding[] {
  const days = rows.map((row) => textOf(row['stck_bsop_date'])).filter((day) => /^\d{8}$/.test(day))
  const [newest, oldest] = [days[0], days.at(-1)]
  if (newest === undefined || oldest === undefined) return []
  const fields = ['stck_bsop_date']
  const isDescending = days.every((day, at) => at === 0 || day < (days[at - 1] ?? ''))
  if (!isDescending)
    return [
      wrong('일봉이 새 날부터 차례로 오지 않았습니다. 차트와 기준가를 믿을 수 없습니다.', { fields, source: SOURCE }),
    ]
  const odd = days.filter((day) => !isTradingDay(day, timetable))
  const there = new Set(days)
  const missing: string[] = []
  for (let day = oldest; day < today; day = addDays(day, 1))
    if (isTradingDay(day, timetable) && !there.has(day)) missing.push(day)
  return [
    ...(odd.length > 0
      ? [
          wrong(
            `디거가 휴장일로 아는 날에 일봉이 있습니다: ${odd.join(', ')}. 달력이 틀렸을 수 있으니 관리자에게 알려 주세요.`,
            { fields, source: source('R', '7.3') },
          ),
        ]
      : []),
    ...(missing.length > 0
      ? [
          note(`거래일인데 일봉이 없는 날이 있습니다: ${missing.join(', ')}. 거래정지였거나 달력이 다를 수 있습니다.`, {
            fields,
            source: SOURCE,
          }),
        ]
      : []),
  ]
}
