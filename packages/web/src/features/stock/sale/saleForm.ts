import type { SaleQuote, Stock, Trade } from '@digger/contract'
import { readNumber, readWon } from '@digger/contract/typed-number'
import { tickSize } from '@digger/core'
import { number, won } from '../../../format/won.ts'

export type SoldStock = Pick<
  Stock,
  'userId' | 'code' | 'name' | 'nxt' | 'kind' | 'price' | 'autoSell' | 'statuses' | 'statusesAt'
>
type SoldTrade = Pick<Trade, 'id' | 'buyDateTime' | 'sellOrderId'>

/** What a person is about to sell: shares of a stock, or one trade of it. */
export type Sale = {
  readonly stock: SoldStock
  /** The page of its open orders. */
  readonly ordersHref: string
} & (
  | { readonly how: 'price' | 'market'; readonly trade?: undefined }
  | { readonly how: 'current' | 'market'; readonly trade: SoldTrade }
)

export type Portion = 'one' | 'half' | 'all'

/** What is typed and chosen. */
export interface SaleDraft {
  /** A price as typed; only of a sale at a price. */
  readonly price: string
  /** Chosen, or a number of shares as typed. */
  readonly amount: Portion | { readonly typed: string }
  /** Number of orders, as typed. */
  readonly slices: string
}

export interface QuoteQuery {
  readonly how: Sale['how']
  readonly tradeId?: number
  readonly sellPrice?: number
  readonly sellCount?: number
  readonly qty?: number
}

/** The server's own bound. */
export const MAX_SLICES = 100

export const initialDraft = ({ stock: { price } }: Sale): SaleDraft => ({
  price: price === null ? '' : number(price),
  amount: 'all',
  slices: '1',
})

export const sharesOf = (portion: Portion, free: number): number =>
  portion === 'one' ? Math.min(1, free) : portion === 'half' ? Math.floor(free / 2) : free

/** What is wrong with what is typed, as a sentence; null where it can be asked for. */
export function draftProblem({ how, trade }: Sale, { price, amount, slices }: SaleDraft): string | null {
  if (trade !== undefined) return null
  if (how === 'price' && !isCount(readWon(price))) return '매도가를 1원 이상의 숫자로 넣어 주세요.'
  if (typeof amount === 'object' && !isCount(readNumber(amount.typed))) return '수량을 1주 이상의 숫자로 넣어 주세요.'
  const count = readNumber(slices)
  if (how === 'price' && !(isCount(count) && count <= MAX_SLICES))
    return `나눌 개수를 1부터 ${MAX_SLICES}까지의 숫자로 넣어 주세요.`
  return null
}

const isCount = (value: number | null | undefined): value is number => Number.isInteger(value) && Number(value) > 0

/** What is asked for, before and when it is sold; null while it cannot be. `free`: shares of the last quote. All shares are left out, so that they are all there are by then. */
export function queryOf(sale: Sale, draft: SaleDraft, free: number | null): QuoteQuery | null {
  const { how, trade } = sale
  if (trade !== undefined) return { how, tradeId: trade.id }
  if (draftProblem(sale, draft) !== null) return null
  const qty = chosenShares(draft.amount, free)
  const some = qty === null ? {} : { qty }
  if (how === 'market') return { how, ...some }
  return { how, sellPrice: readWon(draft.price) ?? 0, sellCount: readNumber(draft.slices) ?? 1, ...some }
}

const chosenShares = (amount: SaleDraft['amount'], free: number | null): number | null => {
  if (typeof amount === 'object') return readNumber(amount.typed) ?? null
  return amount === 'all' || free === null || free === 0 ? null : sharesOf(amount, free)
}

type Quote = Pick<SaleQuote, 'orders' | 'price' | 'gainAmount' | 'netGainAmount'>

interface SaleFigures {
  readonly shares: number
  /** Won; null without a price. */
  readonly sold: number | null
  readonly bought: number | null
  readonly costs: number | null
  readonly net: number | null
}

/** What the orders bring by their prices, at the market by the last one. */
export function figuresOf({ orders, price: last, gainAmount, netGainAmount }: Quote): SaleFigures {
  const shares = orders.reduce((sum, { qty }) => sum + qty, 0)
  const sold = orders.reduce<number | null>((sum, { qty, price }) => {
    const each = price ?? last
    return sum === null || each === null ? null : sum + qty * each
  }, 0)
  return {
    shares,
    sold,
    bought: sold === null || gainAmount === null ? null : sold - gainAmount,
    costs: gainAmount === null || netGainAmount === null ? null : gainAmount - netGainAmount,
    net: netGainAmount,
  }
}

/** `6주 × 146,600 = 879,600원`; where the shares have not one price, with their average. */
export function amountText(shares: number, amount: number | null): string {
  if (amount === null || shares === 0) return '—'
  const each = amount / shares
  if (Number.isInteger(each)) return `${number(shares)}주 × ${number(each)} = ${won(amount)}`
  return `${number(shares)}주 · 평균 ${number(Math.ceil(each))} = ${won(amount)}`
}

/** What the main button does. */
export function buttonText(how: Sale['how'], { orders, price: last }: Quote): string {
  const { shares } = figuresOf({ orders, price: last, gainAmount: null, netGainAmount: null })
  const price = orders[0]?.price ?? last
  if (shares === 0) return '매도'
  const now = last === null ? '' : ` · 지금 ${won(last)}`
  if (how === 'market') return `${number(shares)}주 시장가에 매도${now}`
  return `${number(shares)}주 ${won(price)}에 매도`
}

/** The price that will be sent, where it is not the typed one. */
export function roundedPrice(draft: SaleDraft, { orders }: Pick<SaleQuote, 'orders'>): number | null {
  const sent = orders[0]?.price ?? null
  return sent === null || sent === readWon(draft.price) ? null : sent
}

export const tickText = (price: number, kind: SoldStock['kind']): string =>
  `${number(tickSize(price, kind))}원 단위에 맞춰`

/** Why shares that are held cannot be sold now. */
export function boundTexts({ held, free, buying }: Pick<SaleQuote, 'held' | 'free' | 'buying'>): string[] {
  const offered = held - free - buying
  return [
    ...(offered > 0 ? [`${number(offered)}주는 직접 낸 매도 주문에 묶여 있습니다.`] : []),
    ...(buying > 0 ? [`${number(buying)}주는 아직 사는 중입니다.`] : []),
  ]
}

/** `2주 + 2주 + 1주`; null of one order. More than six are counted. */
export function slicesText(orders: SaleQuote['orders']): string | null {
  const [first] = orders
  if (first === undefined || orders.length === 1) return null
  const even = orders.every(({ qty }) => qty === first.qty)
  if (even) return `${number(first.qty)}주씩 ${number(orders.length)}건`
  const rest = orders.length > LISTED ? ` … 모두 ${number(orders.length)}건` : ''
  return `${orders
    .slice(0, LISTED)
    .map(({ qty }) => `${number(qty)}주`)
    .join(' + ')}${rest}`
}
const LISTED = 6

/** What a share brings at the very least today. */
export const worstText = (quote: Pick<SaleQuote, 'worstPrice'> | undefined): string =>
  quote?.worstPrice === undefined ? '' : `오늘의 하한가 ${won(quote.worstPrice)}보다 낮게는 팔리지 않습니다. `
