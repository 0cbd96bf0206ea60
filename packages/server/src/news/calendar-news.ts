import type { Bus } from '@digger/cluster'
import type { TradingCalendar } from '@digger/engine'

const SUBJECT = 'digger.calendar'

/** Days that an operator corrects at one worker hold at all of them at once; without the news they look each half minute. */
export const followCalendar = (bus: Bus, calendar: Pick<TradingCalendar, 'look'>): (() => void) =>
  // A database that is away shows elsewhere.
  bus.subscribe(SUBJECT, () => void calendar.look().catch(() => undefined))

export const tellCalendar = (bus: Bus): void => bus.publish(SUBJECT, new Uint8Array())
