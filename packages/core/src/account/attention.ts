import { kstDay } from '../krx/kst.ts'
import { dayBegins, dayEnds, isTradingDay, type Timetable } from '../krx/session.ts'
import { frozenText } from './frozen.ts'
import { mattersOf } from './matters.ts'
import type { Account } from './step-types.ts'
import type { Book, Order, Stock } from './types.ts'

/** What a person is called for while it lasts, and told once when it is over. */
export const ATTENTION_KINDS = [
  'stockStopped',
  'mismatch',
  'limitReached',
  'otherServer',
  'orderLate',
  'orderUnknown',
  'socketDown',
  'notArmed',
  'keyAbsent',
  'checkRed',
] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

export interface Attention {
  readonly kind: AttentionKind
  /** What of the account it is about: a stock, an order, a limit. Empty: all of it. */
  readonly subject: string
  readonly code: string | null
  /** How long it has lasted, ms. */
  readonly forMs: number
  /** A Korean sentence that says what can be done. */
  readonly text: string
}

/** A person is called once it has lasted so long, ms: most of what heals by itself has healed by then. */
export const ALARM_AFTER_MS: Readonly<Record<AttentionKind, number>> = {
  stockStopped: 0,
  mismatch: 60_000,
  limitReached: 0,
  otherServer: 0,
  orderLate: 30_000,
  orderUnknown: 60_000,
  socketDown: 2 * 60_000,
  notArmed: 5 * 60_000,
  // A process that has just begun is still opening its keys.
  keyAbsent: 60_000,
  checkRed: 5 * 60_000,
}

/** The key is missed this long before the account's first session, ms. */
const KEY_AHEAD_MS = 10 * 60_000

/** An item of the morning check. `since`: epoch ms; null: not known. */
export interface RedItem {
  readonly item: string
  readonly since: number | null
  readonly text: string
}

/** How the account stands in this process. Ages are ms, 0 where it is not so. */
export interface Standing {
  /** The market's time, epoch ms. */
  readonly now: number
  readonly timetable: Timetable
  /** Its key is open here. */
  readonly opened: boolean
  readonly closedMs: number
  /** Its key is open and its book is not compared. */
  readonly unarmedMs: number
  /** It has no socket while an exchange trades. */
  readonly withoutPricesMs: number
  /** Its socket is connected. */
  readonly connected: boolean
  /** What the morning check shows red and nothing else here calls for. Absent: nothing. */
  readonly red?: readonly RedItem[]
}

/** First and last instant of a KST day at which the account may trade where its owner chose to; null: no trading that day. */
export function tradingHours({ venues }: Book, day: string, timetable: Timetable): readonly [number, number] | null {
  if (!isTradingDay(day, timetable)) return null
  const { opens, regular, all } = dayEnds(day, timetable)
  const begins = venues.preMarket ? (dayBegins(day, timetable) ?? opens) : opens
  return [begins, venues.afterMarket || venues.sor ? all : regular]
}

/** All that lasts now, whether its patience is over or not. */
export function attentionOf(account: Account, standing: Standing): Attention[] {
  return [
    ...[...account.book.stocks.values()].flatMap((stock) => stockMatters(stock, standing.now)),
    ...accountMatters(account.book, standing.now),
    ...orderMatters(account, standing.now),
    ...connectionMatters(account, standing),
  ]
}

/** Those that have lasted so long that their person is called. */
export const urgentOf = (found: readonly Attention[]): Attention[] =>
  found.filter(({ kind, forMs }) => forMs >= ALARM_AFTER_MS[kind])

function stockMatters(stock: Stock, now: number): Attention[] {
  const { issue, name, blocked } = stock
  const { code } = issue
  const found: Attention[] = []
  if (blocked !== null) {
    const kind = blocked.code === 'mismatch' ? 'mismatch' : 'stockStopped'
    const forMs = Math.max(0, now - blocked.at)
    // Stopped for something else it is another matter, however soon.
    const subject = kind === 'mismatch' ? code : `${code} ${blocked.code}`
    found.push({ kind, subject, code, forMs, text: `${name}: ${blocked.text}` })
  }
  const frozen = frozenText(stock, null)
  if (frozen !== null)
    found.push({ kind: 'stockStopped', subject: `${code} frozen`, code, forMs: 0, text: `${name}: ${frozen}` })
  return found
}

function accountMatters({ limits, otherServer: { suspected }, stocks }: Book, now: number): Attention[] {
  const reached = limits.trips.map(({ limit, code, text }): Attention => {
    const name = code === null ? '' : `${stocks.get(code)?.name ?? code}: `
    return { kind: 'limitReached', subject: `${limit} ${code ?? ''}`.trim(), code, forMs: 0, text: `${name}${text}` }
  })
  if (suspected === null) return reached
  const forMs = Math.max(0, now - suspected.at)
  return [...reached, { kind: 'otherServer', subject: '', code: null, forMs, text: suspected.text }]
}

const SIDES = { buy: '매수', sell: '매도' } as const

function orderMatters({ book, view }: Account, now: number): Attention[] {
  const late = [...view.stocks.dueSince].flatMap(([subject, since]): Attention[] => {
    const [side, code = ''] = subject.split(' ')
    const stock = book.stocks.get(code)
    if (stock === undefined) return []
    const what = `${stock.name}: 나가야 할 ${SIDES[side === 'buy' ? 'buy' : 'sell']} 주문이 나가지 못하고 있습니다.`
    const text = `${what} 종목 화면에서 까닭을 확인해 주세요.`
    return [{ kind: 'orderLate', subject, code, forMs: Math.max(0, now - since), text }]
  })
  const lost = [...book.orders.values()].filter(({ status }) => status === 'unknown')
  return [
    ...late,
    ...lost.map((order): Attention => {
      const text = `${orderName(book, order)} 주문의 결과를 알 수 없습니다. 다시 보내지 않고 증권사 목록에서 찾고 있습니다.`
      const forMs = Math.max(0, now - order.updatedAt)
      return { kind: 'orderUnknown', subject: String(order.id), code: order.code, forMs, text }
    }),
  ]
}

const orderName = ({ stocks }: Book, { code, side, count }: Order): string =>
  `${stocks.get(code)?.name ?? code} ${SIDES[side]} ${count}주`

/** What keeps an account that has something to do from doing it, within its own hours. */
function connectionMatters(account: Account, standing: Standing): Attention[] {
  const { now, timetable, opened, closedMs, unarmedMs, withoutPricesMs, red = [] } = standing
  const found: Attention[] = []
  const note = (kind: AttentionKind, forMs: number, text: string): void => {
    if (forMs > 0) found.push({ kind, subject: '', code: null, forMs, text })
  }
  const hours = tradingHours(account.book, kstDay(now), timetable)
  if (hours === null || !mattersOf(account).automatic) return found
  const [begins, ends] = hours
  if (now >= ends) return found
  if (opened) {
    note('notArmed', Math.min(unarmedMs, now - begins), NOT_ARMED)
    note('socketDown', now < begins ? 0 : withoutPricesMs, SOCKET_DOWN)
    // It has had its time before the opening.
    for (const { item, since, text } of red) {
      const forMs = now - Math.max(begins, since ?? begins)
      if (forMs > 0) found.push({ kind: 'checkRed', subject: item, code: null, forMs, text })
    }
  } else note('keyAbsent', Math.min(closedMs, now - (begins - KEY_AHEAD_MS)), KEY_ABSENT)
  return found
}

const NOT_ARMED =
  '장이 열렸는데 장부를 증권사와 맞춰 보지 못해 자동으로 매매하지 않고 있습니다. 연결 화면과 증권사 점검 시간을 확인해 주세요.'
const SOCKET_DOWN =
  '실시간 연결이 되지 않아 시세가 오지 않고, 그래서 사지 않습니다. 같은 앱키를 다른 프로그램이 쓰고 있지 않은지 확인해 주세요.'
const KEY_ABSENT = '키가 열려 있지 않아 자동으로 매매하지 않습니다. Digger에 로그인해 주세요.'

/**
 * The one sentence after it is over. It claims neither that something works which has only stopped being missed, nor that trading goes on
 * which something else may hold back.
 */
export function endOfAttention(
  { kind, subject }: Pick<Attention, 'kind' | 'subject'>,
  { book, view }: Account,
  { opened, connected }: Standing,
): string {
  switch (kind) {
    case 'stockStopped':
      return endOfStop(book, subject, 'Digger가 멈췄던 것이 풀렸습니다.')
    case 'mismatch':
      return endOfStop(book, subject, '장부와 증권사의 주식 수가 다른 까닭에 멈췄던 것이 풀렸습니다.')
    case 'limitReached':
      return `한도에 닿아 멈췄던 것이 풀렸습니다.${book.limits.trips.length > 0 ? ' 다른 한도로 멈춘 것은 아직 있습니다.' : ''}`
    case 'otherServer':
      return '다른 Digger가 있는지 묻던 것이 정리되었습니다.'
    case 'orderLate':
      return `${stockName(book, subject)}: 늦던 주문이 더는 밀려 있지 않습니다.`
    case 'orderUnknown': {
      const status = book.orders.get(Number(subject))?.status
      return `결과를 모르던 주문 ${subject}번이 확인되었습니다${status === 'notPlaced' ? ': 접수되지 않은 주문입니다' : ''}.`
    }
    case 'socketDown':
      if (connected) return '실시간 연결이 돌아왔습니다.'
      return `${opened ? TRADING_OVER : KEY_CLOSED} 실시간 연결은 되어 있지 않습니다.`
    case 'notArmed':
      if (view.connection.armed) return '장부를 증권사와 맞춰 보았습니다.'
      return `${opened ? TRADING_OVER : KEY_CLOSED} 장부는 아직 맞춰 보지 못했습니다.`
    case 'keyAbsent':
      return opened ? '키가 열렸습니다.' : `${TRADING_OVER} 키는 아직 열려 있지 않습니다.`
    case 'checkRed':
      return opened ? '아침 점검에서 빨간색이던 것이 없어졌거나 오늘 장이 끝났습니다.' : KEY_CLOSED
  }
}

const TRADING_OVER = '오늘 장이 끝났거나 자동 매매를 멈췄습니다.'
const KEY_CLOSED = '키가 닫혔습니다. Digger에 로그인하면 다시 연결합니다.'

/** One stop may take the place of another. */
function endOfStop(book: Book, subject: string, over: string): string {
  const { blocked = null, frozen = null } = stockOf(book, subject) ?? {}
  const isStopped = blocked !== null || frozen !== null
  return `${stockName(book, subject)}: ${isStopped ? '알려 드린 까닭은 없어졌지만 다른 까닭으로 아직 멈춰 있습니다. 종목 화면에서 확인해 주세요.' : over}`
}

/** Subjects about a stock have its code as one of their words. */
const stockOf = ({ stocks }: Book, subject: string): Stock | undefined =>
  subject
    .split(' ')
    .map((word) => stocks.get(word))
    .find((one) => one !== undefined)

/** One that was removed meanwhile is named by its code. */
const stockName = (book: Book, subject: string): string =>
  stockOf(book, subject)?.name ?? subject.split(' ').find((word) => /\d/.test(word)) ?? subject
