import type { Stock } from '@digger/contract'
import { kstIso, LATE_MS, withParticle } from '@digger/core'

type Due = NonNullable<Stock['due']>
type Reason = Stock['reasons'][number]

/** What passes by itself and soon, and what comes then. */
const HINTS: Partial<Record<Reason['code'], string>> = {
  askingCash: '답이 오면 바로 냅니다.',
  armed: '준비되면 바로 냅니다.',
  queue: '차례가 오면 바로 냅니다.',
  pause: '잠시 뒤 다시 냅니다.',
}
/** So long it should never take by itself, ms. */
const CALL_MS = 10 * 60_000
const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]

/** Whether the order has been due for so long that it is said. */
export const isLate = ({ due }: Pick<Stock, 'due'>, now: number): boolean =>
  due !== null && now - Date.parse(due.since) > LATE_MS

/** `34초째`, `3분째`: only what is counted changes, never what stands around it. */
function sinceText({ since }: Due, now: number): string {
  const ms = now - Date.parse(since)
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)}초째`
  return ms < HOUR ? `${Math.floor(ms / MINUTE)}분째` : `${Math.floor(ms / HOUR)}시간째`
}

export const lateTitle = (due: Due, now: number): string =>
  `${due.side === 'buy' ? '살' : '팔'} 차례인데 ${sinceText(due, now)} 나가지 않았습니다.`

/** The cause, what comes next, and whether there is anything to do. */
export function lateText({ due, reasons }: Pick<Stock, 'reasons'> & { due: Due }, now: number): string {
  const cause = reasons.find(({ side, ok, code }) => side === due.side && !ok && HINTS[code] !== undefined)
  const isLong = now - Date.parse(due.since) > CALL_MS
  return [
    ...(cause ? [cause.text, HINTS[cause.code]] : []),
    isLong ? '10분이 넘었습니다. 관리자에게 알려 주세요.' : '지금 할 일은 없습니다.',
    `${kstIso(Date.parse(due.since)).slice(11, 19)}부터`,
  ].join(' ')
}

/** One line about all of them; '' when none is late. */
export function lateLine(stocks: readonly Pick<Stock, 'name' | 'due'>[], now: number): string {
  const late = stocks.filter((stock) => isLate(stock, now))
  const [first, ...others] = late.map(({ name, due }) => `${name} ${due?.side === 'sell' ? '매도' : '매수'}`)
  if (first === undefined) return ''
  const named = others.length === 0 ? `${first} 주문` : `${[first, ...others.slice(0, 2)].join(', ')} 주문`
  const more = others.length > 2 ? ` 등 ${late.length}건` : ''
  return `${withParticle(`${named}${more}`, '이')} 늦어지고 있습니다.`
}
