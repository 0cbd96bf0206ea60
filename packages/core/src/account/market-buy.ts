import { floorToTick } from '../krx/tick.ts'
import { won } from '../ladder/text.ts'
import { codeOf, refused, type CommandOf } from './command-result.ts'
import { buyChanged } from './seen-price.ts'
import { isAgeKnown, sharesLeft } from './buying-power.ts'
import { firstDaysText, maxSharesOf } from './limits/first-days.ts'
import type { StepBuilder } from './step-builder.ts'
import { place } from './ordering.ts'
import type { CommandResult, Quote } from './step-types.ts'
import type { OrderType, Stock } from './types.ts'
import { routeOf } from './venues.ts'

/** Without the day's limits a market order may cost this much of the last price at worst (±30 %, one tick for rounding). */
const WORST_CASE = 1.31

/** A last trade older than this is no price to size an order by that may fill at any price, ms. */
const OLD_PRICE_MS = 60_000

/** What would be sent for an amount. */
export interface BuyOrder {
  readonly count: number
  readonly type: OrderType
  /** Won; 0 where the type has none. */
  readonly price: number
  /** Won a share may cost at worst. */
  readonly reservedPrice: number
}

const sharesAt = (quote: Quote, amount: number): number => Math.floor(amount / quote.price)

/** By the last price: as many shares as the amount pays there, in an account's first days fewer, at a price that this moment allows. */
export function buyOrderOf(builder: StepBuilder, stock: Stock, quote: Quote, amount: number): BuyOrder {
  const asked = sharesAt(quote, amount)
  const count = Math.min(asked, maxSharesOf(builder.book.limits).maxShares ?? asked)
  return { count, ...priced(builder, stock, quote) }
}

/** A person buys now for an amount. Every limit of the stock's settings binds here too, at the worst price it may fill. */
export function marketBuy(
  builder: StepBuilder,
  stock: Stock,
  { amount, cash, askedAt, seen }: CommandOf<'marketBuy'>,
): CommandResult {
  const quote = builder.ctx.quote(stock.issue.code)
  if (quote === undefined) return refused('CONFLICT', '현재가를 아직 받지 못했습니다. 잠시 뒤 다시 해 주세요.')
  const { count, ...order } = buyOrderOf(builder, stock, quote, amount)
  if (!(count >= 1))
    return refused('INVALID', `한 주(${won(quote.price)})를 사기에 모자란 금액입니다. 금액을 올려 주세요.`)
  const { maxBuyPrice } = stock.settings
  if (maxBuyPrice && quote.price > maxBuyPrice) {
    return refused(
      'CONFLICT',
      `현재가 ${won(quote.price)}이 최고 매수가 ${won(maxBuyPrice)}보다 높습니다. 최고 매수가를 올리면 살 수 있습니다.`,
    )
  }
  const changed = buyChanged(seen, quote.price, order.reservedPrice)
  if (changed !== null) return refused('CONFLICT', changed)
  if (!isAgeKnown(builder, askedAt)) return refused('BUSY', '현금을 다시 확인해야 합니다. 다시 해 주세요.')
  const buyable = sharesLeft(builder, cash, askedAt, order.reservedPrice)
  if (count > buyable) {
    const most = `증권사는 한 주에 ${won(order.reservedPrice)}까지 잡아 둡니다`
    return refused('CONFLICT', `현금으로는 ${buyable}주까지 살 수 있습니다(${most}). 금액을 줄여 주세요.`)
  }
  const placed = place(
    builder,
    { stock, side: 'buy', origin: 'person', count, lotIds: [], ...order },
    [
      isOld(builder, stock, quote) ? AT_OLD_PRICE : '사람이 낸 시장가 매수입니다.',
      count < sharesAt(quote, amount) && firstDaysText(builder.book.limits),
    ]
      .filter((text) => typeof text === 'string')
      .join(' '),
  )
  if (!placed.ok) return refused(codeOf(placed.reason), placed.reason.text)
  return { ok: true, orderIds: [placed.orderId], differences: [] }
}

const AT_OLD_PRICE = '마지막 체결가가 1분 넘게 지났거나 단일가로 체결되는 시간이라, 그 값에 지정가로 낸 매수입니다.'

/** A price that was only read has no age. In an auction nothing fills before its end: until then every price grows old. */
export const isOld = (builder: StepBuilder, { issue }: Stock, { at }: Quote): boolean =>
  Math.abs(builder.ctx.now - at) > OLD_PRICE_MS || routeOf(builder, builder.ctx, issue)?.continuous === false

/** A market order may fill up to the day's upper limit; a lower maxBuyPrice makes it a limit order at that price. */
function priced(
  builder: StepBuilder,
  stock: Stock,
  quote: Quote,
): { type: OrderType; price: number; reservedPrice: number } {
  const limitAt = (won: number): { type: OrderType; price: number; reservedPrice: number } => {
    const price = floorToTick(won, stock.issue.kind)
    return { type: 'limit', price, reservedPrice: price }
  }
  // Sized by a price of long ago, an order at any other price, the highest allowed one too, could cost far more than the amount.
  if (isOld(builder, stock, quote)) return limitAt(quote.price)
  const upper = quote.band?.upper ?? Math.ceil(quote.price * WORST_CASE)
  const { maxBuyPrice } = stock.settings
  if (maxBuyPrice && maxBuyPrice < upper) return limitAt(maxBuyPrice)
  const where = routeOf(builder, builder.ctx, stock.issue)
  return { type: where?.marketOrders === false ? 'best' : 'market', price: 0, reservedPrice: upper }
}
