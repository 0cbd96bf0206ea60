import { addDays } from '../../krx/kst.ts'
import { grouped } from '../../ladder/text.ts'
import type { Fact } from '../facts.ts'
import type { FirstDays, FirstDaysRule, LimitState } from './types.ts'

/** Shares of one buy in the first days. */
export const MAX_SHARES = 1
const MAX_DAYS = 60
const MAX_WON = 1_000_000_000_000

export const NOT_BEGUN = { startedOn: null, usedDays: 0, pending: null } as const

/** Why a rule cannot be set; null where it can. */
export function firstDaysProblem({ on, days, amount }: FirstDaysRule): string | null {
  if (!on) return null
  if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS))
    return `days: 1일부터 ${MAX_DAYS}일까지의 정수로 입력하거나, 직접 풀 때까지로 두세요.`
  return Number.isInteger(amount) && amount >= 1 && amount <= MAX_WON
    ? null
    : `amount: 1원부터 ${grouped(MAX_WON)}원까지의 정수로 입력해 주세요.`
}

/** Until the owner lets go is the longest. */
const longer = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : Math.max(a, b))

/** What is stricter holds at once, and what is looser from the opening of the next KST day, as with every other limit. */
export function changeFirstDays(state: FirstDays | undefined, wanted: FirstDaysRule, day: string): FirstDays {
  if (state?.on !== true) return { ...wanted, ...NOT_BEGUN }
  const kept = wanted.on ? wanted : state
  const stricter = { on: true, days: longer(state.days, kept.days), amount: Math.min(state.amount, kept.amount) }
  const isWhole = wanted.on && stricter.days === wanted.days && stricter.amount === wanted.amount
  const pending = isWhole ? null : { ...wanted, from: addDays(day, 1) }
  return { ...stricter, startedOn: state.startedOn, usedDays: state.usedDays, pending }
}

/** What a fact means for them. */
export function evolveFirstDays(state: FirstDays | undefined, fact: Fact): FirstDays | undefined {
  if (fact.kind === 'firstDaysSet') return fact.firstDays
  if (state === undefined) return undefined
  if (fact.kind === 'orderIntended' && fact.order.side === 'buy' && state.on && state.startedOn === null)
    return { ...state, startedOn: fact.order.day }
  const { pending } = state
  if (fact.kind !== 'dayOpened' || pending === null || pending.from > fact.day) return state
  const { from: _, ...rule } = pending
  return rule.on ? { ...state, ...rule, pending: null } : { ...rule, ...NOT_BEGUN }
}

/** As the planner of buys takes it. */
export const maxSharesOf = ({ firstDays }: LimitState): { readonly maxShares?: number } =>
  firstDays?.on === true ? { maxShares: MAX_SHARES } : {}

/** What the card says while they last; null: they do not. */
export function firstDaysText({ firstDays }: LimitState): string | null {
  if (firstDays?.on !== true) return null
  const { days } = firstDays
  return days === null ? '‘처음 며칠’을 풀 때까지는 한 번에 1주만 삽니다.' : `첫 ${days}일 동안은 한 번에 1주만 삽니다.`
}
