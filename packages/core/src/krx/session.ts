import { addDays, DAY_MS, kstDay, kstMidnight, kstMsOfDay, weekday } from './kst.ts'

/** Trading hours as the caller knows them; the calendar itself comes from the broker. */
export interface Timetable {
  /** `always`: one endless KRX session, for demonstrations and tests. */
  readonly hours: 'always' | 'krx'
  /** Closed weekdays, KST `YYYYMMDD`. Weekends need no entry. */
  readonly closed: ReadonlySet<string>
  /** Days that begin later, such as the college entrance exam (60). */
  readonly shiftMinutes: ReadonlyMap<string, number>
}

export type PhaseName =
  | 'closed'
  | 'preMarket'
  | 'openingAuction'
  | 'regular'
  | 'closingAuction'
  /** Trades at today's close only; Digger never uses it. */
  | 'postClose'
  | 'pause'
  | 'afterAuction'
  | 'afterMarket'

export interface Phase {
  readonly name: PhaseName
  readonly matching: 'continuous' | 'auction' | 'closed'
  /** The exchange takes plain limit orders (in the KRX after-market under codes of their own). */
  readonly orderable: boolean
  /** It takes market orders. NXT has none, nor has the KRX after-market. */
  readonly marketOrders: boolean
  /** It takes orders at the opposite best price. Not in single-price phases. */
  readonly bestOrders: boolean
}

const phase = (
  name: PhaseName,
  matching: Phase['matching'],
  takes: '' | 'limit' | 'best' | 'market' | 'all',
): Phase => ({
  name,
  matching,
  orderable: takes !== '',
  marketOrders: takes === 'market' || takes === 'all',
  bestOrders: takes === 'best' || takes === 'all',
})

const CLOSED = phase('closed', 'closed', '')
const KRX_REGULAR = phase('regular', 'continuous', 'all')
const NXT_REGULAR = phase('regular', 'continuous', 'best')

interface Row {
  /** Seconds of the KST day, end excluded. */
  readonly from: number
  readonly to: number
  readonly phase: Phase
}
const clock = (hours: number, minutes: number, seconds = 0): number => (hours * 60 + minutes) * 60 + seconds
const row = (from: number, to: number, of: Phase): Row => ({ from, to, phase: of })

/** The day's last second of trading anywhere. A late start does not move it. */
const DAY_END = clock(20, 0)

const KRX_DAY = [
  row(clock(9, 0), clock(15, 20), KRX_REGULAR),
  row(clock(15, 20), clock(15, 30), phase('closingAuction', 'auction', 'market')),
  row(clock(15, 30), clock(16, 0), phase('postClose', 'closed', '')),
]
const OPENING = phase('openingAuction', 'auction', 'market')
const AFTER = phase('afterMarket', 'continuous', 'best')
const NXT_DAY = [
  row(clock(8, 0), clock(8, 50), phase('preMarket', 'continuous', 'best')),
  row(clock(8, 50), clock(9, 0, 30), phase('pause', 'closed', '')),
  row(clock(9, 0, 30), clock(15, 20), NXT_REGULAR),
  row(clock(15, 20), clock(15, 30), phase('pause', 'closed', '')),
  // That plain limit orders are taken here is an assumption: no source lists the order types of this phase.
  row(clock(15, 30), clock(15, 40), phase('afterAuction', 'auction', 'limit')),
  row(clock(15, 40), DAY_END, AFTER),
]

/** Newest first; the first entry whose day has come is in force. */
const TABLES: Record<'KRX' | 'NXT', readonly { readonly since: string; readonly rows: readonly Row[] }[]> = {
  KRX: [
    // The after-market opened and the opening auction moved from 08:30 to 08:20.
    {
      since: '20260914',
      rows: [row(clock(8, 20), clock(9, 0), OPENING), ...KRX_DAY, row(clock(16, 0), DAY_END, AFTER)],
    },
    // The off-hours single-price session that ran until 18:00 is left out: Digger has no order type for it.
    { since: '00000000', rows: [row(clock(8, 30), clock(9, 0), OPENING), ...KRX_DAY] },
  ],
  NXT: [{ since: '20250304', rows: NXT_DAY }],
}

export const isTradingDay = (day: string, timetable: Timetable): boolean =>
  timetable.hours === 'always' || (weekday(day) % 6 !== 0 && !timetable.closed.has(day))

/** What the exchange is doing at an instant (epoch ms). */
export function phaseAt(venue: 'KRX' | 'NXT', now: number, timetable: Timetable): Phase {
  if (timetable.hours === 'always') return venue === 'KRX' ? KRX_REGULAR : NXT_REGULAR

  const seconds = kstMsOfDay(now) / 1000
  return rowsOf(venue, kstDay(now), timetable).find((r) => r.from <= seconds && seconds < r.to)?.phase ?? CLOSED
}

function rowsOf(venue: 'KRX' | 'NXT', day: string, timetable: Timetable): readonly Row[] {
  if (!isTradingDay(day, timetable)) return []

  const rows = TABLES[venue].find((table) => table.since <= day)?.rows ?? []
  const shift = (timetable.shiftMinutes.get(day) ?? 0) * 60
  if (shift === 0) return rows
  const moved = (edge: number): number => (edge < DAY_END ? edge + shift : edge)
  return rows.map((r) => row(moved(r.from), moved(r.to), r.phase))
}

/** Every instant of a KST day at which a phase of either exchange begins or ends, ascending. */
function edgesOf(day: string, timetable: Timetable): readonly number[] {
  const midnight = kstMidnight(day)
  if (timetable.hours === 'always') return [midnight]
  const seconds = [...rowsOf('KRX', day, timetable), ...rowsOf('NXT', day, timetable)].flatMap((r) => [r.from, r.to])
  return [...new Set(seconds)].sort((a, b) => a - b).map((s) => midnight + s * 1000)
}

/** No closure lasts this long; more days without trading mean a broken calendar. */
const MAX_CLOSURE_DAYS = 60

/** The next moment after now at which a phase of either exchange begins or ends: when to look at routes again. */
export function nextChange(now: number, timetable: Timetable): number {
  const today = kstDay(now)
  for (let n = 0; n <= MAX_CLOSURE_DAYS; n++) {
    const change = edgesOf(addDays(today, n), timetable).find((edge) => edge > now)
    if (change !== undefined) return change
  }
  throw new RangeError(`no trading day within ${MAX_CLOSURE_DAYS} days of ${today}`)
}

/** When KRX's regular session, and all trading, end on a KST day, epoch ms by timetable. */
export function dayEnds(day: string, timetable: Timetable): { readonly regular: number; readonly all: number } {
  const midnight = kstMidnight(day)
  if (timetable.hours === 'always') return { regular: midnight + DAY_MS, all: midnight + DAY_MS }
  const shift = (timetable.shiftMinutes.get(day) ?? 0) * 60_000
  return { regular: midnight + clock(15, 30) * 1000 + shift, all: midnight + DAY_END * 1000 }
}
