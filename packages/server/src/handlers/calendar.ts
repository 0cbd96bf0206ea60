import { kstIso } from '@digger/core'
import type { Handlers } from '@digger/http'
import type { Services } from '../services.ts'

type CalendarCalls = 'calendar' | 'setCalendarDay' | 'deleteCalendarDay'

export function calendarHandlers({ calendar }: Services): Pick<Handlers, CalendarCalls> {
  const view = () => ({
    hours: calendar.isAlwaysOpen ? ('always' as const) : ('krx' as const),
    missingYear: calendar.missingYear,
    days: calendar.days().map(({ correctedBy, otherwise, ...day }) => ({
      ...day,
      ...(otherwise === null ? {} : { otherwise }),
      correctedBy: correctedBy && { by: correctedBy.by, at: kstIso(correctedBy.at) },
    })),
  })
  return {
    async calendar() {
      await calendar.look()
      return view()
    },
    async setCalendarDay({ params, body, caller }) {
      await calendar.correct(params.day, body.is, caller.email)
      return view()
    },
    async deleteCalendarDay({ params, caller }) {
      await calendar.takeBack(params.day, caller.email)
      return view()
    },
  }
}
