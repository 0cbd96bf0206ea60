import type { Reply } from '@digger/contract'
import { phaseAt, type Timetable } from '@digger/core'

/** Until the server has told: no hours are known, so an old price is only called late. */
const UNKNOWN: Timetable = { hours: 'always', closed: new Set(), shiftMinutes: new Map() }
let timetable = UNKNOWN

/** One for the whole page: cards look at it by the second and need no redraw when it comes. */
export function knowMarket(market: Reply<'me'>['market'] | undefined): void {
  timetable = market === undefined ? UNKNOWN : timetableOf(market)
}
export const market = (): Timetable => timetable

let flowing = false
/** Whether prices arrive at all: the page hears the server, and the server the broker. */
export function knowFlow(now: boolean): void {
  flowing = now
}
export const pricesFlow = (): boolean => flowing

export const timetableOf = ({ hours, closed, late }: Reply<'me'>['market']): Timetable => ({
  hours,
  closed: new Set(closed),
  shiftMinutes: new Map(late.map(({ day, minutes }) => [day, minutes])),
})

/** What keeps prices from moving at an instant: nothing, an auction that gathers orders, or closed exchanges. */
export function stillness(nxt: boolean, now: number, of: Timetable): '' | '동시호가' | '장 마감' {
  const krx = phaseAt('KRX', now, of).matching
  const other = nxt ? phaseAt('NXT', now, of).matching : 'closed'
  if (krx === 'continuous' || other === 'continuous') return ''
  return krx === 'auction' || other === 'auction' ? '동시호가' : '장 마감'
}
