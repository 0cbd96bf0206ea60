import {
  isLive,
  type Book,
  type HeldLot,
  type Order,
  type PriceBand,
  type Settings,
  type Stock,
} from '../../src/index.ts'
import { Violation } from './violation.ts'
import type { Simulation } from './simulation.ts'

/** With automatic sale on, every lot rests in exactly one order, and never in both modes. */
export function checkRest(simulation: Simulation): void {
  const { shell, broker } = simulation
  const { book } = shell.account
  const waits = isAtRate(simulation)
  for (const stock of book.stocks.values()) {
    const { issue, settings } = stock
    const sells = sellsOf(book, issue.code)
    checkModes(stock, sells)
    if (!settings.autoSell) continue
    const band = broker.stocks.get(issue.code)?.band
    const offered = stock.lots.filter((lot) => mayBeOffered(lot, sells))
    for (const lot of stock.lots) {
      const resting = sells.filter((one) => one.lots.some(({ lotId }) => lotId === lot.id))
      if (resting.length > 1) throw new Violation('I1 double', `lot ${lot.id} rests ${resting.length} times`)
      if (resting.length > 0 || !offered.includes(lot) || band === undefined) continue
      if (!waits && isInside(settings, settings.autoSellWithAvgPrice ? offered : [lot], band))
        throw new Violation('settled orders', `lot ${lot.id} of ${issue.code} does not rest`)
    }
  }
}

/** As many orders as may leave in a minute have just left. */
function isAtRate({ monitor, shell, ordersPerMinute }: Simulation): boolean {
  let count = 0
  for (const { order } of monitor.intents.values()) if (order.createdAt > shell.now - 60_000) count += 1
  return ordersPerMinute !== null && count >= ordersPerMinute
}

const sellsOf = ({ orders }: Book, code: string): Order[] =>
  [...orders.values()].filter((one) => isLive(one.status) && one.side === 'sell' && one.code === code)

function checkModes({ issue: { code }, settings }: Stock, sells: readonly Order[]): void {
  const auto = sells.filter((one) => one.origin === 'auto')
  if (!settings.autoSell && auto.length > 0)
    throw new Violation('settled orders', `${code}: sells rest with autoSell off`)
  if (!settings.autoSell) return
  if (settings.autoSellWithAvgPrice && auto.length > 1)
    throw new Violation('settled orders', `${code}: several average sells`)
  if (!settings.autoSellWithAvgPrice && auto.some((one) => one.lots.length > 1))
    throw new Violation('settled orders', `${code}: an average sell rests in lot mode`)
}

/** Whole, of nobody's order by hand, and neither held back nor taken over. */
const mayBeOffered = (lot: HeldLot, sells: readonly Order[]): boolean =>
  lot.buyOrderId === null &&
  !lot.heldBack &&
  !lot.takenOver &&
  !sells.some(({ origin, lots }) => origin === 'person' && lots.some(({ lotId }) => lotId === lot.id))

/** The target of the lots together lies within the day's limits, by more than a tick. */
function isInside(settings: Settings, lots: readonly HeldLot[], band: PriceBand): boolean {
  const { sellPercent, useMinSellPrice, minSellPrice } = settings
  const count = lots.reduce((sum, lot) => sum + lot.count, 0)
  const paid = lots.reduce((sum, lot) => sum + lot.buyAmount, 0) / count
  const target = Math.max(paid * (1 + sellPercent / 100), useMinSellPrice ? (minSellPrice ?? 0) : 0)
  return target * 1.01 < band.upper && target > band.lower
}
