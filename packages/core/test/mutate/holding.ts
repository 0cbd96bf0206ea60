import { inFile, type Guard } from './guard.ts'

const holdBack = inFile('account/hold-back')
const newDay = inFile('account/new-day')
const refusals = inFile('account/refusals')
const venues = inFile('account/venues')

/** What waits after a refusal, what is held back for a day, and what a new day lets go. */
export const HOLDING: readonly Guard[] = [
  holdBack('our own orders only', "if (origin === 'person') return", "if (origin === 'nobody') return"),
  holdBack('buys of the stock', "if (side === 'buy') return holdBuysBack(builder, code)", "if (side === 'buy') return"),
  holdBack('also after a restart', "if (isTakenBack && side === 'buy' && origin === 'auto') ", 'if (order.id < 0) '),
  holdBack('not what we cancelled', "status === 'cancelled' && !cancelAsked", "status === 'cancelled'"),
  newDay('days go forward', 'if (today <= builder.book.day) return', 'if (today === builder.book.day) return'),
  newDay('a new day frees buys', 'stocks: { heldBuys: new Set(), ', 'stocks: { '),
  newDay('what was agreed on is of its day', ' agreedStrangers: new Map(),', ''),
  newDay('a new day may go to NXT again', ', notOnNxt: new Set() }', ' }'),
  newDay(
    'a stop for rejects has a try a day',
    'if (isTradingDay(today, builder.ctx.timetable)) liftStops(builder)',
    '',
  ),
  newDay('on trading days', 'if (isTradingDay(today, builder.ctx.timetable)) lift', 'lift'),
  newDay('other stops stay', "if (blocked?.code === 'rejects')", 'if (blocked !== null)'),
  refusals('orders that left together are one answer', 'order.createdAt <= before.at', 'order.id < 0'),
  refusals('waits grow', 'first * 2 ** (tries - 1)', 'first'),
  refusals('but not for ever', 'Math.min(first * 2 ** (tries - 1), longest)', 'first * 2 ** (tries - 1)'),
  refusals('the after-market is over for today', "session !== 'after' || ", "session !== 'never' || "),
  refusals('a venue that refused', "if (cause === 'venue' && order.venue !== 'KRX')", 'if (order.id < 0)'),
  refusals('until the wait is over', 'now >= wait.until', 'now > 0'),
  venues('is not asked again today', 'stocks.notOnNxt.has(issue.code) ? ', "issue.code === '' ? "),
]
