import { isCovered, isTradingDay, kstDay, weekday } from '@digger/core'
import { type Check, goodReplies, judged, orOk } from '../check.ts'
import { rowsOf } from '../expect/judge.ts'
import { HOLIDAYS } from '../expect/market-tables.ts'
import { type Finding, note, source, wrong } from '../finding.ts'
import { textOf, type Row } from '../reply.ts'
import type { Examiner } from '../examined.ts'

const SOURCE = source('S', '3.7')

export const holidaysCheck: Check = {
  key: 'holidays',
  name: '개장일',
  source: SOURCE,
  async run(examiner) {
    const asked = await examiner.ask((rest) => rest.holidays(kstDay(examiner.subject.now())))
    const rows = goodReplies(asked).flatMap((reply) => rowsOf(HOLIDAYS, reply) ?? [])
    return orOk(
      [...judged(examiner, asked, '개장일'), ...calendarOf(examiner, rows), ...weekdays(rows)],
      `앞으로 ${rows.length}일의 개장 여부가 디거의 달력과 같습니다.`,
      SOURCE,
    )
  },
}

function calendarOf({ subject: { timetable } }: Examiner, rows: readonly Row[]): Finding[] {
  if (timetable.hours === 'always') return []
  const odd = rows.flatMap((row): string[] => {
    const [day, open] = [textOf(row['bass_dt']), textOf(row['opnd_yn'])]
    if (!/^\d{8}$/.test(day) || !/^[YN]$/.test(open) || !isCovered(day)) return []
    return (open === 'Y') === isTradingDay(day, timetable) ? [] : [`${day}(증권사 ${open === 'Y' ? '개장' : '휴장'})`]
  })
  if (odd.length === 0) return []
  return [
    wrong(
      `디거의 달력과 증권사의 개장 여부가 다른 날이 있습니다: ${odd.join(', ')}. 디거는 증권사를 따르지만, 관리자에게 알려 주세요.`,
      {
        fields: ['opnd_yn', 'bass_dt'],
        source: SOURCE,
      },
    ),
  ]
}

/** 01 is Sunday. */
function weekdays(rows: readonly Row[]): Finding[] {
  const odd = rows.find((row) => {
    const [day, code] = [textOf(row['bass_dt']), textOf(row['wday_dvsn_cd'])]
    return /^\d{8}$/.test(day) && /^0[1-7]$/.test(code) && Number(code) !== weekday(day) + 1
  })
  if (odd === undefined) return []
  const came = `${textOf(odd['bass_dt'])} ${textOf(odd['wday_dvsn_cd'])}`
  return [
    note('요일 번호가 날짜와 맞지 않습니다. 디거는 읽지 않습니다.', {
      fields: ['wday_dvsn_cd', 'bass_dt'],
      came,
      source: SOURCE,
    }),
  ]
}
