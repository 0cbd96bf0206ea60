import { kstTime } from '../krx/kst.ts'
import { averageTarget, lotTarget } from '../ladder/sell.ts'
import type { ReasonCode } from '../ladder/reason-codes.ts'
import { judgeBuy } from './buying.ts'
import { frozenText, refuseDesignated } from './issue-checks.ts'
import { liveOrders } from './step-builder.ts'
import { type DueOrder, dueOrder } from './delayed-orders.ts'
import { UNBOOKED_FILL } from './gate.ts'
import { firstDaysText } from './limits/first-days.ts'
import { isLive, type LiveStatus } from './order-status.ts'
import { sellRefusal, wantedSells } from './selling.ts'
import type { Account, Context } from './step-types.ts'
import { restingStrangers } from './strangers.ts'
import type { Order, Reason, Stock } from './types.ts'
import { isUnlisted } from './unlisted.ts'

/** What a person sees of the decisions on one stock: prices it waits for, and why it was or was not traded. */
export interface StockOutlook {
  readonly nextBuyPrice: number | null
  readonly nextSellPrice: number | null
  readonly reasons: readonly Reason[]
  readonly due: DueOrder | null
}

export function outlook(account: Account, ctx: Context, code: string): StockOutlook {
  const stock = account.book.stocks.get(code)
  if (stock === undefined) return { nextBuyPrice: null, nextSellPrice: null, reasons: [], due: null }
  const live = liveOrders(account.book, code)
  const blocked = blockedReasons(stock)
  return {
    nextBuyPrice: stock.nextBuyPrice,
    nextSellPrice: nextSellPrice(stock, live),
    reasons: [
      ...blocked,
      ...liveReasons(live, ctx.now),
      ...brokerReasons(account, stock, live),
      ...buyReasons(account, ctx, stock).filter(({ text }) => text !== UNBOOKED_FILL && text !== blocked[0]?.text),
      ...sellReasons(account, ctx, stock),
      ...firstDaysReasons(account, stock),
    ],
    due: dueOrder(account.view.stocks.dueSince, code),
  }
}

/** The first line a person reads: a stock that Digger itself has stopped does nothing that its settings say. */
const blockedReasons = ({ blocked }: Stock): Reason[] =>
  blocked === null ? [] : [{ side: 'buy', ok: false, code: 'reconciled', text: blocked.text }]

/** The lowest price something of this stock is (or would be) offered at. */
function nextSellPrice(stock: Stock, live: readonly Order[]): number | null {
  const resting = live.filter((order) => order.side === 'sell' && order.price > 0).map((order) => order.price)
  if (resting.length > 0) return Math.min(...resting)
  const lots = stock.lots.filter(({ takenOver }) => !takenOver)
  if (lots.length === 0 || !stock.settings.autoSell) return null
  if (stock.settings.autoSellWithAvgPrice) return averageTarget(lots, stock.settings, stock.issue.kind)
  return Math.min(...lots.map((lot) => lotTarget(lot.buyPrice, stock.settings, stock.issue.kind)))
}

const ORDER_CODES = {
  intended: 'orderIntended',
  unknown: 'orderUnknown',
  open: 'orderOpen',
  cancelling: 'orderCancelling',
} as const satisfies Record<LiveStatus, ReasonCode>

const liveReasons = (live: readonly Order[], now: number): Reason[] =>
  live.flatMap((order) => {
    const { side, status, why, createdAt } = order
    if (!isLive(status) || (side === 'sell' && status !== 'unknown')) return []
    const code = ORDER_CODES[status]
    if (status === 'unknown') return { side, ok: true, code, text: unknownText(order, now) }
    // It names the price of then.
    return { side, ok: true, code, text: why, at: createdAt }
  })

/** Says what happened, and until when the outcome may stay open; an order of a lost process waits for up to sixteen minutes (decision 018). */
function unknownText({ note, why, absentFrom }: Order, now: number): string {
  const happened = note ?? why
  if (absentFrom === null || absentFrom <= now) return happened
  const [, hours, minutes] = /^(..)(..)/.exec(kstTime(absentFrom + 60_000)) ?? []
  return `${happened} 증권사 목록에 나타나지 않으면 ${hours}:${minutes}쯤 나가지 않은 주문으로 봅니다.`
}

function firstDaysReasons({ book }: Account, { settings }: Stock): Reason[] {
  const text = firstDaysText(book.limits)
  return text === null || !settings.autoBuy ? [] : [{ side: 'buy', ok: true, code: 'firstDays', text }]
}

/** Orders that only one side knows of. */
function brokerReasons({ view }: Account, stock: Stock, live: readonly Order[]): Reason[] {
  const { code } = stock.issue
  const unlisted = live.flatMap(({ id, side, odno }): Reason[] => {
    if (!isUnlisted(view, id)) return []
    const text = `증권사가 받았다고 한 주문 ${odno}이 증권사 목록에 없습니다. 증권사 앱에서 확인한 뒤 관리자 메뉴의 ‘주문 적용’을 누르면 끝난 것으로 적습니다.`
    return [{ side, ok: false, code: 'unlisted', text }]
  })
  const strange = restingStrangers(view.orders.strangers, code).map(({ odno, remainingCount }): Reason => ({
    side: 'sell',
    ok: false,
    code: 'stranger',
    text: `장부에 없는 미체결 주문 ${odno}(${remainingCount}주)이 증권사에 있습니다. 직접 낸 주문이 아니면 증권사 앱에서 확인해 주세요.`,
  }))
  // Also while nothing would be bought: nobody else says that book and broker differ until they were compared.
  const isUnbooked = stock.blocked === null && view.stocks.strangerFillsSince.has(code)
  const unbooked: Reason[] = isUnbooked ? [{ side: 'buy', ok: false, code: 'reconciled', text: UNBOOKED_FILL }] : []
  return [...unlisted, ...strange, ...unbooked]
}

function buyReasons(account: Account, ctx: Context, stock: Stock): readonly Reason[] {
  const quote = ctx.quote(stock.issue.code)
  const frozen = frozenText(stock, quote?.moved)
  if (frozen !== null) return [{ side: 'buy', ok: false, code: 'frozen', text: frozen }]
  // Also above the next buy: whoever reads the card is not to wait for a price that changes nothing.
  const barred = stock.settings.autoBuy ? refuseDesignated({ ctx, stock, side: 'buy', origin: 'auto' }) : null
  if (barred !== null) return [{ side: 'buy', ok: false, code: 'designated', text: barred }]
  if (quote === undefined && stock.settings.autoBuy) {
    return [{ side: 'buy', ok: false, code: 'noPrice', text: '아직 체결가를 받지 못했습니다.' }]
  }
  const judgement = judgeBuy(account, ctx, stock, quote ?? { price: 0, at: 0, live: false, halted: false, band: null })
  return judgement.kind === 'buy' ? [{ side: 'buy', ok: true, code: 'buying', text: judgement.why }] : judgement.reasons
}

function sellReasons(account: Account, ctx: Context, stock: Stock): readonly Reason[] {
  if (stock.lots.length === 0) return []
  const { missing, reasons } = wantedSells(account, ctx, stock)
  const refusals = missing.flatMap((plan) => sellRefusal(account, ctx, stock, plan) ?? [])
  const [first] = refusals
  // What does not go out does not rest, whatever the plan says.
  return first === undefined ? reasons : [first, ...reasons.filter(({ code }) => code !== 'resting')]
}
