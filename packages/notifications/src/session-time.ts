import { phaseAt, type Timetable } from '@digger/core'

/** Whether an exchange trades at this instant of the market's time. */
export const isSession = (now: number, timetable: Timetable): boolean =>
  (['KRX', 'NXT'] as const).some((venue) => phaseAt(venue, now, timetable).matching !== 'closed')
