import { addDays, DAY_MS, kstDay, kstMidnight, kstMsOfDay, weekday } from '@digger/core'
import type { VenueName } from './venue.ts'
import { CLOSED_DAYS, DAY_KINDS, type DayKind } from './market-days.ts'

/** Typed by itself, as all hours here are: a client's mistake must not be this exchange's too. */
export type PhaseName = keyof typeof MATCHING

/** What an exchange does at an instant. */
export interface MarketPhase {
  readonly name: PhaseName
  readonly matching: (typeof MATCHING)[PhaseName]
}

const MATCHING = {
  closed: 'closed',
  preMarket: 'continuous',
  openingAuction: 'auction',
  regular: 'continuous',
  closingAuction: 'auction',
  postClose: 'closed',
  pause: 'closed',
  afterAuction: 'auction',
  afterMarket: 'continuous',
} as const

/** When each phase begins, and the end of the last one, by kind of day: as the exchanges announce it, written out. */
const DAYS: Record<VenueName, Record<DayKind, string>> = {
  KRX: {
    normal: '08:20 openingAuction 09:00 regular 15:20 closingAuction 15:30 postClose 16:00 afterMarket 20:00',
    firstSession: '09:20 openingAuction 10:00 regular 15:20 closingAuction 15:30 postClose 16:00 afterMarket 20:00',
    exam: '09:20 openingAuction 10:00 regular 16:20 closingAuction 16:30 postClose 17:00 afterMarket 20:00',
    halfHour: '08:50 openingAuction 09:30 regular 15:20 closingAuction 15:30 postClose 16:00 afterMarket 20:00',
  },
  NXT: {
    normal: '08:00 preMarket 08:50 pause 09:00:30 regular 15:20 pause 15:30 afterAuction 15:40 afterMarket 20:00',
    firstSession: '10:00:30 regular 15:20 pause 15:30 afterAuction 15:40 afterMarket 20:00',
    exam: '10:00:30 regular 16:20 pause 16:30 afterAuction 16:40 afterMarket 20:00',
    halfHour: '08:00 preMarket 08:50 pause 09:30:30 regular 15:20 pause 15:30 afterAuction 15:40 afterMarket 20:00',
  },
}

/** Minutes by which a kind of day opens and closes later than a normal one. */
const DELAY: Record<DayKind, readonly [open: number, close: number]> = {
  normal: [0, 0],
  firstSession: [60, 0],
  exam: [60, 60],
  halfHour: [30, 0],
}

/** Since then KRX has an after-market, and an opening auction ten minutes longer. */
const AFTER_MARKET_SINCE = '20260914'
const NXT_SINCE = '20250304'

interface Row {
  /** Ms of the KST day. */
  readonly from: number
  readonly phase: MarketPhase
}

const CLOSED: MarketPhase = { name: 'closed', matching: 'closed' }

function rowsOf(text: string): readonly Row[] {
  const words = text.split(' ')
  return words.flatMap((word, at): Row[] => {
    if (!/^\d/.test(word)) return []
    const [hours = 0, minutes = 0, seconds = 0] = word.split(':').map(Number)
    const name = Object.keys(MATCHING).find((one): one is PhaseName => one === words[at + 1])
    return [
      {
        from: ((hours * 60 + minutes) * 60 + seconds) * 1_000,
        phase: name === undefined ? CLOSED : { name, matching: MATCHING[name] },
      },
    ]
  })
}

const ROWS = Object.fromEntries(
  Object.entries(DAYS).map(([venue, kinds]) => [
    venue,
    Object.fromEntries(Object.entries(kinds).map(([kind, text]) => [kind, rowsOf(text)])),
  ]),
)

/** Later by so many minutes: one phase of a day. */
const later = (rows: readonly Row[], phase: PhaseName, minutes: number): readonly Row[] =>
  rows.map((row) => (row.phase.name === phase ? { ...row, from: row.from + minutes * 60_000 } : row))

/** As KRX was before its after-market. */
const withoutAfterMarket = (rows: readonly Row[]): readonly Row[] =>
  later(rows, 'openingAuction', 10).flatMap((row): Row[] => {
    if (row.phase.name === 'afterMarket') return [{ ...row, phase: CLOSED }]
    return row.phase.name === 'closed' ? [] : [row]
  })

/** What sources disagree about, or do not say. */
export interface HourAssumptions {
  /** When KRX begins to collect orders on a normal day: the broker's notice for 2026-09-14, or other texts of that week. */
  readonly openingAuctionFrom: '08:20' | '08:30'
  /** When the evening ends on a day that begins late. Announcements up to 2026 leave 20:00 alone; of 2026-11-19 none was found. */
  readonly lateDayEnds: '20:00' | '21:00'
}

export interface MarketCalendar extends Partial<HourAssumptions> {
  /** `always`: one endless session, for demonstrations and tests. */
  readonly hours: 'always' | 'krx'
  /** Weekdays without trading beside the known ones. */
  readonly closed?: readonly string[]
  readonly kinds?: Readonly<Record<string, DayKind>>
}

/** Two pretend exchanges' calendar and clock. */
export class MarketHours {
  readonly always: boolean
  readonly #closed: ReadonlySet<string>
  /** All days without trading beside weekends. */
  readonly closedDays: string
  readonly #kinds: ReadonlyMap<string, DayKind>
  readonly #collectsAt: HourAssumptions['openingAuctionFrom']
  readonly #lateDayEnds: HourAssumptions['lateDayEnds']

  constructor({ hours, closed = [], kinds = {}, openingAuctionFrom = '08:20', lateDayEnds = '20:00' }: MarketCalendar) {
    this.#collectsAt = openingAuctionFrom
    this.#lateDayEnds = lateDayEnds
    this.always = hours === 'always'
    this.#closed = new Set([...CLOSED_DAYS, ...closed])
    this.closedDays = [...this.#closed].join(' ')
    this.#kinds = new Map([...DAY_KINDS, ...Object.entries(kinds)])
  }

  isOpenDay(day: string): boolean {
    return this.always || (weekday(day) % 6 !== 0 && !this.#closed.has(day))
  }

  phaseAt(venue: VenueName, now: number): MarketPhase {
    if (this.always) return { name: 'regular', matching: 'continuous' }
    const ms = kstMsOfDay(now)
    return this.#rows(venue, kstDay(now)).findLast((row) => row.from <= ms)?.phase ?? CLOSED
  }

  /** The next instant at which a phase of either venue begins or ends, epoch ms; at the latest two months ahead. */
  nextChange(now: number): number {
    const today = kstDay(now)
    for (let n = 0; n < 60; n++) {
      const day = addDays(today, n)
      const edge = this.#edges(day).find((at) => at > now)
      if (edge !== undefined) return edge
    }
    return now + 60 * DAY_MS
  }

  /** By how many ms the open, or the close, comes later than on a normal day. */
  delayMs(day: string, what: 'open' | 'close'): number {
    if (this.always) return 0
    const [open, close] = DELAY[this.#kindOf(day)]
    return (what === 'open' ? open : close) * 60_000
  }

  /** Days since KRX has one, and an opening auction that is longer by ten minutes, or is not. */
  hasAfterMarket(day: string): boolean {
    return !this.always && day >= AFTER_MARKET_SINCE
  }

  #kindOf(day: string): DayKind {
    return this.#kinds.get(day) ?? 'normal'
  }

  #rows(venue: VenueName, day: string): readonly Row[] {
    if (!this.isOpenDay(day) || (venue === 'NXT' && day < NXT_SINCE)) return []
    const kind = this.#kindOf(day)
    const usual = ROWS[venue]?.[kind] ?? []
    const isLate = DELAY[kind][0] === 60
    const rows = isLate && this.#lateDayEnds === '21:00' ? later(usual, 'closed', 60) : usual
    if (venue === 'NXT') return rows
    if (day < AFTER_MARKET_SINCE) return withoutAfterMarket(rows)
    return this.#collectsAt === '08:30' ? later(rows, 'openingAuction', 10) : rows
  }

  #edges(day: string): readonly number[] {
    const midnight = kstMidnight(day)
    if (this.always) return [midnight]
    const all = [...this.#rows('KRX', day), ...this.#rows('NXT', day)].map(({ from }) => midnight + from)
    return [...new Set(all)].sort((a, b) => a - b)
  }
}
