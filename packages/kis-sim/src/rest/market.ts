import { kstClock } from '@digger/core'
import type { SimIssue, TapeVenue } from '../exchange/issue.ts'
import { badField, field, missingField, type Call, type CallName, type Reply } from './call.ts'

const NAME = 'FID_COND_MRKT_DIV_CODE'

const VENUES: ReadonlyMap<string, TapeVenue> = new Map([
  ['J', 'KRX'],
  ['NX', 'NXT'],
  ['UN', 'UN'],
])
/** The broker's division of warrants: right to ask for, but none is listed here. */
const WARRANTS = 'W'

/** Calls about one issue in one market. */
const OF_A_MARKET: ReadonlySet<CallName> = new Set([
  'price',
  'price2',
  'orderBook',
  'lastTrades',
  'dailyPrice',
  'dayChart',
  'minuteChart',
  'minuteChartPast',
])

export const tapeVenue = (call: Call): TapeVenue => VENUES.get(field(call, NAME)) ?? 'KRX'

export const issueOf = (call: Call): SimIssue | undefined =>
  field(call, NAME) === WARRANTS ? undefined : listedIssue(call, field(call, 'FID_INPUT_ISCD'))

/** When quotes show the new day at the latest, seconds of the KST day. */
const LATEST_MORNING = 8 * 3_600 + 1_800

/** Until then another answer would show another day. */
export function noteShownDay({ broker: { exchange, assumed } }: Call): void {
  const isOpen = !exchange.options.hours.always && exchange.isOpenDay()
  if (isOpen && kstClock(exchange.now) < LATEST_MORNING) assumed.decide('baseShownFrom')
}

/** Of a share that has gone into another one the broker knows nothing any more. */
export function listedIssue({ broker }: Call, code: string): SimIssue | undefined {
  const issue = broker.exchange.issues.get(code)
  return issue?.status.delisted === true ? undefined : issue
}

/** The broker's own list of codes gives OPSQ2001 the text INVALID_CHECK_MRKT_DIV_CODE. */
export function wrongMarket(call: Call): Reply | null {
  if (!OF_A_MARKET.has(call.name)) return null
  const market = field(call, NAME)
  if (market === '') return missingField(NAME)
  return market === WARRANTS || VENUES.has(market) ? null : badField('MRKT_DIV_CODE')
}
