import { PRECONDITION_TEXTS } from '../account/preconditions.ts'
import { kstDay, kstTime } from '../krx/kst.ts'
import { dayEnds, isTradingDay } from '../krx/session.ts'
import { grouped } from '../ladder/text.ts'
import type { MorningFacts, MorningInput, MorningItem, MorningItemName, MorningState } from './types.ts'

/** Items are built with only what they have. */
export const is =
  (item: MorningItemName) =>
  (
    state: MorningState,
    text: string,
    over: { since?: number | null; codes?: readonly string[] } = {},
  ): MorningItem => ({
    item,
    state,
    text,
    since: over.since ?? null,
    codes: over.codes ?? [],
  })

export function keyItem({ account: { view }, facts }: MorningInput): MorningItem {
  const key = is('key')
  if (!facts.opened) return key('red', '키가 열려 있지 않습니다. Digger에 로그인하면 열립니다.')
  const since = view.connection.linkedAt
  return view.connection.authorised
    ? key('ok', '키가 열려 있습니다.', { since })
    : key('waiting', '키를 열고 증권사에 연결하고 있습니다.', { since })
}

/** Whether notices come is known only after an order: a registration that was taken is all there is before. */
export function noticesItem({ ctx, facts: { opened, socket } }: MorningInput): MorningItem {
  const notices = is('notices')
  if (!opened) return notices('waiting', '키가 열리면 체결 통보를 등록합니다.')
  const { since, receivedAt } = socket
  if (ctx.doubts?.noticesRefused === true) return notices('red', PRECONDITION_TEXTS.notices(), { since })
  if (!socket.wanted)
    return notices(
      'waiting',
      '실시간 연결을 끊어 두었습니다. ‘시세 연결’에서 이을 때까지 목록을 읽어 체결을 확인합니다.',
      {
        since,
      },
    )
  if (!socket.connected)
    return notices('waiting', '실시간 연결을 다시 잇고 있습니다. 그동안은 목록을 읽어 체결을 확인합니다.', { since })
  return receivedAt === null
    ? notices('ok', '체결 통보를 등록했습니다. 아직 받은 통보는 없습니다. 통보는 주문한 뒤에 옵니다.', { since })
    : notices('ok', `체결 통보를 받고 있습니다. 마지막 통보 ${kstTime(receivedAt).replace(COLONS, '$1:$2:$3')}.`, {
        since,
      })
}

/** `HHMMSS` as people write it. */
const COLONS = /^(..)(..)(..)$/

const NTP = '이 컴퓨터의 시각 동기화(NTP)를 켜 두세요.'
/** A machine that is less wrong than this needs no word, ms. */
const NOTICEABLE_MS = 3_000

export function clockItem({ ctx, facts: { opened, machineAheadMs } }: MorningInput): MorningItem {
  const clock = is('clock')
  if (ctx.doubts?.clockOffMs !== undefined) return clock('red', PRECONDITION_TEXTS.clock(ctx.doubts))
  if (ctx.isTimeUnknown === true)
    return clock('waiting', opened ? '증권사의 시각을 기다립니다.' : '키가 열리면 증권사의 시각에 맞춥니다.')
  if (machineAheadMs === null)
    return clock('notApplicable', `증권사가 시각을 알려 주지 않아 이 컴퓨터의 시계를 씁니다. ${NTP}`)
  if (Math.abs(machineAheadMs) < NOTICEABLE_MS) return clock('ok', '증권사의 시각에 맞추었습니다.')
  const by = `${grouped(Math.round(Math.abs(machineAheadMs) / 1_000))}초 ${machineAheadMs > 0 ? '빠릅니다' : '늦습니다'}`
  return clock('ok', `증권사의 시각에 맞추었습니다. 이 컴퓨터의 시계는 ${by}. 주문에는 쓰지 않지만 ${NTP}`)
}

export function hoursItem({ ctx, facts: { calendar } }: MorningInput): MorningItem {
  const hours = is('hours')
  const { timetable, now, doubts } = ctx
  if (timetable.hours === 'always') return hours('notApplicable', '늘 열려 있는 모의 시장입니다.')
  if (doubts?.isDayDisputed === true) return hours('red', PRECONDITION_TEXTS.hours())
  const today = todayText(kstDay(now), timetable)
  if (calendar.isOperators) return hours('ok', `${today} 관리자가 정한 대로입니다.`)
  if (!calendar.isOffered)
    return hours('notApplicable', `${today} 증권사가 휴장일을 알려 주지 않아 Digger의 달력을 따릅니다.`)
  return calendar.listed === null
    ? hours('waiting', `${today} 증권사의 휴장일은 아직 읽지 못해 Digger의 달력을 따릅니다.`)
    : hours('ok', `${today} ${agreementText(calendar, isTradingDay(kstDay(now), timetable))}`)
}

const agreementText = ({ listed }: MorningFacts['calendar'], isOpen: boolean): string =>
  (listed === 'open') === isOpen ? '증권사도 같습니다.' : '증권사의 휴장일은 다릅니다.'

function todayText(day: string, timetable: MorningInput['ctx']['timetable']): string {
  if (!isTradingDay(day, timetable)) return '오늘은 쉬는 날입니다.'
  const { opens, regular } = dayEnds(day, timetable)
  const [from, to] = [opens, regular].map((at) => kstTime(at).replace(COLONS, '$1:$2'))
  return `오늘 정규장은 ${from}부터 ${to}까지입니다.`
}
