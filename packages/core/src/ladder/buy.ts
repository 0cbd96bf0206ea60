import type { IssueKind } from '../krx/types.ts'
import type { BuyPlan, Lot, PriceBand, Reason, Settings } from './types.ts'
import { ceilToTick, floorToTick, tickSize } from '../krx/tick.ts'
import { perShareUp } from './per-share.ts'
import { movedDown } from './percent.ts'
import { buyProblems } from './problems.ts'
import { grouped, no, won, yes } from './text.ts'

export interface BuyInput {
  readonly settings: Settings
  readonly kind: IssueKind
  /** Won that the shares of the stock cost, those among them that a corporate action still owes. */
  readonly heldAmount: number
  /** Won in live buy orders. */
  readonly liveBuyAmount: number
  /** Last trade; may lie off the grid. */
  readonly price: number
  /** The broker's no-credit buyable shares; null when not asked yet, then cash is not judged. */
  readonly buyableCount: number | null
  /** Shares that one buy may be of at most; absent: as many as the unit pays for. */
  readonly maxShares?: number
  /** Null when the day's limits are unknown, then they are not judged. */
  readonly band: PriceBand | null
}

/**
 * The price at or below which the ladder buys next: on the grid, and a whole tick under the reference. Null where no such
 * price exists. The same with autoBuy on or off, so that a person sees what switching on would do.
 * Changes only with the settings: compute it once per change and compare ticks with it.
 */
export const nextBuyPrice = (settings: Settings, kind: IssueKind): number | null =>
  buyPriceAfter(settings, settings.lastBuyPrice, kind)

/** As `nextBuyPrice`, from another reference than that of the settings. */
export function buyPriceAfter(
  { maxBuyPrice, buyPercent }: Settings,
  lastBuyPrice: number | null,
  kind: IssueKind,
): number | null {
  if (!maxBuyPrice || !(buyPercent < 0)) return null
  if (lastBuyPrice === null) return floorToTick(maxBuyPrice, kind)

  const step = Math.min(
    maxBuyPrice,
    movedDown(lastBuyPrice, buyPercent),
    lastBuyPrice - tickSize(lastBuyPrice - 1, kind),
  )
  return step > 0 ? floorToTick(step, kind) : null
}

/** What the lots cost, in won. */
export const remainAmount = (lots: readonly Lot[]): number => lots.reduce((sum, lot) => sum + lot.buyAmount, 0)
export const remainCount = (lots: readonly Lot[]): number => lots.reduce((sum, lot) => sum + lot.count, 0)

/**
 * One price in, one decision out: buy this many at this price, or hold, with every reason on the way. What waits does not name the
 * price: it moves on beside the sentence.
 */
export function planBuy(input: BuyInput): BuyPlan {
  const reasons: Reason[] = []
  const hold = (reason: Reason): BuyPlan => ({ kind: 'hold', reasons: [...reasons, reason] })

  const trigger = triggered(input)
  if (typeof trigger !== 'number') return hold(trigger)
  reasons.push(yes('buy', 'priceReached', `현재가 ${won(input.price)}이 다음 매수가 ${won(trigger)} 이하입니다.`))

  // Never above the trigger: the trigger is on the grid, so rounding a lower price up cannot pass it.
  const price = ceilToTick(input.price, input.kind)
  const outside = outOfBand(price, input.band)
  if (outside) return hold(outside)

  const wanted = Math.min(sharesPerBuy(input.settings, price), input.maxShares ?? Number.POSITIVE_INFINITY)
  if (wanted === 0) return hold(unitTooSmall(input.settings))

  const room = roomBelowCap(input.settings, input.heldAmount + input.liveBuyAmount)
  const count = Math.min(wanted, sharesWithin(input.settings, price, room))
  if (count <= 0) return hold(capReached(input, room))
  reasons.push(sized(count, wanted, price, room))

  if (input.buyableCount !== null && input.buyableCount < count) return hold(notEnoughCash(input.buyableCount, count))
  return { kind: 'buy', price, count, reasons }
}

/** Shares one buy asks for before the cap: a unit of 1 won means one share each time. */
export const sharesPerBuy = ({ buyUnitPrice }: Settings, price: number): number =>
  buyUnitPrice === 1 ? 1 : Math.floor((buyUnitPrice ?? 0) / price)

/** Won that may still be spent while this much is in lots and live buy orders. */
export const roomBelowCap = ({ maxBuyAmount }: Settings, used: number): number => (maxBuyAmount ?? 0) - used

/** Shares one buy gets: what its unit asks for, or fewer whole ones where no more fit into the room. Below 1: none. */
export const sharesWithin = (settings: Settings, price: number, room: number): number =>
  Math.min(sharesPerBuy(settings, price), Math.floor(room / price))

/**
 * Where a falling price first buys at least one share: at the next buy price, which lies on the grid, or lower where one share
 * costs more than the unit or the room until then. 0 or less: nowhere.
 */
export function firstBuyPrice({ buyUnitPrice }: Settings, next: number, room: number, kind: IssueKind): number {
  const unit = buyUnitPrice ?? 0
  const most = unit === 1 ? room : Math.min(room, unit)
  return next <= most ? next : floorToTick(most, kind)
}

function triggered({ settings, kind, price }: BuyInput): number | Reason {
  if (!settings.autoBuy) return no('buy', 'autoBuyOff', '자동 매수가 꺼져 있습니다.')
  const [problem] = buyProblems(settings)
  if (problem) return no('buy', 'badSettings', problem.text)

  const next = nextBuyPrice(settings, kind)
  if (next === null) return no('buy', 'noLowerPrice', '마지막 매수가보다 낮은 호가가 없어 더 살 수 없습니다.')
  if (price > next) {
    return no('buy', 'aboveNextPrice', `현재가가 다음 매수가 ${won(next)}보다 높아 기다립니다.`)
  }
  return next
}

function outOfBand(price: number, band: PriceBand | null): Reason | null {
  if (!band || (band.lower <= price && price <= band.upper)) return null
  const range = `${won(band.lower)}~${won(band.upper)}`
  return no('buy', 'outOfBand', `매수가가 오늘의 가격 제한폭 ${range}을 벗어나 주문하지 않습니다.`)
}

const unitTooSmall = ({ buyUnitPrice }: Settings): Reason =>
  no(
    'buy',
    'unitTooSmall',
    `1회 매수 금액 ${won(buyUnitPrice ?? 0)}으로는 1주를 살 수 없습니다. 1회 매수 금액을 올려 주세요.`,
  )

function capReached({ settings, heldAmount, liveBuyAmount }: BuyInput, room: number): Reason {
  const cap = won(settings.maxBuyAmount ?? 0)
  const used = `보유 ${won(heldAmount)}${liveBuyAmount > 0 ? `과 매수 주문 ${won(liveBuyAmount)}` : ''}`
  const left = `남은 ${won(Math.max(0, room))}으로는 1주를 살 수 없습니다`
  return no('buy', 'capReached', `최대 매수 금액 ${cap} 중 ${used}을 써서 ${left}.`)
}

const sized = (count: number, wanted: number, price: number, room: number): Reason =>
  count < wanted
    ? yes(
        'buy',
        'reducedToCap',
        `최대 매수 금액까지 ${won(room)} 남아 ${grouped(wanted)}주 대신 ${grouped(count)}주만 삽니다.`,
      )
    : yes('buy', 'withinCap', `${won(price)}에 ${grouped(count)}주를 사도 최대 매수 금액을 넘지 않습니다.`)

const notEnoughCash = (buyable: number, count: number): Reason =>
  no(
    'buy',
    'notEnoughCash',
    `현금으로 살 수 있는 수량이 ${grouped(buyable)}주라 ${grouped(count)}주를 살 수 없습니다. 예수금을 확인해 주세요.`,
  )

/** The reference after a buy order has ended: its average fill price, rounded up to a won. */
export function referenceAfterBuy(filledAmount: number, filledCount: number): number {
  if (!(filledCount > 0)) throw new RangeError('a buy that filled nothing moves no reference')
  return perShareUp(filledAmount, filledCount)
}
