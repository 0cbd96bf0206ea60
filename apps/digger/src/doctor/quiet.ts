import { kstClock } from '@digger/core'

/** Half an hour before NXT opens at 08:00, seconds of the day: a server reads its lists and connects by then. */
const ENDS = 7.5 * 3_600
/** NXT closes. */
const BEGINS = 20 * 3_600

/** Nobody trades, nor prepares to: bursts take nothing from anybody. */
export const isQuiet = (now: number): boolean => kstClock(now) < ENDS || kstClock(now) >= BEGINS
