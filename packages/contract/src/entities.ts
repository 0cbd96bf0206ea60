import { z } from 'zod'
import { AccountSummary } from './account-summary.ts'
import { IssueStatus } from './issue-status.ts'
import { MorningSummary } from './morning.ts'
import { Reason } from './reasons.ts'
import { day, instant, shares, Stop, userId, won } from './scalars.ts'

export { day, instant, shares, Stop, stockCode, userId, won } from './scalars.ts'

/** The base price of a day that is not the last regular close before it: shares were split, merged, or new ones given. Won. */
export const BaseMove = z.object({ day, close: won, base: won, ratio: z.number().exactOptional() })
export type BaseMove = z.infer<typeof BaseMove>
/** The next day on which the share becomes another one, as announced: `ratio` shares after for each one before. */
export const AnnouncedAction = z.object({
  kind: z.enum(['bonusIssue', 'rightsIssue', 'stockDividend', 'faceValue']),
  day,
  ratio: z.number(),
  /** Won that a new share costs its holder. */
  paid: won,
  creditDay: day.nullable(),
})
export type AnnouncedAction = z.infer<typeof AnnouncedAction>
/** New shares of a corporate action that are not in the account yet, and what they cost. */
export const ExpectedShares = z.object({
  count: shares,
  amount: won,
  /** Beside those: of the shares that the person keeps out of the book. */
  ofPerson: shares.exactOptional(),
})
export type ExpectedShares = z.infer<typeof ExpectedShares>

/** `trades`: those still held that the amount came out of, and what they cost. Given up, it goes back to them; with none left it is a loss. */
export const AwaitedShares = ExpectedShares.extend({ trades: shares, cost: won })
export type AwaitedShares = z.infer<typeof AwaitedShares>

/** What a stock gained today, won: null where it is not known. */
export const StockToday = z.object({
  /** By sales, as the specification counts it, and after costs. */
  realised: won,
  realisedNet: won,
  /** Of the shares held, before costs: since the day's base, or since they were bought where that is later. */
  open: won.nullable(),
  /** What that is made of: shares held when the day began, and what the others cost. `openGainToday` of core computes it at any price. */
  heldBefore: shares,
  boughtAmount: won,
})
/** An order that settings and price ask for and that has not left since then. */
export const DueOrder = z.object({ side: z.enum(['buy', 'sell']), since: instant })

export const Stock = z.object({
  userId,
  code: z.string(),
  name: z.string(),
  nxt: z.boolean(),
  /** Decides the tick table; ETNs have the one of ETFs. */
  kind: z.enum(['stock', 'etf']),
  /** Last price; null when none was seen. */
  price: won.nullable(),
  /** When the price was seen; the client calls it stale when old. */
  priceAt: instant.nullable(),
  /** The day's base price: the close before it, after what became of the share. Null: not known, or no day of trading. */
  basePrice: won.nullable(),
  today: StockToday,
  /** Of `maxBuyAmount`: what the shares cost, those still to come among them, and live buys; the latter alone. */
  usedAmount: won,
  buyingAmount: won,
  remainCount: shares,
  remainAmount: won,
  accGainAmount: won,
  gainAmount: won,
  gainRatio: z.number(),
  maxBuyPrice: won.nullable(),
  maxBuyAmount: won.nullable(),
  buyUnitPrice: won.nullable(),
  lastBuyPrice: won.nullable(),
  recoverLastBuyPrice: z.boolean(),
  autoBuy: z.boolean(),
  buyPercent: z.number(),
  autoSell: z.boolean(),
  sellPercent: z.number(),
  useMinSellPrice: z.boolean(),
  minSellPrice: won.nullable(),
  autoSellWithAvgPrice: z.boolean(),
  priceSubscribed: z.boolean(),
  version: z.int(),
  nextBuyPrice: won.nullable(),
  nextSellPrice: won.nullable(),
  reasons: z.array(Reason),
  due: DueOrder.nullable(),
  stop: Stop,
  /** Why Digger itself holds buying here; null when it does not. */
  blocked: z.string().nullable(),
  /** Its base price moved: nothing automatic until a person settles it (`adjustStock`). */
  frozen: BaseMove.nullable(),
  /** Shares at the broker that its person keeps out of the book: never sold by Digger. */
  kept: shares,
  /** Only rehearsed: none of its orders is sent. Absent: they are. */
  shadow: z.literal(true).exactOptional(),
  /** Of `remainCount` and `remainAmount`: trades that a correction brought, not sold before the person agrees. */
  takenOver: z.object({ count: shares, amount: won }),
  expected: AwaitedShares.nullable(),
  announced: AnnouncedAction.nullable(),
  /** What the exchange has designated it as, or does to its trading now; `statusesAt`: when that was last read. */
  statuses: z.array(IssueStatus),
  statusesAt: instant.nullable(),
  checkedAt: instant.nullable(),
  updatedAt: instant,
})
export type Stock = z.infer<typeof Stock>

const changed = <T extends z.ZodType>(value: T) => z.object({ before: value, after: value })
/** What prices and lots of a frozen stock would become, by the broker's holding of now or a few seconds ago. */
export const Adjustment = z.object({
  move: BaseMove,
  version: z.int(),
  maxBuyPrice: changed(won.nullable()),
  lastBuyPrice: changed(won.nullable()),
  minSellPrice: changed(won.nullable()),
  /** `buyPrice.after` is null where no share is left: less than one new share was paid out in cash. */
  lots: z.array(
    z.object({
      id: z.int(),
      buyDateTime: instant,
      count: changed(shares),
      buyPrice: z.object({ before: won, after: won.nullable() }),
    }),
  ),
  /** Shares at the broker, with those kept. */
  held: shares,
  /** Shares the person keeps out of the book: they split and merge with the rest. */
  kept: changed(shares),
  expected: ExpectedShares.nullable(),
  /** What was announced for the day of the move. */
  announced: AnnouncedAction.nullable(),
})
export type Adjustment = z.infer<typeof Adjustment>

export const Trade = z.object({
  id: z.int(),
  buyDateTime: instant,
  buyCount: shares,
  buyPrice: won,
  sellDateTime: instant.nullable(),
  sellPrice: won.nullable(),
  /** Gross; of an open trade against the last (or simulated) price, null without one. */
  gainAmount: won.nullable(),
  gainRatio: z.number().nullable(),
  /** After costs and tax of the trade's dates; before the income tax that gains of some ETFs carry. */
  netGainAmount: won.nullable(),
  /** Its buy order is still at work: it may grow, and cannot be sold yet. */
  buying: z.boolean(),
  /** It came into the book by a correction: not sold automatically until its person agrees (`releaseTrades`). */
  takenOver: z.boolean(),
  /** Resting sell of this trade. */
  sellOrderId: z.int().nullable(),
  targetPrice: won.nullable(),
})
export type Trade = z.infer<typeof Trade>

export const User = z.object({ userId, email: z.string() })
/** Null: not known just now, because whatever process has the account does not answer. */
export const AdminUser = User.extend({
  userKey: z.boolean().nullable(),
  socket: z.boolean().nullable(),
  mayAddStocks: z.boolean(),
  summary: AccountSummary.nullable(),
  morning: MorningSummary.nullable(),
})
export const Me = User.extend({
  diggerAdmin: z.boolean(),
  /** Whether this person may add stocks to their own list: administrators, and whom one of them let. */
  mayAddStocks: z.boolean(),
  /** Which broker this server talks to; shown on every screen. */
  env: z.enum(['sim', 'paper', 'real']),
  /** Nothing of any account is sent; shown on every screen. Absent: it is. */
  shadow: z.literal(true).exactOptional(),
  userKey: z.boolean(),
  accountNumber: z.string(),
  /** Since when the broker's keys are stored, which last a year; null while the user's key is closed. */
  keysStoredAt: instant.nullable(),
  /** When the exchange is open, as the server knows it: an old price is late only while it is. */
  market: z.object({
    hours: z.enum(['always', 'krx']),
    /** Closed weekdays. */
    closed: z.array(day),
    /** Days with hours of their own, in seconds of the day; `preMarketAt` null: NXT has no pre-market. */
    special: z.array(z.object({ day, opensAt: z.int(), closesAt: z.int(), preMarketAt: z.int().nullable() })),
  }),
})

/** Every value but for its end. */
export const MaskedCredentials = z.object({
  appKey: z.string(),
  appSecret: z.string(),
  htsId: z.string(),
  accountNumber: z.string(),
  storedAt: instant,
})

export const Gain = z.object({
  buyAmount: won,
  gainAmount: won,
  gainRatio: z.number(),
  netGainAmount: won,
  /** Trades that were sold, those of them that brought money after costs, and how long all together were held, ms. */
  sales: z.int(),
  wins: z.int(),
  heldMs: z.int(),
})
export const GainDay = z.object({
  date: day,
  gain: Gain,
  stockGainList: z.array(z.object({ code: z.string(), name: z.string(), gain: Gain })),
})
export type GainDay = z.infer<typeof GainDay>
export const MoneyDay = z.object({ date: day, depositAmount: won, stockBuyAmount: won, bankBalanceAmount: won })

export const OrderType = z.enum(['BUY', 'SELL'])
/** An order that was executed, in whole or in part; called "ordered" in paths, as in the specification. */
export const ExecutedOrder = z.object({
  code: z.string(),
  name: z.string(),
  orderType: OrderType,
  orderDateTime: instant.nullable(),
  qty: shares,
  price: won,
  exchangeCode: z.string(),
})
export type ExecutedOrder = z.infer<typeof ExecutedOrder>
/**
 * An open order. `orderId` is the broker's number; `local-` and our own while there is none. `foreign`: made at the broker by
 * somebody else, such as its owner with the broker's app; cancelled there, too.
 */
export const Order = z.object({
  orderId: z.string(),
  code: z.string(),
  name: z.string(),
  orderType: OrderType,
  qty: shares,
  filledQty: shares,
  price: won,
  /** Null where the broker's list has no time. */
  orderDateTime: instant.nullable(),
  exchangeCode: z.string(),
  /** Placed by the settings (true) or by a person. */
  auto: z.boolean(),
  foreign: z.boolean(),
})
export type Order = z.infer<typeof Order>

export const BrokerBalance = z.object({
  /** Cash after all that was traded has settled (D+2). Open buys are not taken off. */
  availableAmount: won,
  /** What the broker last said may be ordered for without credit, open buys taken off, and when it was asked; null: not asked yet. */
  orderable: z.object({ amount: won, at: instant }).nullable(),
  list: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      price: won,
      qty: shares,
      availableQty: shares,
      /** Bought with a loan: Digger neither compares nor sells these. */
      loan: z.boolean(),
      gainAmount: won,
      gainRatio: z.number(),
    }),
  ),
})

export const Candle = z.object({
  /** KST `YYYYMMDD`, minute bars `YYYYMMDDHHMMSS`. */
  time: z.string(),
  open: won,
  high: won,
  low: won,
  close: won,
  volume: z.int(),
})
export type Candle = z.infer<typeof Candle>

export const Difference = z.object({
  code: z.string(),
  what: z.enum(['shares', 'order']),
  book: z.int(),
  broker: z.int(),
  text: z.string(),
})
export const AuditEntry = z.object({ at: instant, by: z.string(), action: z.string(), detail: z.string() })
export const BulkResult = z.object({ userId, email: z.string(), ok: z.boolean(), message: z.string() })
/** `jobId`: under which it goes on, where time was up before all were done. */
export const BulkResults = z.object({ results: z.array(BulkResult), jobId: z.int() })
export { SocketInfo } from './socket-info.ts'
