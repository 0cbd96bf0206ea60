import { grouped, won } from '../ladder/text.ts'
import { done, refused } from './command-result.ts'
import { orderKey } from './end-order.ts'
import { restoredAt } from './other-server-state.ts'
import { isShadowed } from './refuse-shadowed.ts'
import { doubtTraded } from './restored-stock.ts'
import { wantedSells } from './selling.ts'
import { liveOrders, type StepBuilder } from './step-builder.ts'
import { wantedBuy } from './wanted-buy.ts'
import type { CommandResult } from './step-types.ts'
import type { OtherServer, Stock } from './types.ts'
import { mayBeOurs } from './unknown.ts'
import type { Stranger } from './view.ts'

/*
 * Another Digger may trade this account: one that was believed dead, on a copy of the database, or with the same key on
 * another machine. The two would buy everything twice. No list says who made an order, so these are signs only, and its
 * person decides.
 */

/** The sign that another connection holds the account's key. Orders are signs by their `orderKey`. */
const HELD_KEY = 'key'
/** Two servers act on the same trade: seconds of queue and of clocks lie between their orders, ms. What became of them does not count. */
const SAME_MOMENT_MS = 30_000

/** A list that a restored book is held against before it goes on is not older, ms; it is read four times as often. */
const FRESH_LISTS_MS = 60_000
/** A server that trades makes an order within it; who has made one by phone waits for so long, ms. */
const RECENT_MS = 10 * 60_000

const NOT_READ =
  '되살린 뒤의 주문과 잔고를 증권사에서 아직 읽지 못했습니다. 로그인해 키를 열고 잠시 뒤 다시 눌러 주세요.'
const NOT_COMPARED =
  '잔고가 장부와 다른 종목을 한 번 더 확인하고 있습니다. ‘주문 적용’을 누르라는 종목이 있으면 먼저 누르고, 15초 뒤에 다시 눌러 주세요.'
const NOT_CONNECTED =
  '실시간 연결이 되지 않아 계속할 수 없습니다. 원래 서버가 켜져 있으면 앱키를 쥐고 있으니 끄고, 연결된 뒤(길면 4분) 다시 눌러 주세요.'

const ADVICE =
  '다른 곳에서 Digger가 이 계좌로 함께 거래하고 있을 수 있어 주문을 모두 멈췄습니다. 다른 Digger가 없는지 확인한 뒤 ‘계속하기’를 눌러 주세요.'

/** After each reading: orders that are not ours and look as if our own rules had made them. */
export function noticeDoubles(builder: StepBuilder): void {
  const { otherServer } = builder.book
  const doubles = [...builder.view.orders.strangers.values()].filter(
    (stranger) => !isNoted(otherServer, signOf(stranger)) && isDouble(builder, stranger),
  )
  const [first] = doubles
  if (first !== undefined) suspect(builder, doubles.map(signOf), `${doubleText(builder, first)} ${ADVICE}`)
}

/** The broker says that another connection holds the key, for longer than one of ours could. */
export function noticeHeldKey(builder: StepBuilder): void {
  if (isNoted(builder.book.otherServer, HELD_KEY)) return
  suspect(builder, [HELD_KEY], `다른 연결이 이 계좌의 앱키로 증권사 실시간 시세를 받고 있습니다. ${ADVICE}`)
}

/** The person knows what it is. What the broker lists by now stops the account no more. `isConnected`: to the broker's socket. */
export function dismissOtherServer(builder: StepBuilder, isConnected: boolean): CommandResult {
  const { suspected, known } = builder.book.otherServer
  if (suspected === null) return done
  const problem = refuseRestored(builder, isConnected)
  if (problem !== null) return refused('CONFLICT', problem)
  if (restoredAt(builder.book.otherServer) !== null) doubtTraded(builder)
  const signs = new Set([...known, ...suspected.signs, ...[...builder.view.orders.strangers.values()].map(signOf)])
  // This server has the key now: whoever takes it afterwards is another one.
  if (restoredAt(builder.book.otherServer) !== null) signs.delete(HELD_KEY)
  builder.record({ kind: 'otherServerDismissed', known: [...signs] })
  return done
}

/** Why a restored book may not go on yet: what happened since is not read, or the server of before may be alive. Null: it may. */
function refuseRestored({ book, view, ctx }: StepBuilder, isConnected: boolean): string | null {
  const at = restoredAt(book.otherServer)
  if (at === null) return null
  const { connection, readSchedule, orders, stocks } = view
  if (stocks.suspectedMismatches.size + stocks.strangerFillsSince.size > 0) return NOT_COMPARED
  if (ctx.isTimeUnknown === true || !connection.armed || ctx.now - readSchedule.lastAt > FRESH_LISTS_MS) return NOT_READ
  if (!isConnected) return NOT_CONNECTED
  // A machine whose clock was ahead when it was put back says nothing about when that was.
  const since = Math.max(at > ctx.now ? 0 : at, ctx.now - RECENT_MS)
  const recent = [...orders.strangers.values()].find(({ orderedAt }) => orderedAt !== null && orderedAt > since)
  return recent === undefined ? null : aliveText(recent)
}

function suspect(builder: StepBuilder, signs: readonly string[], text: string): void {
  const before = builder.book.otherServer.suspected
  // The first sign is the one that people read.
  builder.record({
    kind: 'otherServerSuspected',
    signs: [...(before?.signs ?? []), ...signs],
    text: before?.text ?? text,
  })
}

const signOf = ({ day, odno }: Stranger): string => orderKey(day, odno)

const isNoted = ({ suspected, known }: OtherServer, sign: string): boolean =>
  known.includes(sign) || (suspected?.signs.includes(sign) ?? false)

/** Changed orders are a person's: Digger changes none. */
function isDouble(builder: StepBuilder, stranger: Stranger): boolean {
  const stock = builder.stock(stranger.code)
  if (stock === undefined || stranger.replaces !== null) return false
  if (isLateOrder(builder, stranger)) return false
  const rests = stranger.remainingCount > 0
  return (rests && isWanted(builder, stock, stranger)) || isOfSameMoment(builder, stranger)
}

/** One of ours that was given up or refused, and is there after all: whoever settles it decides. */
function isLateOrder({ book, view, ctx }: StepBuilder, stranger: Stranger): boolean {
  for (const order of book.orders.values()) {
    const known = { clockUncertain: view.orders.clockUncertain.has(order.id), timetable: ctx.timetable }
    if (order.odno === null && mayBeOurs(order, stranger, known)) return true
  }
  return false
}

interface Offer {
  readonly side: Stranger['side']
  readonly price: number
  readonly count: number
}

const isSameOffer = (one: Offer, other: Offer): boolean =>
  one.side === other.side && one.price === other.price && one.count === other.count

/** As an automatic order of ours that rests, or as one that the rules ask for now. */
function isWanted({ book, view, ctx }: StepBuilder, stock: Stock, stranger: Stranger): boolean {
  // Nothing of it leaves here: what looks like its orders is somebody else's.
  if (isShadowed(stock, ctx)) return false
  const live = liveOrders(book, stock.issue.code)
  if (live.some((order) => order.origin === 'auto' && isSameOffer(order, stranger))) return true
  if (stranger.side === 'sell')
    return wantedSells({ book, view }, ctx, stock).missing.some((plan) =>
      isSameOffer({ side: 'sell', ...plan }, stranger),
    )
  const quote = ctx.quote(stock.issue.code)
  if (quote === undefined) return false
  const plan = wantedBuy(book, stock, quote, null)
  return plan.kind === 'buy' && isSameOffer({ side: 'buy', ...plan }, stranger)
}

/** An automatic order of ours was made for the same at the same moment; it may be over by now, as the stranger may. */
function isOfSameMoment({ book }: StepBuilder, stranger: Stranger): boolean {
  const { code, orderedAt } = stranger
  if (orderedAt === null) return false
  for (const order of book.orders.values()) {
    if (order.code !== code || order.origin !== 'auto' || !isSameOffer(order, stranger)) continue
    if (Math.abs(order.createdAt - orderedAt) <= SAME_MOMENT_MS) return true
  }
  return false
}

const aliveText = ({ name, side, count, odno }: Stranger): string =>
  `되살린 뒤 다른 곳에서 낸 ${name} ${grouped(count)}주 ${side === 'buy' ? '매수' : '매도'} 주문(${odno}번)이 있습니다. ` +
  '원래 서버가 아직 살아 있습니다. 그쪽을 끄고 10분 뒤에 다시 눌러 주세요. 휴대폰으로 낸 것이어도 10분 뒤에 됩니다.'

function doubleText(builder: StepBuilder, { code, side, price, count, odno }: Stranger): string {
  const name = builder.stock(code)?.name ?? code
  const what = `${name} ${grouped(count)}주를 ${won(price)}에 ${side === 'buy' ? '사는' : '파는'}`
  return `${what} ${odno}번 주문이 증권사에 있습니다. 이 서버가 낸 것이 아닌데 이 계좌의 설정이 낼 주문과 같습니다.`
}
