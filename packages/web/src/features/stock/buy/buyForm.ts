import type { BuyQuote } from '@digger/contract'
import { readNumber } from '@digger/contract/typed-number'
import { barringStatus, STATUS_NAMES, type IssueStatus } from '@digger/core'
import { number, won } from '../../../format/won.ts'

/** Won of one unit of the amount that is typed. */
const UNIT = 10_000

export interface BuyQuery {
  /** As typed: the server multiplies, once. */
  readonly amount: string
}

/** What is wrong with the amount; null where it can be asked for. */
export function amountProblem(text: string): string | null {
  const amount = readNumber(text)
  return Number.isInteger(amount) && Number(amount) > 0 ? null : '금액을 만원 단위 숫자로 넣어 주세요.'
}

export const buyQueryOf = (text: string): BuyQuery | null => (amountProblem(text) === null ? { amount: text } : null)

/** `1,000,000원어치를 삽니다.`; empty while there is no amount. */
export function amountText(text: string): string {
  const amount = amountProblem(text) === null ? readNumber(text) : null
  return amount ? `${won(amount * UNIT)}어치를 삽니다.` : ''
}

/** The kind of order, and of a limit its price. */
export function kindText({ type, price }: Pick<BuyQuote, 'type' | 'price'>): string {
  if (type === null) return '—'
  if (type === 'limit') return `지정가 ${won(price)}`
  return type === 'market' ? '시장가' : '최유리 지정가'
}

/** `6주 × 206,000 = 1,236,000원`. */
export const worstText = ({ qty, worstPrice, worstAmount }: BuyQuote): string =>
  qty === 0 || worstPrice === null ? '—' : `${number(qty)}주 × ${number(worstPrice)} = ${won(worstAmount)}`

/** What the cash is, and what is left of it at worst. */
export function cashLines({ cash, worstAmount }: Pick<BuyQuote, 'cash' | 'worstAmount'>): {
  now: string
  left: string
} {
  if (cash === null) return { now: '모름 (누르면 증권사에 묻습니다)', left: '—' }
  if (worstAmount === null) return { now: won(cash), left: '—' }
  const left = cash - worstAmount
  return { now: won(cash), left: left < 0 ? `${won(-left)} 모자람` : won(left) }
}

/** What the person should know before the press, a sentence each. */
export function buyNotes(
  { type, isPriceOld, qty, buyable, cash }: BuyQuote,
  statuses: readonly IssueStatus[],
  cashAt: string | null,
): string[] {
  const barring = barringStatus(statuses)
  const isShort = buyable !== null && qty > buyable && cash !== null
  return [
    ...(barring === null ? [] : [`${STATUS_NAMES[barring]} 종목입니다. Digger는 스스로 사지 않습니다.`]),
    ...(statuses.includes('overheated') ? ['30분마다 한 값으로 체결되어 오래 걸릴 수 있습니다.'] : []),
    ...(statuses.includes('interrupted') ? ['지금 VI로 호가만 모읍니다. 끝난 뒤 한 값으로 체결됩니다.'] : []),
    ...(isPriceOld && type === 'limit'
      ? ['마지막 체결가가 1분 넘게 지났거나 단일가 시간이라 그 값에 지정가로 냅니다. 체결되지 않을 수 있습니다.']
      : []),
    ...(type === 'market' || type === 'best'
      ? ['사는 값은 체결될 때 정해집니다. 많아야 드는 금액은 오늘의 상한가로 셈했습니다.']
      : []),
    ...(isShort
      ? [`${cashAt ?? ''}에 물은 현금으로는 ${number(buyable)}주까지 살 수 있습니다. 누르면 다시 묻습니다.`.trim()]
      : []),
  ]
}

/** What the main button does. */
export function buyButtonText({ qty, type, price, lastPrice }: BuyQuote): string {
  if (qty === 0 || type === null) return '매수'
  if (type === 'limit') return `${number(qty)}주 ${won(price)}에 매수`
  const now = lastPrice === null ? '' : ` · 지금 ${won(lastPrice)}`
  return `${number(qty)}주 ${type === 'market' ? '시장가' : '최유리'}에 매수${now}`
}
