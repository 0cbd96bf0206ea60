import { kstDay, kstTime } from '../krx/kst.ts'
import { dayEnds } from '../krx/session.ts'
import type { StepBuilder } from './step-builder.ts'
import type { Context } from './step-types.ts'
import type { Order } from './types.ts'
import type { Account, View, Wait } from './view.ts'

/** How long automatic orders of a stock wait after one did not go through, ms: at first, and at most when it goes on. */
const WAITS: Record<Wait['cause'], readonly [first: number, longest: number]> = {
  notPlaced: [5_000, 5_000],
  order: [5_000, 5_000],
  call: [5_000, 60_000],
  // The refused venue is not asked again today; the next one may be at once.
  venue: [5_000, 30 * 60_000],
  halted: [60_000, 5 * 60_000],
  // Public bots wait five minutes inside the broker's hours; its clock is at most seconds from ours.
  hour: [60_000, 5 * 60_000],
  priceLimit: [60_000, 10 * 60_000],
  service: [60_000, 5 * 60_000],
  // Cash or shares may be free again with the next fill or cancel, here or on a phone.
  money: [10_000, 10 * 60_000],
  shares: [10_000, 10 * 60_000],
  day: [30 * 60_000, 30 * 60_000],
}

/** A refusal this long after the end of a wait begins a new series, ms. */
const SERIES_MS = 10 * 60_000

/** What buys lack sells may have, and the other way round: only the side that was refused waits. */
const waitKey = (cause: Wait['cause'], { code, side }: Pick<Order, 'code' | 'side'>): string =>
  cause === 'money' || cause === 'shares' ? `${side} ${code}` : code

/**
 * Automatic orders of the stock wait: a little after our own faults, longer the longer the moment is against them. `words`:
 * the broker's, where it said no.
 */
export function waitAfter(builder: StepBuilder, order: Order, cause: Wait['cause'], words: string | null = null): void {
  const { now } = builder.ctx
  const key = waitKey(cause, order)
  const before = builder.view.stocks.waits.get(key)
  // Orders that left together are refused together: that is one answer.
  if (before !== undefined && before.cause === cause && order.createdAt <= before.at) return
  const goesOn = before !== undefined && before.cause === cause && now < before.until + SERIES_MS
  const tries = goesOn ? before.tries + 1 : 1
  const [first, longest] = WAITS[cause]
  const until = Math.max(
    now + Math.min(first * 2 ** (tries - 1), longest),
    endOfAfterMarket(builder, order, cause),
    // A cause that passes sooner must not shorten the wait for another.
    before?.until ?? 0,
  )
  builder.patchView({
    stocks: { waits: new Map(builder.view.stocks.waits).set(key, { cause, at: now, until, tries, words }) },
  })
  if (key !== order.code) doubtWhatIsFree(builder, order)
  if (cause === 'venue' && order.venue !== 'KRX')
    builder.patchView({ stocks: { notOnNxt: new Set(builder.view.stocks.notOnNxt).add(order.code) } })
}

/** Cash and holdings are asked for anew: what was believed of them is wrong, or somebody else has used them. */
function doubtWhatIsFree(builder: StepBuilder, { side }: Order): void {
  if (side === 'buy') return builder.patchView({ cash: { answer: null } })
  builder.patchView({ readSchedule: { lastComparedAt: 0 } })
  builder.readBy(builder.ctx.now)
}

/** What says nothing of the issue. */
const OF_NO_ISSUE: ReadonlySet<Wait['cause']> = new Set(['call', 'notPlaced', 'money', 'shares', 'service'])

/**
 * Which issues the KRX after-market leaves out is not published in full: what it refused is not offered there again today. An
 * order by hand may be of a kind that it does not take of any issue.
 */
function endOfAfterMarket({ ctx }: StepBuilder, { session, origin, day }: Order, cause: Wait['cause']): number {
  if (session !== 'after' || origin === 'person' || OF_NO_ISSUE.has(cause)) return 0
  return dayEnds(day, ctx.timetable).all
}

const TEXTS: Record<Wait['cause'], string> = {
  notPlaced: '방금 나가지 못한 주문이 있어 잠시 쉽니다.',
  order: '증권사가 방금 주문을 거절해 잠시 쉽니다.',
  call: '증권사가 호출을 받지 않아 잠시 쉽니다.',
  venue: '증권사가 이 거래소에서는 받지 않는다고 했습니다.',
  halted: '증권사가 지금 거래가 정지된 종목이라고 했습니다.',
  hour: '증권사가 지금은 주문을 받는 시간이 아니라고 했습니다.',
  priceLimit: '증권사가 오늘의 상한가·하한가를 벗어난 가격이라고 했습니다.',
  day: '증권사가 오늘은 영업일이 아니라고 했습니다.',
  service: '증권사가 지금은 주문을 받지 않는다고 했습니다.',
  money: '증권사가 살 돈이 모자란다고 했습니다.',
  shares: '증권사가 주문할 수 있는 수량을 넘는다고 했습니다.',
}

/** Why the stock waits after a refusal, for people; null when it does not. */
export function waitText(
  { stocks }: View,
  { code, side }: Pick<Order, 'code' | 'side'>,
  { now, timetable }: Pick<Context, 'now' | 'timetable'>,
  matches: (wait: Wait) => boolean,
): string | null {
  const waits = [stocks.waits.get(code), stocks.waits.get(`${side} ${code}`)]
  const wait = waits.find((one) => one !== undefined && now < one.until && matches(one))
  if (wait === undefined) return null
  const text = quoting(TEXTS[wait.cause], wait.words ?? null)
  if (isOurs(wait)) return text
  if (wait.until >= dayEnds(kstDay(now), timetable).all) return `${text} 오늘은 다시 내지 않고 다음 거래일에 냅니다.`
  const [, hours, minutes] = /^(..)(..)/.exec(kstTime(wait.until + 59_999)) ?? []
  return `${text} ${hours}:${minutes}에 다시 냅니다.`
}

/** The sentence with the broker's own words, by which a person finds what to do. */
const quoting = (sentence: string, words: string | null): string =>
  words === null || words === '' ? sentence : sentence.replace(/\.$/, `(‘${words.replace(/\.$/, '')}’).`)

/** Waits of seconds for reasons of ours, as against those that the market ends. */
export const isOurs = ({ cause }: Wait): boolean => cause === 'notPlaced' || cause === 'order' || cause === 'call'

/** Whoever waits for the comparison learns why it does not come. */
export const unarmedText = ({ view }: Account): string =>
  view.readSchedule.failure === null
    ? '증권사와 장부를 맞춰 보는 중이라 기다립니다.'
    : `증권사와 장부를 맞춰 보지 못해 기다립니다: ${view.readSchedule.failure}`
