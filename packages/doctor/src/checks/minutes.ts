import { kstDay, kstInstant, kstTime, phaseAt } from '@digger/core'
import { type Check, goodReplies, judged, orOk } from '../check.ts'
import type { Asked, Examiner } from '../examined.ts'
import { rowsOf } from '../expect/judge.ts'
import { MINUTE_BARS, MINUTE_HEAD } from '../expect/market-tables.ts'
import { judgeRelations, relation } from '../expect/relations.ts'
import { type Finding, note, source, wrong } from '../finding.ts'
import { numberOf, textOf, type Reply, type Row } from '../reply.ts'
import { likeQuote } from './candle-relations.ts'

const SOURCE = source('S', '3.5')

const RELATIONS = [
  relation(
    'cntg_vol stck_lwpr acml_tr_pbmn',
    '한 분의 거래대금은 그때까지의 거래대금을 넘지 않아야 합니다.',
    (of) => of('cntg_vol') * of('stck_lwpr') <= of('acml_tr_pbmn'),
  ),
  relation(
    'stck_hgpr stck_lwpr',
    '한 분의 고가와 저가는 하루의 가격 제한 폭 안이어야 합니다.',
    (of) => of('stck_hgpr') <= of('stck_lwpr') * 2,
  ),
  relation('stck_lwpr stck_oprc stck_prpr stck_hgpr', '저가 ≤ 시가·종가 ≤ 고가여야 합니다.', (of) =>
    ['stck_oprc', 'stck_prpr'].every((one) => of('stck_lwpr') <= of(one) && of(one) <= of('stck_hgpr')),
  ),
]

/** Their times show when the exchange really trades. */
export const minuteCandlesCheck: Check = {
  key: 'minuteCandles',
  name: '분봉과 거래 시간',
  source: SOURCE,
  async run(examiner) {
    const { code, now } = examiner.subject
    const at = now()
    const asked = await examiner.ask((rest) => rest.minuteCandles(code, kstTime(at)))
    const rows = goodReplies(asked).flatMap((reply) => rowsOf(MINUTE_BARS, reply) ?? [])
    return orOk(
      [
        ...judged(examiner, asked, '분봉'),
        ...rowsJudged(examiner, asked),
        ...hoursOf(examiner, rows),
        ...(await atMidnight(examiner, rows.length)),
      ],
      `${code}의 분봉 ${rows.length}개가 디거가 아는 거래 시간 안에 있습니다.`,
      SOURCE,
    )
  },
}

const timeOf = (row: Row): string => textOf(row['stck_cntg_hour'])

function rowsJudged(examiner: Examiner, asked: Asked<unknown>): Finding[] {
  const judgedAs = { name: `${examiner.subject.code} 분봉`, source: SOURCE, rowName: timeOf }
  const rows = goodReplies(asked).flatMap((reply) => rowsOf(MINUTE_BARS, reply) ?? [])
  return [
    ...judgeRelations(judgedAs, RELATIONS, rows),
    ...likeQuote(examiner, asked, MINUTE_HEAD),
    ...amounts(asked.replies),
  ]
}

/** The turnover of the day so far: no later figure is below an earlier one, nor above that of the whole day. */
function amounts(replies: readonly Reply[]): Finding[] {
  const heads = replies.flatMap((reply) => rowsOf(MINUTE_HEAD, reply) ?? [])
  const rows = replies.flatMap((reply) => rowsOf(MINUTE_BARS, reply) ?? [])
  const day = textOf(rows[0]?.['stck_bsop_date'])
  const ofDay = rows.filter((row) => textOf(row['stck_bsop_date']) === day)
  const all = [...heads, ...ofDay].map((row) => numberOf(row, 'acml_tr_pbmn')).filter((won) => !Number.isNaN(won))
  const at = all.findIndex((won, n) => n > 0 && won > (all[n - 1] ?? 0))
  if (at < 0) return []
  const text = '분봉의 누적 거래대금이 시간이 갈수록 늘지 않습니다. 디거는 읽지 않습니다.'
  return [note(text, { fields: ['acml_tr_pbmn'], came: `${all[at - 1]} < ${all[at]}`, source: SOURCE })]
}

const MINUTE_MS = 60_000

/** A minute with trades in which by our timetable no exchange trades. */
function hoursOf({ subject: { timetable, now } }: Examiner, rows: readonly Row[]): Finding[] {
  const today = kstDay(now())
  const odd = rows.find((row) => {
    const [day, time] = [textOf(row['stck_bsop_date']), textOf(row['stck_cntg_hour'])]
    if (day !== today || !/^\d{6}$/.test(time) || !(numberOf(row, 'cntg_vol') > 0)) return false
    const from = kstInstant(day, time)
    // An auction's trade bears the minute that begins when it ends.
    return [from - MINUTE_MS, from, from + MINUTE_MS - 1].every(
      (at) => phaseAt('KRX', at, timetable).matching === 'closed',
    )
  })
  if (odd === undefined) return []
  return [
    wrong(
      `디거가 닫힌 시간으로 아는 ${textOf(odd['stck_cntg_hour'])}에 KRX 거래가 있습니다. 거래 시간이 바뀌었을 수 있으니 관리자에게 알려 주세요.`,
      {
        fields: ['stck_cntg_hour'],
        source: source('D', '7.3'),
      },
    ),
  ]
}

async function atMidnight(examiner: Examiner, before: number): Promise<Finding[]> {
  const { code } = examiner.subject
  const asked = await examiner.ask((rest) => rest.minuteCandles(code, '000000'))
  // The client drops them again: they are later than what was asked for.
  const rows = goodReplies(asked).flatMap((reply) => rowsOf(MINUTE_BARS, reply) ?? [])
  const found = rowsJudged(examiner, asked)
  if (before === 0 || asked.error !== null || rows.length > 0) return found
  return [
    ...found,
    note(
      '분봉을 000000시로 물으면 가장 새 것이 온다고 알려져 있었는데 오지 않았습니다. 디거는 그렇게 묻지 않아 매매는 그대로입니다.',
      {
        fields: ['FID_INPUT_HOUR_1'],
        source: source('K', '3.5'),
      },
    ),
  ]
}
