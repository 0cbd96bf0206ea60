import type { ReasonCode } from '../ladder/reason-codes.ts'
import type { Route } from '../krx/route.ts'
import { refuseDesignated, refuseFrozen, refuseHalted } from './issue-checks.ts'
import { refuseDisputedDay, refuseUnheard, refuseWrongClock } from './preconditions.ts'
import {
  refuseAboveMaxAmount,
  refuseAboveMaxPrice,
  refuseMarketType,
  refuseOffGrid,
  refuseOutOfBand,
} from './order-shape.ts'
import { liveOrders, orderOfLot } from './step-builder.ts'
import {
  refuseAfterLoss,
  refuseDailyAmount,
  refuseInFirstDays,
  refuseOrderAmount,
  refuseOverPosition,
  refusePersonAmount,
  refuseSellCollar,
  refuseTooMany,
  targetOf,
} from './limits/refuse.ts'
import { refuseBesideUnknown, refuseLocked, refuseUnbooked } from './locked-shares.ts'
import { isOurs, unarmedText, waitText } from './refusals.ts'
import { refuseShadowed } from './refuse-shadowed.ts'
import type { Account, Context, Proposal } from './step-types.ts'
import type { Book, Order, Reason, Stop } from './types.ts'
import { routeOf } from './venues.ts'

export type { Proposal } from './step-types.ts'

/** What the checks look at: the order, and everything around it. */
interface GateInput extends Proposal {
  readonly account: Account
  readonly ctx: Context
  readonly route: Route | null
  readonly live: readonly Order[]
}

/**
 * Rows that are durable but have no verdict yet: as many as leave at the slowest rate, beside the broker's lists, before they
 * are too old to leave (`last-look.ts` of the engine). More would be lost at the end of the queue; so they follow instead.
 */
const MAX_UNSENT = { real: 10, paper: 20 } as const
/** Automatic buys act on a price, so fewer may wait: as many as leave within its five seconds at the slowest rate. */
const MAX_UNSENT_BUYS = { real: 6, paper: 2 } as const

const STRICTNESS: Record<Stop, number> = { active: 0, reduce: 1, halt: 2 }

/** The strictest of server, user and stock. */
export const effectiveStop = (server: Stop, user: Stop, stock: Stop): Stop =>
  [server, user, stock].reduce((worst, stop) => (STRICTNESS[stop] > STRICTNESS[worst] ? stop : worst))

/**
 * Every check an order passes, in this order; the first text is the reason people see. No other code
 * makes an order. After these: the row is committed, the rate slot won, and the stop state looked at once more.
 */
export const GATE: readonly { readonly name: ReasonCode; readonly refuse: (input: GateInput) => string | null }[] = [
  { name: 'shadow', refuse: refuseShadowed },
  {
    name: 'authorised',
    refuse: ({ account }) =>
      account.view.connection.authorised ? null : '증권사 키가 없어 주문할 수 없습니다. 다시 로그인해 주세요.',
  },
  { name: 'stop', refuse: refuseStopped },
  { name: 'otherServer', refuse: ({ account }) => account.book.otherServer.suspected?.text ?? null },
  {
    name: 'timeKnown',
    // An order of a wrong day is found in no list.
    refuse: ({ ctx }) =>
      ctx.isTimeUnknown === true ? '증권사의 시각을 확인하고 있습니다. 잠시 뒤에 다시 주문해 주세요.' : null,
  },
  {
    name: 'session',
    refuse: ({ route }) =>
      route === null ? '지금은 주문을 받는 시간이 아닙니다. 장이 열린 뒤에 주문할 수 있습니다.' : null,
  },
  { name: 'clockRight', refuse: refuseWrongClock },
  { name: 'dayAgreed', refuse: refuseDisputedDay },
  { name: 'noticesHeard', refuse: refuseUnheard },
  { name: 'halted', refuse: refuseHalted },
  { name: 'designated', refuse: refuseDesignated },
  { name: 'frozen', refuse: refuseFrozen },
  { name: 'fresh', refuse: refuseStalePrice },
  { name: 'limitsRead', refuse: refuseUnreadLimits },
  {
    name: 'armed',
    refuse: ({ account, origin }) =>
      origin === 'person' || account.view.connection.armed ? null : unarmedText(account),
  },
  { name: 'reconciled', refuse: refuseMismatch },
  { name: 'pause', refuse: (input) => refuseWaiting(input, isOurs) },
  { name: 'refusedNow', refuse: (input) => refuseWaiting(input, (wait) => !isOurs(wait)) },
  {
    name: 'heldBack',
    refuse: ({ account, stock, side, origin }) =>
      side === 'buy' && origin === 'auto' && account.view.stocks.heldBuys.has(stock.issue.code)
        ? '사람이 자동 매수를 취소한 종목입니다. 설정을 저장하거나 관리자가 ‘주문 적용’을 누르거나 다음 날이 되면 다시 삽니다.'
        : null,
  },
  {
    name: 'size',
    refuse: ({ count }) => (Number.isInteger(count) && count > 0 ? null : '주문 수량이 1주보다 적습니다.'),
  },
  { name: 'grid', refuse: refuseOffGrid },
  { name: 'band', refuse: refuseOutOfBand },
  { name: 'marketType', refuse: refuseMarketType },
  { name: 'maxBuyPrice', refuse: refuseAboveMaxPrice },
  { name: 'maxBuyAmount', refuse: refuseAboveMaxAmount },
  { name: 'target', refuse: refuseBelowTarget },
  { name: 'orderAmount', refuse: refuseOrderAmount },
  { name: 'dailyBuyAmount', refuse: refuseDailyAmount },
  { name: 'firstDays', refuse: refuseInFirstDays },
  { name: 'personOrderAmount', refuse: refusePersonAmount },
  { name: 'collar', refuse: refuseCollar },
  { name: 'sellCollar', refuse: refuseSellCollar },
  { name: 'ordersPerMinute', refuse: refuseTooMany },
  {
    name: 'unknown',
    refuse: ({ live }) =>
      live.some((order) => order.status === 'unknown')
        ? '결과를 모르는 주문이 있어, 증권사 기록을 확인할 때까지 기다립니다.'
        : null,
  },
  {
    name: 'oneBuy',
    refuse: ({ side, live }) =>
      side === 'buy' && live.some((order) => order.side === 'buy')
        ? '이미 나가 있는 매수 주문이 있습니다. 끝나거나 취소된 뒤에 살 수 있습니다.'
        : null,
  },
  {
    name: 'oneOrderPerLot',
    refuse: ({ side, live, lotIds }) =>
      side === 'sell' && lotIds.some((id) => orderOfLot(live, id) !== undefined)
        ? '이미 주문이 나가 있는 매매입니다. 끝나거나 취소된 뒤에 주문할 수 있습니다.'
        : null,
  },
  { name: 'booked', refuse: refuseNotOurs },
  // These come last: an automatic buy refused here would have gone out otherwise, and so stops the buying.
  { name: 'lossAmount', refuse: refuseAfterLoss },
  { name: 'positionAmount', refuse: refuseOverPosition },
  {
    name: 'queue',
    refuse: ({ account, ctx, side, origin }) => {
      const max = side === 'buy' && origin === 'auto' ? MAX_UNSENT_BUYS[ctx.env] : MAX_UNSENT[ctx.env]
      const unsent = countOrders(account.book, (order) => order.status === 'intended')
      return unsent < max ? null : '먼저 낸 주문들이 나가기를 기다립니다.'
    },
  },
]

export type GateResult = { readonly ok: true; readonly route: Route } | { readonly ok: false; readonly reason: Reason }

/** The one door for orders. `checks` is only ever another list in the check that each guard matters. */
export function gate(account: Account, ctx: Context, proposal: Proposal, checks = GATE): GateResult {
  ctx.atGate?.(account, proposal)
  const input = inputOf(account, ctx, proposal)
  for (const { name, refuse } of checks) {
    const text = refuse(input)
    if (text !== null) return { ok: false, reason: { side: proposal.side, ok: false, code: name, text } }
  }
  if (input.route === null) throw new Error('the gate let an order pass without an open session')
  return { ok: true, route: input.route }
}

function inputOf(account: Account, ctx: Context, proposal: Proposal): GateInput {
  const { issue } = proposal.stock
  const where = routeOf(account, ctx, issue)
  return { ...proposal, account, ctx, route: where, live: liveOrders(account.book, issue.code) }
}

/** Every check of the gate with its refusal, null where it lets the order pass: for whoever wants to know why. */
export function gateChecks(account: Account, ctx: Context, proposal: Proposal) {
  const input = inputOf(account, ctx, proposal)
  return GATE.map(({ name, refuse }) => ({ name, refusal: refuse(input) }))
}

function refuseStopped({ account, ctx, stock, side }: GateInput): string | null {
  const stop = effectiveStop(ctx.serverStop, account.book.stop, stock.stop)
  if (stop === 'halt') return '모든 주문이 멈춰 있습니다. 멈춤을 풀어야 주문할 수 있습니다.'
  return stop === 'reduce' && side === 'buy' ? '매수가 멈춰 있습니다. 멈춤을 풀어야 살 수 있습니다.' : null
}

function refuseStalePrice({ ctx, stock, side, origin }: GateInput): string | null {
  // A resting sell is bound by its own target, so it needs no fresh price; a buy always does.
  if (side === 'sell' || origin === 'person') return null
  const quote = ctx.quote(stock.issue.code)
  if (quote === undefined) return '아직 체결가를 받지 못했습니다.'
  if (!quote.live) return '시세가 다시 이어진 뒤 첫 체결가라 기준으로만 씁니다.'
  // A trade from the future: our clock was set back since, so its age is not known.
  const age = Math.abs(ctx.now - quote.at)
  return age > ctx.limits.freshMs ? '마지막 체결가가 오래되어 사지 않습니다.' : null
}

/**
 * A price of another share than yesterday's would buy at once, and fill at once a sell whose target is of the share of before. A
 * target above the price rests, and where shares were split it is outside the day's limits.
 */
function refuseUnreadLimits({ ctx, stock, side, origin, price }: GateInput): string | null {
  const quote = ctx.quote(stock.issue.code)
  if (origin !== 'auto' || ((quote?.band ?? null) !== null && quote?.isDoubted !== true)) return null
  if (side === 'buy') return '오늘의 기준가와 상한가·하한가를 아직 읽지 못해 사지 않고 기다립니다.'
  // Nothing was read of it yet.
  if (quote === undefined) return '아직 현재가를 알 수 없어, 바로 팔릴 값인지 몰라 기다립니다.'
  return quote.price >= price ? '오늘의 기준가와 상한가·하한가를 아직 읽지 못해, 바로 팔릴 값이라 기다립니다.' : null
}

function refuseNotOurs(input: GateInput): string | null {
  const { account } = input
  return refuseUnbooked(input) ?? refuseLocked(account, input) ?? refuseBesideUnknown(account, input)
}

/** Said while shares that somebody else traded cannot be compared yet. */
export const UNBOOKED_FILL = '장부에 없는 주문이 체결되어 증권사 잔고와 맞춰 보는 중입니다.'

const UNCOMPARED = '직접 관리하는 주식이 있어, 장부와 증권사 잔고를 맞춰 본 뒤에 주문합니다.'

function refuseMismatch({ account, stock, side, origin }: GateInput): string | null {
  const { blocked } = stock
  if (side === 'buy' && origin === 'auto' && account.view.stocks.strangerFillsSince.has(stock.issue.code))
    return blocked?.text ?? UNBOOKED_FILL
  if (origin === 'auto' && account.view.stocks.uncompared.has(stock.issue.code)) return blocked?.text ?? UNCOMPARED
  const suspected = account.view.stocks.suspectedMismatches.get(stock.issue.code)
  const suspectedText = suspected === undefined ? null : '장부와 증권사 잔고가 달라 다시 확인하는 중입니다.'
  if (side === 'buy') return blocked === null ? suspectedText : blocked.text
  if (origin === 'person') return null
  // Fewer shares than booked: an automatic sell would only be rejected, or sell somebody else's.
  if (blocked === null || blocked.buysOnly === true)
    return suspected !== undefined && suspected.broker < suspected.book ? suspectedText : null
  return blocked.code === 'mismatch' && !blocked.short ? null : blocked.text
}

function refuseWaiting({ account, ctx, stock, side, origin }: GateInput, matches: typeof isOurs): string | null {
  return origin === 'person' ? null : waitText(account.view, { code: stock.issue.code, side }, ctx, matches)
}

function refuseBelowTarget({ stock, side, origin, price, lotIds }: GateInput): string | null {
  if (side === 'buy' || origin === 'person') return null
  const lots = stock.lots.filter((lot) => lotIds.includes(lot.id))
  const target = targetOf(stock, lots)
  return target !== null && price >= target ? null : '목표가보다 낮은 자동 매도입니다.'
}

/**
 * A buy must not be priced above the last trade by more than the collar. Automatic sells have their target as a floor: far above
 * it the exchange gives the better price, and holding them back would only miss it. Sells of a person have a collar of their own.
 */
function refuseCollar({ ctx, stock, side, origin, price }: GateInput): string | null {
  const { collarPercent } = ctx.limits
  const last = ctx.quote(stock.issue.code)?.price
  if (side === 'sell' || origin === 'person' || collarPercent === null || last === undefined) return null
  return Math.abs(price - last) * 100 <= last * collarPercent ? null : '마지막 체결가에서 너무 먼 가격입니다.'
}

const countOrders = (book: Book, matches: (order: Order) => boolean): number => {
  let count = 0
  for (const order of book.orders.values()) if (matches(order)) count += 1
  return count
}
