import type { Reply } from '@digger/contract'
import { phaseAt, type Timetable } from '@digger/core'

/** Before the server's reply no hours are known: an old price is then only called late. */
const UNKNOWN: Timetable = { hours: 'always', closed: new Set(), special: new Map() }
let current = UNKNOWN

/** One for the whole page: cards look at it by the second and need no redraw when it comes. */
export function setTimetable(market: Reply<'me'>['market'] | undefined): void {
  current = market === undefined ? UNKNOWN : timetableOf(market)
}
export const currentTimetable = (): Timetable => current

let streaming = false
/** Whether prices arrive at all: the page is connected to the server, and the server to the broker. */
export function setStreaming(isStreamingNow: boolean): void {
  streaming = isStreamingNow
}
export const isStreaming = (): boolean => streaming

export const timetableOf = ({ hours, closed, special }: Reply<'me'>['market']): Timetable => ({
  hours,
  closed: new Set(closed),
  special: new Map(special.map(({ day, ...hours }) => [day, hours])),
})

/** What keeps prices from moving at an instant: nothing, an auction that gathers orders, or closed exchanges. */
export function marketPauseLabel(nxt: boolean, now: number, timetable: Timetable): '' | '동시호가' | '장 마감' {
  const krx = phaseAt('KRX', now, timetable).matching
  const other = nxt ? phaseAt('NXT', now, timetable).matching : 'closed'
  if (krx === 'continuous' || other === 'continuous') return ''
  return krx === 'auction' || other === 'auction' ? '동시호가' : '장 마감'
}
