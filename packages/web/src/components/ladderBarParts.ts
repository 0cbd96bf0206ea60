export interface LadderCounts {
  /** Steps bought, whose order is out, and still to come after the next. */
  held: number
  out: number
  next: boolean
  left: number
}
export type LadderState = 'on' | 'late' | 'stopped'

export interface Part {
  kind: 'held' | 'out' | 'next' | 'left'
  /** Steps it stands for, and the first of them. */
  size: number
  first: number
}

/** More steps than these are no longer told apart: each kind is one part as long as its steps. */
const MAX_SEGMENTS = 24

export function ladderBarParts({ held, out, next, left }: LadderCounts): Part[] {
  const sizes = [
    ['held', held],
    ['out', out],
    ['next', next ? 1 : 0],
    ['left', left],
  ] as const
  const apart = sizes.reduce((sum, [, size]) => sum + size, 0) <= MAX_SEGMENTS
  const parts: Part[] = []
  let first = 0
  for (const [kind, size] of sizes) {
    const each = apart ? 1 : size
    for (const end = first + size; first < end; first += each) parts.push({ kind, size: each, first })
  }
  return parts
}

const STATES = { on: '', late: ', 다음 칸 주문이 늦어지고 있음', stopped: ', 매수 멈춤' } as const

/** The same for those who do not see it. */
export function ladderBarText(counts: LadderCounts, state: LadderState): string {
  const { held, out, next, left } = counts
  const total = held + out + left + (next ? 1 : 0)
  if (total === 0) return '사다리: 더 살 칸이 없음'
  const order = out > 0 ? `, ${out}칸 주문 중` : ''
  return `사다리 ${total}칸: ${held}칸 삼${order}, ${left + (next ? 1 : 0)}칸 남음${STATES[state]}`
}
