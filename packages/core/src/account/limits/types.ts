/**
 * What one user's account may do at most, over all its stocks. Whole numbers, null: no limit of the user's own.
 * positionAmount  won in open lots (at cost) and in live buys, of the whole account
 * lossAmount      won lost: realised today after costs, and unrealised of all lots at the last known prices
 * dailyBuyAmount  won put into buys on a KST day
 * orderAmount     won one buy may cost, automatic or a person's
 * ordersPerMinute orders within 60 s
 * repeatCount     buys of one stock that were sold again within ten minutes of being made: more stop the stock
 * personOrderAmount won one order of a person's may be worth, buy or sell
 * sellCollarPercent percent a person's limit sell may lie below the last trade
 * unknownPerHour  orders within 60 min whose outcome was unknown: more stop the buying
 */
export interface UserLimits {
  readonly positionAmount: number | null
  readonly lossAmount: number | null
  readonly dailyBuyAmount: number | null
  readonly orderAmount: number | null
  readonly ordersPerMinute: number | null
  readonly repeatCount: number | null
  readonly personOrderAmount: number | null
  readonly sellCollarPercent: number | null
  readonly unknownPerHour: number | null
}

export type LimitName = keyof UserLimits

/** A change of some limits; what is absent stays. */
export type LimitChange = Partial<UserLimits>

export const NO_LIMIT: UserLimits = {
  positionAmount: null,
  lossAmount: null,
  dailyBuyAmount: null,
  orderAmount: null,
  ordersPerMinute: null,
  repeatCount: null,
  personOrderAmount: null,
  sellCollarPercent: null,
  unknownPerHour: null,
}

export const LIMIT_NAMES = [
  'positionAmount',
  'lossAmount',
  'dailyBuyAmount',
  'orderAmount',
  'ordersPerMinute',
  'repeatCount',
  'personOrderAmount',
  'sellCollarPercent',
  'unknownPerHour',
] as const satisfies readonly LimitName[]

/** Reaching one of these stops buying until a person resumes it; the others refuse single orders, or end with their day or minute. */
export type StoppingLimit = 'positionAmount' | 'lossAmount' | 'unknownPerHour' | 'repeatCount'

/** A loosening that waits for the next day. */
export interface PendingLimit {
  readonly limit: LimitName
  readonly value: number | null
  /** KST day `YYYYMMDD` from whose opening it holds. */
  readonly from: string
}

/** A limit that was reached and stopped buying, of the account or (repeatCount) of one stock. */
export interface ReachedLimit {
  readonly limit: StoppingLimit
  /** Null: the whole account. */
  readonly code: string | null
  /** What was reached, with the numbers. */
  readonly text: string
  readonly at: number
}

/** What an owner sets for the first days with real money: one share a buy, and so many won of new money a day. */
export interface FirstDaysRule {
  readonly on: boolean
  /** Trading days from that of the first buy on; null: until the owner lets go. */
  readonly days: number | null
  /** Won that buys of a KST day may cost. */
  readonly amount: number
}

/** The durable part: the rule in force, how far it has come, and a looser one that waits for its day. */
export interface FirstDays extends FirstDaysRule {
  /** KST day of the first buy under it; null: there was none yet. */
  readonly startedOn: string | null
  /** Trading days from then on that are over. */
  readonly usedDays: number
  /** From the opening of that KST day on. */
  readonly pending: (FirstDaysRule & { readonly from: string }) | null
}

/** The durable part: what the user chose, what waits, what stopped, and how the first days stand. */
export interface LimitState {
  /** What the user chose; the rest follows the defaults of the server's environment. */
  readonly own: LimitChange
  readonly pending: readonly PendingLimit[]
  /** The database keeps them under this name. */
  readonly trips: readonly ReachedLimit[]
  /** When orders of the last hour lost their outcome, epoch ms. */
  readonly lostAt: readonly number[]
  /** Absent: never decided, as in accounts of before 27 November 2026. */
  readonly firstDays?: FirstDays
}

export const noLimitState: LimitState = { own: {}, pending: [], trips: [], lostAt: [] }
