import type { IssueKind } from '../krx/types.ts'
import type { Lot, PriceBand, Reason, SellPlan, Settings } from './types.ts'
import { ceilToTick } from '../krx/tick.ts'
import { remainAmount, remainCount } from './buy.ts'
import { perShareUp } from './per-share.ts'
import { movedUp } from './percent.ts'
import { sellProblems } from './problems.ts'
import { grouped, no, won, yes } from './text.ts'

export interface SellInput {
  readonly settings: Settings
  readonly kind: IssueKind
  readonly lots: readonly Lot[]
  /** Null when the day's limits are unknown, then they are not judged. */
  readonly band: PriceBand | null
}

/** The price one lot waits for: on the grid and never below what the settings ask for. */
export function lotTarget(buyPrice: number, settings: Settings, kind: IssueKind): number {
  const gain = movedUp(buyPrice, settings.sellPercent)
  const floor = settings.useMinSellPrice ? (settings.minSellPrice ?? 0) : 0
  return ceilToTick(Math.max(gain, floor), kind)
}

/** Won per share over all open lots, rounded up; null when nothing is held. */
export function averagePrice(lots: readonly Lot[]): number | null {
  const count = remainCount(lots)
  return count === 0 ? null : perShareUp(remainAmount(lots), count)
}

/** The price at which the whole position sells at once. The lowest sell price a person set binds here too. */
export function averageTarget(lots: readonly Lot[], settings: Settings, kind: IssueKind): number | null {
  const count = remainCount(lots)
  return count === 0 ? null : positionTarget(remainAmount(lots), count, settings, kind)
}

/** As `averageTarget`, of this many shares that cost `amount`, won. */
export const positionTarget = (amount: number, count: number, settings: Settings, kind: IssueKind): number =>
  lotTarget(perShareUp(amount, count), settings, kind)

/** The sell orders that should rest now, lowest target first. Only shares in the lots are ever sold. */
export function planSells(input: SellInput): { orders: SellPlan[]; reasons: Reason[] } {
  const { settings, lots, band } = input
  if (!settings.autoSell) return none(no('sell', 'autoSellOff', '자동 매도가 꺼져 있습니다.'))
  const [problem] = sellProblems(settings)
  if (problem) return none(no('sell', 'badSettings', problem.text))
  if (lots.length === 0) return none(no('sell', 'nothingHeld', '보유한 주식이 없어 팔 것이 없습니다.'))

  const wanted = settings.autoSellWithAvgPrice ? wholePosition(input) : eachLot(input)
  const orders = wanted.filter((order) => !band || (band.lower <= order.price && order.price <= band.upper))
  return { orders, reasons: [...resting(orders), ...waiting(wanted, band)] }
}

const none = (reason: Reason) => ({ orders: [], reasons: [reason] })

/** Lowest target first, older lots first among equals: the order in which shares are booked as they sell. */
function byTarget({ settings, kind, lots }: SellInput): { lot: Lot; target: number }[] {
  return lots
    .map((lot) => ({ lot, target: lotTarget(lot.buyPrice, settings, kind) }))
    .sort((a, b) => a.target - b.target || a.lot.id - b.lot.id)
}

const eachLot = (input: SellInput): SellPlan[] =>
  byTarget(input).map(({ lot, target }) => ({
    lots: [{ lotId: lot.id, count: lot.count }],
    price: target,
    count: lot.count,
  }))

function wholePosition(input: SellInput): SellPlan[] {
  const price = averageTarget(input.lots, input.settings, input.kind)
  if (price === null) return []
  const lots = byTarget(input).map(({ lot }) => ({ lotId: lot.id, count: lot.count }))
  return [{ lots, price, count: remainCount(input.lots) }]
}

function resting(orders: readonly SellPlan[]): Reason[] {
  const [lowest] = orders
  if (!lowest) return []
  const count = grouped(orders.reduce((sum, order) => sum + order.count, 0))
  return [
    yes(
      'sell',
      'resting',
      `${count}주를 ${orders.length}건으로 매도합니다. 가장 가까운 매도가는 ${won(lowest.price)}입니다.`,
    ),
  ]
}

function waiting(wanted: readonly SellPlan[], band: PriceBand | null): Reason[] {
  if (!band) return []
  const above = wanted.filter((order) => order.price > band.upper)
  const below = wanted.filter((order) => order.price < band.lower)
  const reasons: Reason[] = []
  if (above[0]) {
    const text = `${above.length}건은 매도가 ${won(above[0].price)}부터 오늘 상한가 ${won(band.upper)}보다 높아 기다립니다.`
    reasons.push(no('sell', 'aboveBand', text))
  }
  if (below[0]) {
    const text = `${below.length}건은 매도가 ${won(below[0].price)}부터 오늘 하한가 ${won(band.lower)}보다 낮아 주문할 수 없습니다. 현재가 매도를 이용해 주세요.`
    reasons.push(no('sell', 'belowBand', text))
  }
  return reasons
}

/**
 * A holding in this many orders: equal parts, the remainder in the first. Never more parts than shares.
 */
export function sliceSell(count: number, slices: number): number[] {
  const parts = Math.min(count, Math.max(1, Math.floor(slices)))
  if (parts <= 0) return []
  const each = Math.floor(count / parts)
  return [count - each * (parts - 1), ...Array.from({ length: parts - 1 }, () => each)]
}

/**
 * The reference after a sale. With recoverLastBuyPrice it moves back to the lowest buy price still held, or to the sale
 * price when nothing is (null); without, it stays where it is.
 */
export const referenceAfterSale = (
  lowestHeld: number | null,
  { recoverLastBuyPrice }: Pick<Settings, 'recoverLastBuyPrice'>,
  reference: number | null,
  salePrice: number,
): number | null => (recoverLastBuyPrice ? (lowestHeld ?? salePrice) : reference)

/** The lowest price at which any of these lots was bought; null: there are none. */
export const lowestBuyPrice = (lots: readonly Lot[]): number | null =>
  lots.reduce<number | null>((least, { buyPrice }) => Math.min(least ?? buyPrice, buyPrice), null)
