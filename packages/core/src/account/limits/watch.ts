import { withParticle } from '../../ladder/particle.ts'
import { grouped, won } from '../../ladder/text.ts'
import type { StepBuilder } from '../step-builder.ts'
import type { AccountEvent } from '../step-types.ts'
import type { Book, Reason } from '../types.ts'
import { changeLimits, inForce, limitProblems } from './change.ts'
import { changeFirstDays, firstDaysProblem } from './first-days.ts'
import { lossText } from './refuse.ts'
import type { FirstDaysRule, LimitChange, StoppingLimit } from './types.ts'
import { investedAmount, repeats, UNKNOWN_MS, unknownInHour } from './use.ts'

/** The list of lost outcomes is cut here: far above every limit a person can set. */
const MAX_COUNTED = 200

/**
 * Stops the buying where a limit is reached, and says why. Looked at after every change of the book, and once a second
 * for prices that moved meanwhile. Only a person resumes the buying; while the limit is still reached it stops again at once.
 */
export function watchLimits(builder: StepBuilder, before: Book, event: AccountEvent): void {
  if (builder.book === before && event.kind !== 'timer') return
  countUnknown(builder, before)
  watchAccount(builder)
  if (builder.book !== before) watchStocks(builder)
}

/** A refused automatic buy counts as reaching the account's limit, though some won of it may be left. */
export function stopAtLimit(builder: StepBuilder, reasons: readonly Reason[]): void {
  for (const { code, text } of reasons)
    if (code === 'positionAmount' || code === 'lossAmount') reach(builder, code, text)
}

/** Changes the limits for a person; returns why the change is refused, or null. */
export function setLimits(builder: StepBuilder, change: LimitChange): string | null {
  const { book, ctx } = builder
  const [problem] = limitProblems(change, ctx.limits)
  if (problem !== undefined) return `${problem.limit}: ${problem.text}`
  builder.record({ kind: 'limitsSet', ...changeLimits(book.limits, change, ctx.limits, book.day) })
  return null
}

/** The same for the first days with real money. */
export function setFirstDays(builder: StepBuilder, rule: FirstDaysRule): string | null {
  const problem = firstDaysProblem(rule)
  if (problem !== null) return problem
  const { limits, day } = builder.book
  builder.record({ kind: 'firstDaysSet', firstDays: changeFirstDays(limits.firstDays, rule, day) })
  return null
}

/** Counts each lost outcome once, whatever becomes of the order later. */
function countUnknown(builder: StepBuilder, before: Book): void {
  const { now } = builder.ctx
  const lost = builder.facts.filter(
    (fact) => fact.kind === 'orderLost' && before.orders.get(fact.orderId)?.status !== 'unknown',
  )
  if (lost.length === 0) return
  const recent = builder.book.limits.lostAt.filter((at) => at > now - UNKNOWN_MS)
  builder.record({ kind: 'unknownCounted', lostAt: [...recent, ...lost.map(() => now)].slice(-MAX_COUNTED) })
}

function watchAccount(builder: StepBuilder): void {
  const { book, ctx } = builder
  const position = inForce(book.limits, ctx.limits, 'positionAmount')
  const used = position === null ? 0 : investedAmount(book)
  if (position !== null && used >= position)
    reach(builder, 'positionAmount', `계좌 보유 한도 ${won(position)}에 닿았습니다: 지금 ${won(used)}입니다.`)
  const loss = lossText(book, ctx)
  if (loss !== null) reach(builder, 'lossAmount', loss)
  const most = inForce(book.limits, ctx.limits, 'unknownPerHour')
  const unknown = unknownInHour(book, ctx.now)
  if (most !== null && unknown > most) {
    const text = `결과를 모르는 주문이 한 시간에 ${grouped(unknown)}건입니다(한도 ${grouped(most)}건). 증권사 연결과 주문을 확인해 주세요.`
    reach(builder, 'unknownPerHour', text)
  }
}

function watchStocks(builder: StepBuilder): void {
  const { book, ctx } = builder
  const most = inForce(book.limits, ctx.limits, 'repeatCount')
  if (most === null) return
  for (const [code, count] of repeats(book, ctx.now)) {
    const stock = book.stocks.get(code)
    if (stock === undefined || count <= most || isReported(book, 'repeatCount', code)) continue
    const text = `${withParticle(stock.name, '을')} 10분에 ${grouped(count)}번 샀다가 되팔았습니다(한도 ${grouped(most)}번). 설정을 확인해 주세요.`
    builder.record({ kind: 'stockLimitReached', code, limit: 'repeatCount', text })
  }
}

function reach(builder: StepBuilder, limit: Exclude<StoppingLimit, 'repeatCount'>, text: string): void {
  if (!isReported(builder.book, limit, null)) builder.record({ kind: 'limitReached', limit, text })
}

const isReported = ({ limits }: Book, limit: StoppingLimit, code: string | null): boolean =>
  limits.trips.some((reached) => reached.limit === limit && reached.code === code)
