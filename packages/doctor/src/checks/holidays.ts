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
  const odd = (listed: 'Y' | 'N'): string =>
    rows
      .filter((row) => textOf(row['opnd_yn']) === listed)
      .map((row) => textOf(row['bass_dt']))
      .filter((day) => /^\d{8}$/.test(day) && isCovered(day) && isTradingDay(day, timetable) !== (listed === 'Y'))
      .join(', ')
  const [open, closed] = [odd('Y'), odd('N')]
  const more = { fields: ['opnd_yn', 'bass_dt'], source: SOURCE }
  return [
    ...(open === '' ? [] : [wrong(openText(open), more)]),
    ...(closed === '' ? [] : [note(closedText(closed), more)]),
  ]
}

/** Such a day is nobody's to decide but a person's: an order on a closed day waits at the broker for the next morning. */
const openText = (days: string): string =>
  `증권사는 장이 열린다는데 디거의 달력은 쉬는 날입니다: ${days}. 그날 자동 주문은 관리자가 ‘거래일 달력’에서 그날을 정할 때까지 기다립니다. 미리 정해 두세요.`

const closedText = (days: string): string =>
  `증권사는 쉬는 날이라는데 디거의 달력은 장이 열리는 날입니다: ${days}. 디거는 증권사를 따라 그날 자동 주문을 내지 않습니다. 장이 열리는 날이 맞다면 관리자가 ‘거래일 달력’에서 열어 주세요.`

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
