import { field, padded, type Call, type Reply } from './call.ts'

const DAYS_REFUSED: Reply = {
  status: 200,
  body: { rt_cd: '7', msg_cd: 'KIER2570', msg1: padded('조회일자를 확인하십시오.') },
}

/** The broker's reply where it does not list these days together, or not this one; null where it does. */
export function refusedDays(call: Call): Reply | null {
  const { assumed, hours } = call.broker
  const [from, to] = [field(call, 'INQR_STRT_DT'), field(call, 'INQR_END_DT')]
  const endsOpen = hours.isOpenDay(from) && hours.isOpenDay(to)
  if (from === to && endsOpen) return null
  const answer = assumed.decide('dayRanges')
  return answer === 'answered' || (answer === 'refusedOverHolidays' && endsOpen) ? null : DAYS_REFUSED
}
