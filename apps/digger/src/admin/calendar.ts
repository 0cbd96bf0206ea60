import { Refused } from '@digger/contract'
import { correctionText, isDay, kstDay, kstIso, secondsOf, weekday, type DayCorrection } from '@digger/core'
import { type Clock, type Db, OperatorError } from '@digger/database'
import { dayText, Timetables, TradingCalendar, type CalendarDay } from '@digger/engine'
import { writeAuditForAll } from '@digger/identity'

export const CALENDAR_USAGE = `  calendar                 보통과 다른 거래일 목록(오늘부터 내년까지)
  calendar 날짜 closed     그날을 휴장으로 한다(날짜는 20270104처럼)
  calendar 날짜 normal     그날을 보통 거래일로 한다
  calendar 날짜 10:00 15:30 [08:00]
                           그날 여는 시각, 닫는 시각, 프리마켓 시각(없으면 프리마켓 없음)
  calendar 날짜 remove     고친 것을 지운다`

const BY = '운영자'
const HOLDS = '켜 둔 서버는 1분 안에 따릅니다.'

/** The exchange's days, listed or corrected on the database itself. A running server looks there for them. */
export async function runCalendar(
  { db, clock }: { readonly db: Db; readonly clock: Pick<Clock, 'now'> },
  [day, ...words]: readonly string[],
): Promise<string> {
  const calendar = new TradingCalendar({ db, clock, timetables: new Timetables('krx'), log: writeAuditForAll })
  await calendar.look()
  if (day === undefined) return list(calendar, kstDay(clock.now()))
  if (!isDay(day)) throw new OperatorError(`달력에 없는 날짜입니다: ${day}. 20270104처럼 여덟 자리로 넣어 주세요.`)
  const isRemoval = words.join(' ') === 'remove'
  const correction = correctionOf(words)
  if (correction === null && !isRemoval) throw new OperatorError(`쓰는 법:\n${CALENDAR_USAGE}`)
  try {
    await (correction === null ? calendar.takeBack(day, BY) : calendar.correct(day, correction, BY))
  } catch (error) {
    throw error instanceof Refused ? new OperatorError(error.message, { cause: error }) : error
  }
  return `${dayText(day)}: ${correction === null ? '고친 것을 지웠습니다' : correctionText(correction)}. ${HOLDS}`
}

/** Null: these are no words for a day. */
function correctionOf([first = '', second, third, ...rest]: readonly string[]): DayCorrection | null {
  if (first === 'closed' || first === 'normal') return second === undefined ? first : null
  const [opensAt, closesAt] = [secondsOf(first), secondsOf(second ?? '')]
  const preMarketAt = third === undefined ? null : (secondsOf(third) ?? undefined)
  if (opensAt === null || closesAt === null || preMarketAt === undefined || rest.length > 0) return null
  return { opensAt, closesAt, preMarketAt }
}

const list = (calendar: TradingCalendar, today: string): string =>
  [
    '보통과 다른 거래일(증권사가 알려 준 날은 켜 둔 서버의 관리자 화면에만 있습니다)',
    ...calendar.days().flatMap((one) => (one.day < today ? [] : lineOf(one))),
    ...(calendar.missingYear === null
      ? []
      : [`${calendar.missingYear}년 휴장일이 아직 없습니다. 거래소가 알린 날을 하나씩 넣어 주세요.`]),
  ].join('\n')

function lineOf({ day, is, otherwise, correctedBy }: CalendarDay): string {
  const line = `${dayText(day)}(${'일월화수목금토'[weekday(day)]})  ${correctionText(is)}`
  if (correctedBy === null) return `${line}  [기본]`
  return `${line}  [${correctedBy.by}, ${kstIso(correctedBy.at).slice(0, 10)}; 원래 ${correctionText(otherwise ?? 'normal')}]`
}
