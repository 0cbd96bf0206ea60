import type { Book, HeldLot, Order, Settings, Stop } from '../../src/index.ts'
import type { BrokerOrder } from './broker-types.ts'

/** An order at the moment it was decided, with what bound it then. */
export interface Intent {
  readonly order: Order
  readonly settings: Settings
  readonly lots: readonly HeldLot[]
}

interface Bounds {
  readonly stops: readonly Stop[]
  /** Highest price of the day. */
  readonly upper: number
  /** Won already in the stock. */
  readonly otherCost: number
  /** Won already in all other stocks. */
  readonly elsewhere: number
  readonly positionAmount: number | null
}

interface Broken {
  readonly promise: string
  readonly text: string
}

/** The promises an order must keep when it is made, computed independently here. */
export function checkIntent(intent: Intent, bounds: Bounds): Broken | null {
  const { order } = intent
  if (bounds.stops.includes('halt')) return { promise: 'I7 stop', text: 'made while halted' }
  if (order.side === 'sell') return checkSell(intent)
  if (bounds.stops.includes('reduce')) return { promise: 'I7 stop', text: 'bought while only selling is allowed' }
  return checkBuy(intent, bounds)
}

function checkBuy({ order, settings }: Intent, { upper, otherCost, elsewhere, positionAmount }: Bounds): Broken | null {
  const worst = order.type === 'limit' ? order.price : upper
  const { maxBuyPrice, maxBuyAmount } = settings
  if (maxBuyPrice && worst > maxBuyPrice) return { promise: 'I2 price', text: `${worst} > ${maxBuyPrice}` }
  const cost = otherCost + order.count * worst
  if (maxBuyAmount && cost > maxBuyAmount) return { promise: 'I3 cap', text: `${cost} > ${maxBuyAmount}` }
  if (positionAmount !== null && cost + elsewhere > positionAmount)
    return { promise: 'I3 position', text: `${cost + elsewhere} > ${positionAmount}` }
  return null
}

function checkSell({ order, settings, lots }: Intent): Broken | null {
  const held = lots.reduce((sum, lot) => sum + lot.count, 0)
  if (lots.length !== order.lots.length || held !== order.count) {
    return { promise: 'I5 shares', text: `${order.count} shares offered, ${held} booked in its lots` }
  }
  if (order.origin === 'person') return null
  const cost = lots.reduce((sum, lot) => sum + lot.buyAmount, 0)
  const base = settings.autoSellWithAvgPrice ? Math.ceil(cost / held) : Math.max(...lots.map((lot) => lot.buyPrice))
  // price ≥ base × (1 + percent/100), in whole numbers: percents have at most four decimals.
  const asked = base * (1_000_000 + Math.round(settings.sellPercent * 10_000))
  const floor = settings.useMinSellPrice ? (settings.minSellPrice ?? 0) : 0
  if (order.price * 1_000_000 < asked || order.price < floor) {
    return { promise: 'I4 target', text: `${order.price} is below the target of ${base} + ${settings.sellPercent} %` }
  }
  return null
}

/** Won in lots, fills the book has not seen, and what buys of the stock other than `except` may still cost. */
export function costOf(book: Book, code: string, except: number, truths: ReadonlyMap<number, BrokerOrder>): number {
  let cost = 0
  for (const lot of book.stocks.get(code)?.lots ?? []) cost += lot.buyAmount
  for (const other of book.orders.values()) {
    if (other.code !== code || other.side !== 'buy' || other.id === except) continue
    const truth = truths.get(other.id)
    if (truth === undefined) continue
    cost += truth.filledAmount - other.filledAmount
    if (truth.open) cost += (truth.count - truth.filledCount) * other.reservedPrice
  }
  return cost
}
