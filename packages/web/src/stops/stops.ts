import type { Reply } from '@digger/contract'

export type Stops = Reply<'stop'>
export type StopState = Stops['user']

export const STOP_LABELS: Record<StopState, string> = { active: '매매 중', reduce: '매수 멈춤', halt: '모두 멈춤' }
export const STOP_MEANING: Record<StopState, string> = {
  active: '설정대로 사고팝니다.',
  reduce: '새로 사지 않고, 파는 주문만 냅니다.',
  halt: '새 주문을 내지 않습니다. 남아 있는 주문은 ‘미체결 주문’에서 볼 수 있습니다.',
}

const STRICTNESS: readonly StopState[] = ['active', 'reduce', 'halt']

/** What holds the whole account, whoever stopped it. */
export const strictestOf = ({ user, server, otherServer }: Stops): StopState =>
  strictest(user, server, otherServer === null ? 'active' : 'halt')

/** The strictest of several rules. */
export const strictest = (...states: StopState[]): StopState =>
  STRICTNESS[Math.max(...states.map((state) => STRICTNESS.indexOf(state)))] ?? 'halt'
