import {
  dailyLimits,
  inForce,
  inputOf,
  kstInstant,
  remainAmount,
  remainCount,
  type Account,
  type Incident,
  type Order,
  type Played,
  type Quote,
  type ServerLimits,
  type Stock,
  type Timetable,
} from '../../src/index.ts'
import type { Listed } from './broker-types.ts'
import type { Random } from './random.ts'

/** Where a run begins. */
export interface Beginning {
  readonly now: number
  readonly env: 'real' | 'paper'
  readonly timetable: Timetable
  readonly limits: ServerLimits
  readonly listed: readonly Listed[]
  /** Won at the broker, with what live buys reserve. */
  readonly cash: number
  /** Shares at the broker from before Digger, by code. */
  readonly own: ReadonlyMap<string, number>
  /** Other programs trade on the same account. */
  readonly outside: boolean
  /** Most won in all stocks together that no order may pass; null: none that this run knows of. */
  readonly positionAmount: number | null
  /** An account that has been trading; null: a new one. */
  readonly account: Account | null
}

const FIRST_DAY = '20261116'

/** Where the price of the model moves around, and what kind of paper it is. */
export const LISTINGS = [
  { code: '005930', kind: 'stock', price: 70_000, nxt: true },
  { code: '035720', kind: 'stock', price: 50_100, nxt: true },
  { code: '069500', kind: 'etf', price: 35_000, nxt: false },
  { code: '001470', kind: 'stock', price: 2_005, nxt: false },
] as const

const NO_LIMITS: ServerLimits = {
  orderAmount: null,
  dailyBuyAmount: null,
  ordersPerMinute: null,
  collarPercent: null,
  freshMs: 5_000,
}
const ALL_LIMITS: ServerLimits = {
  orderAmount: 700_000,
  dailyBuyAmount: 3_000_000,
  ordersPerMinute: 30,
  collarPercent: 3,
  freshMs: 5_000,
}

/** In one run of three the whole account has a limit, too. A chance of its own: the rest of the run stays the same. */
const withPosition = (limits: ServerLimits, random: Random): ServerLimits =>
  random.chance(0.33) ? { ...limits, defaults: { positionAmount: random.int(3, 30) * 100_000 } } : limits

/** In one run of three so few orders a minute that people's sales wait for room. A chance of its own, as above. */
const withFewOrders = (limits: ServerLimits, random: Random): ServerLimits =>
  random.chance(0.33) ? { ...limits, ordersPerMinute: random.int(2, 6) } : limits

/** A new account with two stocks. `branch`: another chance of the same seed. */
export function newAccountBegins(random: Random, branch: (salt: number) => Random): Beginning {
  const env = random.chance(0.5) ? 'real' : 'paper'
  const first = random.int(0, LISTINGS.length - 1)
  const listed = [LISTINGS[first], LISTINGS[(first + 1) % LISTINGS.length]].flatMap((one): Listed[] => {
    if (one === undefined) return []
    const { code, kind, price, nxt } = one
    const band = dailyLimits(price, kind, 'KOSPI')
    const noAfterMarket = branch(0x1b873593).chance(0.3)
    return [newListed({ issue: { code, kind, market: 'KOSPI', nxt }, name: code, price, band, noAfterMarket })]
  })
  const cash = random.int(5, 60) * 100_000
  const outside = random.chance(0.4)
  const bounded = withPosition(random.chance(0.5) ? ALL_LIMITS : NO_LIMITS, branch(0x2545f491))
  const limits = withFewOrders(bounded, branch(0x6c8e9cf5))
  const timetable = { hours: 'krx', closed: new Set<string>(), special: new Map() } as const
  const positionAmount = limits.defaults?.positionAmount ?? null
  return {
    now: kstInstant(FIRST_DAY, 75_000),
    env,
    timetable,
    limits,
    listed,
    cash,
    own: ownShares(listed, branch(0x27d4eb2f)),
    outside,
    positionAmount,
    account: null,
  }
}

/** In one run of four of each stock. */
const ownShares = (listed: readonly Listed[], random: Random): Map<string, number> =>
  new Map(listed.flatMap(({ issue }) => (random.chance(0.25) ? [[issue.code, random.int(1, 20)] as const] : [])))

/** The account, market and cash as an incident left them. The last inputs tell what held then. */
export function incidentBegins(incident: Incident, { account }: Played) {
  const inputs = incident.steps.flatMap(({ input }) => (input === null ? [] : [inputOf(input)]))
  const last = inputs.at(-1)
  if (last === undefined) throw new RangeError('the incident has no inputs: nothing tells what held when it happened')
  const { now, env, limits, timetable } = last.context
  const quotes = new Map<string, Quote>()
  for (const { input } of incident.steps)
    for (const [code, quote] of input?.context.quotes ?? []) quotes.set(code, quote)
  const { book, view } = account
  const isBounded = book.limits.pending.every(({ limit }) => limit !== 'positionAmount')
  const listed = [...book.stocks.values()].map((stock) => listedOf(stock, quotes.get(stock.issue.code)))
  const cash = (view.cash.answer?.amount ?? 3_000_000) + [...book.orders.values()].reduce(addReserved, 0)
  return (random: Random): Beginning => ({
    now,
    env,
    // The exchange's own hours, whatever the demonstration had: only they have edges.
    timetable: { ...timetable, hours: 'krx' },
    limits,
    listed: listed.map((one) => ({ ...one })),
    cash,
    own: new Map(),
    outside: random.chance(0.4),
    positionAmount: isBounded ? inForce(book.limits, limits, 'positionAmount') : null,
    account,
  })
}

const addReserved = (sum: number, { side, count, filledCount, reservedPrice, status }: Order): number =>
  side === 'buy' && ['intended', 'unknown', 'open', 'cancelling'].includes(status)
    ? sum + (count - filledCount) * reservedPrice
    : sum

function listedOf({ issue, name, lots, settings }: Stock, quote: Quote | undefined): Listed {
  const known = lots.length === 0 ? settings.maxBuyPrice : Math.floor(remainAmount(lots) / remainCount(lots))
  const price = quote?.price ?? known ?? 10_000
  const band = quote?.band ?? dailyLimits(price, issue.kind, issue.market)
  return newListed({ issue, name, price, band, noAfterMarket: false })
}

const newListed = (stock: Pick<Listed, 'issue' | 'name' | 'price' | 'band' | 'noAfterMarket'>): Listed => ({
  ...stock,
  halted: false,
  haltPublished: false,
  collects: false,
  offNxt: false,
  late: null,
  factor: 1,
})
