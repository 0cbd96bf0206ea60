import { remainAmount } from '../../ladder/buy.ts'
import { averageTarget, lotTarget } from '../../ladder/sell.ts'
import { won } from '../../ladder/text.ts'
import type { Context } from '../step-types.ts'
import type { Book, Lot, OrderType, Origin, Side, Stock } from '../types.ts'
import { inForce } from './change.ts'
import { firstDaysText, MAX_SHARES } from './first-days.ts'
import { boughtToday, lossOf, investedAmount, ordersInMinute } from './use.ts'

/** The part of `GateInput` that limits look at. */
interface Asked {
  readonly account: { readonly book: Book }
  readonly ctx: Context
  readonly stock: Stock
  readonly side: Side
  readonly origin: Origin
  readonly type: OrderType
  readonly price: number
  readonly reservedPrice: number
  readonly count: number
  readonly lotIds: readonly number[]
}

/** An order without a price counts at the most it can cost, which a person must be told: 8 million may become 10.4. */
export function refuseOrderAmount({ account, ctx, side, reservedPrice, count }: Asked): string | null {
  const limit = inForce(account.book.limits, ctx.limits, 'orderAmount')
  const cost = reservedPrice * count
  if (side === 'sell' || limit === null || cost <= limit) return null
  return `1회 주문 한도 ${won(limit)}을 넘습니다: 한 주에 ${won(reservedPrice)}까지, 모두 ${won(cost)}이 들 수 있습니다. 금액을 줄여 주세요.`
}

export function refuseDailyAmount({ account, ctx, side, reservedPrice, count }: Asked): string | null {
  const limit = inForce(account.book.limits, ctx.limits, 'dailyBuyAmount')
  if (side === 'sell' || limit === null) return null
  const [used, cost] = [boughtToday(account.book), reservedPrice * count]
  if (used + cost <= limit) return null
  return `오늘의 매수 한도 ${won(limit)}을 넘습니다: 오늘 ${won(used)}을 썼고 이번 매수에 ${won(cost)}까지 들 수 있습니다. 금액을 줄이거나 내일 사 주세요.`
}

/** In the first days with real money: one share a buy, and so many won of new money. */
export function refuseInFirstDays({ account, side, reservedPrice, count }: Asked): string | null {
  const { limits } = account.book
  const text = firstDaysText(limits)
  if (side === 'sell' || text === null) return null
  if (count > MAX_SHARES) return text
  const amount = limits.firstDays?.amount ?? 0
  const [bought, cost] = [boughtToday(account.book), reservedPrice * count]
  if (bought + cost <= amount) return null
  return `처음 며칠의 하루 한도 ${won(amount)}을 넘습니다: 오늘 ${won(bought)}을 썼고 1주에 ${won(cost)}까지 들 수 있습니다. 내일 다시 사거나 ‘한도’에서 늘려 주세요.`
}

export function refuseTooMany({ account, ctx }: Asked): string | null {
  const limit = inForce(account.book.limits, ctx.limits, 'ordersPerMinute')
  return limit === null || ordersInMinute(account.book, ctx.now) < limit
    ? null
    : '1분 주문 횟수 한도에 닿아 기다립니다. 1분쯤 뒤에 다시 할 수 있습니다.'
}

/** Sums over the whole account, at the worst price the buy may cost. */
export function refuseOverPosition({ account, ctx, side, reservedPrice, count }: Asked): string | null {
  const limit = inForce(account.book.limits, ctx.limits, 'positionAmount')
  if (side === 'sell' || limit === null) return null
  const used = investedAmount(account.book)
  const cost = reservedPrice * count
  return used + cost <= limit
    ? null
    : `계좌 보유 한도 ${won(limit)}에 닿습니다: 지금 ${won(used)}이고 이번 매수는 ${won(cost)}입니다.`
}

/** Checked again before each buy: a price may have fallen since the last look at the whole account. */
export function refuseAfterLoss({ account, ctx, side }: Asked): string | null {
  if (side === 'sell') return null
  return lossText(account.book, ctx)
}

/** Null while the loss is below its limit. */
export function lossText(book: Book, ctx: Context): string | null {
  const limit = inForce(book.limits, ctx.limits, 'lossAmount')
  if (limit === null) return null
  const loss = lossOf(book, ctx)
  return loss < limit ? null : `손실이 한도 ${won(limit)}에 닿았습니다: 지금 ${won(loss)}입니다.`
}

export const refusePersonAmount = ({ account, ctx, stock, side, origin, price, reservedPrice, count, lotIds }: Asked) =>
  origin === 'auto'
    ? null
    : personAmountText(
        account.book,
        ctx,
        side === 'buy' ? reservedPrice * count : saleValue(ctx, stock, lotIds, price, count),
      )

/** Why a person's order of this worth, in won, is too large; null when it is not. */
export function personAmountText(book: Book, ctx: Context, worth: number): string | null {
  const limit = inForce(book.limits, ctx.limits, 'personOrderAmount')
  return limit === null || worth <= limit
    ? null
    : `직접 내는 주문의 한도 ${won(limit)}을 넘습니다(${won(worth)}). 나누어 주문하거나 ‘한도’에서 늘려 주세요.`
}

/** Won a sale may bring: at its price, or at the last trade where that is higher or the order has none; else at cost. */
export function saleValue(ctx: Context, stock: Stock, lotIds: readonly number[], price: number, count: number): number {
  const each = Math.max(price, ctx.quote(stock.issue.code)?.price ?? 0)
  return each > 0 ? each * count : remainAmount(lotsOf(stock, lotIds))
}

/** A price far below the last trade is most likely a typing error; a lot's own target, where it would rest anyway, is not. */
export function refuseSellCollar({ account, ctx, stock, side, origin, type, price, lotIds }: Asked): string | null {
  if (side === 'buy' || origin === 'auto' || type !== 'limit') return null
  const limit = inForce(account.book.limits, ctx.limits, 'sellCollarPercent')
  const last = ctx.quote(stock.issue.code)?.price
  if (limit === null || last === undefined || (last - price) * 100 <= last * limit) return null
  if (isOwnTarget(stock, lotsOf(stock, lotIds), price)) return null
  return `현재가 ${won(last)}보다 ${limit}% 넘게 낮은 매도가입니다. 가격을 확인하거나 시장가로 팔아 주세요.`
}

const lotsOf = (stock: Stock, lotIds: readonly number[]): Lot[] => stock.lots.filter((lot) => lotIds.includes(lot.id))

const isOwnTarget = ({ settings, issue }: Stock, lots: readonly Lot[], price: number): boolean =>
  price === averageTarget(lots, settings, issue.kind) ||
  lots.some((lot) => price === lotTarget(lot.buyPrice, settings, issue.kind))

/** What an automatic sale of these lots would rest at. */
export const targetOf = ({ settings, issue }: Pick<Stock, 'settings' | 'issue'>, lots: readonly Lot[]): number | null =>
  settings.autoSellWithAvgPrice
    ? averageTarget(lots, settings, issue.kind)
    : Math.max(...lots.map((lot) => lotTarget(lot.buyPrice, settings, issue.kind)))
