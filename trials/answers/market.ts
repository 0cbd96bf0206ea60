import { kstClock, kstInstant } from '@digger/core'
import { demoCredentials, type Candle, type Happening, type Listing, type PacedCall, type Sim } from '@digger/kis-sim'
import { settleMoves, withNewShares, actionsOf, type NewShare } from '../replay/new-share.ts'
import type { Desk, ReplayPlan } from '../replay/plan.ts'
import { DEFAULT_SETTINGS } from '../replay/settings.ts'

/** Five days around a weekend; on the Thursday everybody begins and ends an hour later, for the entrance exam. */
export const TUESDAY = '20261117'
export const WEDNESDAY = '20261118'
const EXAM_DAY = '20261119'
export const FRIDAY = '20261120'
const SATURDAY = '20261121'
export const MONDAY = '20261123'

/** Open, high, low and close of a day, in parts of a stock's first price. */
const DAYS: readonly (readonly [day: string, prices: readonly [number, number, number, number]])[] = [
  [TUESDAY, [1, 1.005, 0.95, 0.955]],
  [WEDNESDAY, [0.955, 0.99, 0.94, 0.985]],
  [EXAM_DAY, [0.985, 0.99, 0.93, 0.935]],
  [FRIDAY, [0.935, 1.01, 0.93, 1]],
  [MONDAY, [1, 1.005, 0.97, 0.985]],
]
export const KRX_CODE = '300001'
export const NXT_CODE = '300002'
/** An ETF of foreign shares: its gain is income, and taxed as such. */
export const ETF_CODE = '300003'
const HOT_CODE = '300004'
const WARNED_CODE = '300005'
const SPLIT_CODE = '300006'
/** Listed for whoever merges into it. */
export const OTHER_CODE = '300009'

const FIRST_PRICES: Readonly<Record<string, number>> = {
  [KRX_CODE]: 40_000,
  [NXT_CODE]: 8_200,
  [ETF_CODE]: 152_000,
  [HOT_CODE]: 24_150,
  [WARNED_CODE]: 3_310,
  [SPLIT_CODE]: 61_300,
}

/** Stocks that fall and recover over a weekend. */
const candlesOf = (codes: readonly string[], days: readonly string[]): Candle[] =>
  codes.flatMap((code) =>
    DAYS.filter(([day]) => days.includes(day)).map(([day, parts]) => {
      const first = FIRST_PRICES[code] ?? 0
      const [open = 0, high = 0, low = 0, close = 0] = parts.map((part) => Math.round(first * part))
      return { day, code, name: `종목 ${code}`, market: 'KOSPI', open, high, low, close, volume: 1_000_000 }
    }),
  )

const listed = (code: string, more: Partial<Listing>): Listing => ({
  code,
  name: `종목 ${code}`,
  market: 'KOSPI',
  kind: 'stock',
  nxt: false,
  base: FIRST_PRICES[code] ?? 10_000,
  ...more,
})

/** Somebody else under the same HTS ID: a second account of the same person. */
const STRANGER = { ...demoCredentials(9), htsId: demoCredentials(0).htsId }

const COMMON = {
  strangers: [{ credentials: STRANGER, cash: 10_000_000 }],
  // No order is bounded by the highest price: a purchase at the market has none.
  settings: { ...DEFAULT_SETTINGS, buy: -1, sell: 1, unit: 300_000, cap: 6_000_000, ceiling: 150 },
  seed: 11,
  steps: 16,
  cash: 1_000_000_000,
  mornings: ['075930', '080500', '082000'],
  evenings: ['160500', '170500', '190000', '200500', '210500', '234500'],
} as const satisfies Partial<ReplayPlan>

/**
 * One lot every percent and as many resting sells. What became of a day's orders is read in the evening, but on Wednesday
 * and Friday the broker's list is closed from before the close on: then it is learned the next morning, or on the Saturday.
 * Now and then the account's owner is at the phone.
 */
export const QUIET_PLAN: ReplayPlan = {
  ...COMMON,
  candles: candlesOf(
    [KRX_CODE, NXT_CODE, ETF_CODE],
    DAYS.map(([day]) => day),
  ),
  listings: [listed(ETF_CODE, { kind: 'etf', incomeTaxed: true }), listed(OTHER_CODE, {})],
  onNxt: [NXT_CODE],
  rowsPerPage: 20,
  listsFailFrom: '152500',
  listsFailOn: [WEDNESDAY, FRIDAY],
  // Within the day of Friday's approval key.
  looks: [kstInstant(SATURDAY, '073000')],
  owner,
  onCall: cancelBetweenPages(),
}

async function owner(desk: Desk, day: string): Promise<void> {
  await settleMoves('adjust', () => undefined)(desk, day)
  if (day === WEDNESDAY) await buyAtMarket(desk)
  if (day === EXAM_DAY)
    desk.sim.byPhone(STRANGER.accountNumber, { kind: 'order', code: NXT_CODE, side: 'buy', count: 1, price: 0 })
}

/** A price older than a minute would be bought at by a limit order. */
async function buyAtMarket(desk: Desk): Promise<void> {
  desk.sim.setPrice(KRX_CODE, desk.sim.price(KRX_CODE))
  await desk.call('GET', '/api/user/stock')
  await desk.call('POST', `/api/user/stock/${KRX_CODE}/order/buy`, { amount: 30 })
}

/** Once, on the exam day, an order is cancelled in the broker's app while the server reads the list: between two of its pages. */
function cancelBetweenPages(): (sim: Sim, call: PacedCall) => void {
  return (sim, { path, text }) => {
    const now = sim.clock.now()
    const isLater = path.endsWith('inquire-daily-ccld') && /ctx_area_fk100,[^&]*[^\s&]/i.test(text)
    if (!isLater || sim.broker.ledger.day !== EXAM_DAY || kstClock(now) < 11 * 3_600) return
    const account = demoCredentials(0).accountNumber
    if (sim.orders(account).some((order) => order.byPhone === true)) return
    const resting = sim.liveOrders(account).find(({ code, side }) => code === ETF_CODE && side === 'sell')
    if (resting) sim.byPhone(account, { kind: 'cancel', odno: resting.odno })
  }
}

const at = (day: string, hhmmss: number): number => kstInstant(day, hhmmss)

/** Five shares for one of a price that no fifth of is on the grid. */
const SPLIT: NewShare = { code: SPLIT_CODE, day: FRIDAY, ratio: 5, creditDay: FRIDAY }

/** Days on which something befalls every stock, whatever the broker calls it. */
const EVENTS: readonly Happening[] = [
  { kind: 'nxtSuspended', code: NXT_CODE, from: at(WEDNESDAY, 80_200), until: at(WEDNESDAY, 100_000) },
  { kind: 'singlePrice', code: HOT_CODE, from: WEDNESDAY, until: WEDNESDAY },
  { kind: 'warned', code: WARNED_CODE, day: WEDNESDAY, as: 'warning' },
  ...actionsOf([SPLIT]),
]
const EVENTFUL_DAYS = [TUESDAY, WEDNESDAY, FRIDAY]

export const EVENTFUL_PLAN: ReplayPlan = {
  ...COMMON,
  candles: withNewShares(candlesOf([NXT_CODE, HOT_CODE, WARNED_CODE, SPLIT_CODE], EVENTFUL_DAYS), [SPLIT]),
  happenings: EVENTS,
  onNxt: [NXT_CODE, HOT_CODE],
  owner: settleMoves('adjust', () => undefined),
}

export const PLANS = { quiet: QUIET_PLAN, eventful: EVENTFUL_PLAN } as const
