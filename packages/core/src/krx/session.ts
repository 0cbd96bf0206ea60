import { addDays, DAY_MS, kstDay, kstMidnight, kstMsOfDay, weekday } from './kst.ts'

/** Trading hours as the caller knows them: shipped days, corrected by the broker and the operator. */
export interface Timetable {
  /** `always`: one endless KRX session, for demonstrations and tests. */
  readonly hours: 'always' | 'krx'
  /** Closed weekdays, KST `YYYYMMDD`. Weekends need no entry. */
  readonly closed: ReadonlySet<string>
  /** Days with hours of their own, such as the first session of a year. */
  readonly special: ReadonlyMap<string, DayHours>
}

/** Seconds of the KST day. All other phases follow from these; the last one ends at 20:00 whatever they are. */
export interface DayHours {
  /** KRX's regular session opens, and closes with its auction. */
  readonly opensAt: number
  readonly closesAt: number
  /** NXT's pre-market begins; null: there is none that day. */
  readonly preMarketAt: number | null
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

export const NORMAL_HOURS: DayHours = { opensAt: clock(9, 0), closesAt: clock(15, 30), preMarketAt: clock(8, 0) }

const MINUTES = 60
const OPENING = phase('openingAuction', 'auction', 'market')
const AFTER = phase('afterMarket', 'continuous', 'best')

/** KRX's regular day, with the opening auction so many minutes long. */
const krxDay = ({ opensAt, closesAt }: DayHours, auctionMinutes: number): readonly Row[] => [
  row(opensAt - auctionMinutes * MINUTES, opensAt, OPENING),
  row(opensAt, closesAt - 10 * MINUTES, KRX_REGULAR),
  row(closesAt - 10 * MINUTES, closesAt, phase('closingAuction', 'auction', 'market')),
  row(closesAt, closesAt + 30 * MINUTES, phase('postClose', 'closed', '')),
]

const krxAfterMarket = ({ closesAt }: DayHours): Row => row(closesAt + 30 * MINUTES, DAY_END, AFTER)

const nxtPreMarket = ({ opensAt, preMarketAt }: DayHours): readonly Row[] =>
  preMarketAt === null
    ? []
    : [
        row(preMarketAt, preMarketAt + 50 * MINUTES, phase('preMarket', 'continuous', 'best')),
        row(preMarketAt + 50 * MINUTES, opensAt + 30, phase('pause', 'closed', '')),
      ]

const nxtDay = (hours: DayHours): readonly Row[] => [
  ...nxtPreMarket(hours),
  row(hours.opensAt + 30, hours.closesAt - 10 * MINUTES, NXT_REGULAR),
  row(hours.closesAt - 10 * MINUTES, hours.closesAt, phase('pause', 'closed', '')),
  // That plain limit orders are taken here is an assumption: no source lists the order types of this phase.
  row(hours.closesAt, hours.closesAt + 10 * MINUTES, phase('afterAuction', 'auction', 'limit')),
  row(hours.closesAt + 10 * MINUTES, DAY_END, AFTER),
]

interface Table {
  readonly since: string
  readonly rows: (hours: DayHours) => readonly Row[]
}

/** Newest first; the first entry whose day has come is in force. */
const TABLES: Record<'KRX' | 'NXT', readonly Table[]> = {
  KRX: [
    // The after-market opened and the opening auction moved from 08:30 to 08:20.
    { since: '20260914', rows: (hours) => [...krxDay(hours, 40), krxAfterMarket(hours)] },
    // The off-hours single-price session that ran until 18:00 is left out: Digger has no order type for it.
    { since: '00000000', rows: (hours) => krxDay(hours, 30) },
  ],
  NXT: [{ since: '20250304', rows: nxtDay }],
}

export const isTradingDay = (day: string, timetable: Timetable): boolean =>
  timetable.hours === 'always' || (weekday(day) % 6 !== 0 && !timetable.closed.has(day))

/** What the exchange is doing at an instant (epoch ms). */
export function phaseAt(venue: 'KRX' | 'NXT', now: number, timetable: Timetable): Phase {
  if (timetable.hours === 'always') return venue === 'KRX' ? KRX_REGULAR : NXT_REGULAR

  const seconds = kstMsOfDay(now) / 1000
  return rowsOf(venue, kstDay(now), timetable).find((r) => r.from <= seconds && seconds < r.to)?.phase ?? CLOSED
}

/** Whether any exchange trades at an instant (epoch ms). */
export const isAnyTraded = (now: number, timetable: Timetable): boolean =>
  (['KRX', 'NXT'] as const).some((venue) => phaseAt(venue, now, timetable).matching !== 'closed')

const hoursOf = (day: string, { special }: Timetable): DayHours => special.get(day) ?? NORMAL_HOURS

/** The rows of the last day asked for, of each venue: every order of a day asks for the same ones. */
const kept: Record<'KRX' | 'NXT', { table: Table | null; hours: DayHours | null; rows: readonly Row[] }> = {
  KRX: { table: null, hours: null, rows: [] },
  NXT: { table: null, hours: null, rows: [] },
}

function rowsOf(venue: 'KRX' | 'NXT', day: string, timetable: Timetable): readonly Row[] {
  if (!isTradingDay(day, timetable)) return []
  const table = TABLES[venue].find(({ since }) => since <= day)
  if (table === undefined) return []
  const hours = hoursOf(day, timetable)
  const { [venue]: last } = kept
  if (last.table === table && last.hours === hours) return last.rows
  kept[venue] = { table, hours, rows: table.rows(hours) }
  return kept[venue].rows
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

/** Instants of a KST day by timetable, epoch ms. */
export interface DayEnds {
  /** KRX's regular session opens. */
  readonly opens: number
  /** NXT's pre-market ends; null: there is none. */
  readonly preMarket: number | null
  /** KRX's regular session ends. */
  readonly regular: number
  /** All trading ends. */
  readonly all: number
  /** All trading has ended for sure: whether 20:00 moves on a day that opens or closes later no source says. */
  readonly surely: number
}

export function dayEnds(day: string, timetable: Timetable): DayEnds {
  const midnight = kstMidnight(day)
  if (timetable.hours === 'always') {
    const end = midnight + DAY_MS
    return { opens: midnight, preMarket: null, regular: end, all: end, surely: end }
  }
  const { opensAt, closesAt, preMarketAt } = hoursOf(day, timetable)
  const at = (seconds: number): number => midnight + seconds * 1000
  return {
    opens: at(opensAt),
    preMarket: preMarketAt === null ? null : at(preMarketAt + 50 * MINUTES),
    regular: at(closesAt),
    all: at(DAY_END),
    surely: at(DAY_END + Math.max(0, opensAt - NORMAL_HOURS.opensAt, closesAt - NORMAL_HOURS.closesAt)),
  }
}

/** When the first phase of either venue begins on a KST day, epoch ms; null: no trading. */
export function dayBegins(day: string, timetable: Timetable): number | null {
  if (!isTradingDay(day, timetable)) return null
  return edgesOf(day, timetable)[0] ?? null
}

/** The last trading day before a KST day. Throws RangeError where there is none within 60 days. */
export function tradingDayBefore(day: string, timetable: Timetable): string {
  for (let n = 1; n <= MAX_CLOSURE_DAYS; n++) {
    const before = addDays(day, -n)
    if (isTradingDay(before, timetable)) return before
  }
  throw new RangeError(`no trading day within ${MAX_CLOSURE_DAYS} days before ${day}`)
}
