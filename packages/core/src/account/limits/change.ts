import { addDays } from '../../krx/kst.ts'
import type { ServerLimits } from '../types.ts'
import { LIMIT_NAMES, type LimitChange, type LimitName, type LimitState } from './types.ts'

/** Arithmetic is exact up to here, and no account comes near. */
const MAX_WON = 1_000_000_000_000

/** Smallest and largest value a person can give. */
const RANGES: Readonly<Record<LimitName, readonly [least: number, most: number, unit: string]>> = {
  positionAmount: [1, MAX_WON, '원'],
  lossAmount: [1, MAX_WON, '원'],
  dailyBuyAmount: [1, MAX_WON, '원'],
  orderAmount: [1, MAX_WON, '원'],
  ordersPerMinute: [1, 1_000, '번'],
  repeatCount: [1, 100, '번'],
  personOrderAmount: [1, MAX_WON, '원'],
  sellCollarPercent: [1, 30, '%'],
  unknownPerHour: [0, 100, '건'],
}

interface LimitProblem {
  readonly limit: LimitName
  readonly text: string
}

/** What the server's environment allows every user at most; null: it sets nothing. */
export function ceilingOf(server: ServerLimits, limit: LimitName): number | null {
  switch (limit) {
    case 'orderAmount':
    case 'dailyBuyAmount':
    case 'ordersPerMinute':
      return server[limit]
    default:
      return null
  }
}

const least = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.min(a, b))

/** The limit that holds: the user's own, else the default, and never above the server's. */
export const inForce = ({ own }: Pick<LimitState, 'own'>, server: ServerLimits, limit: LimitName): number | null => {
  const chosen = own[limit]
  return least(chosen === undefined ? (server.defaults?.[limit] ?? null) : chosen, ceilingOf(server, limit))
}

/** In every limit a smaller number is stricter, and no limit is the loosest. */
export const isLooser = (value: number | null, than: number | null): boolean =>
  than !== null && (value === null || value > than)

/** Everything that keeps this change from being accepted. */
export function limitProblems(change: LimitChange, server: ServerLimits): LimitProblem[] {
  return LIMIT_NAMES.flatMap((limit) => {
    const value = change[limit]
    if (value === undefined || value === null) return []
    const [low, high, unit] = RANGES[limit]
    if (!(Number.isInteger(value) && value >= low && value <= high))
      return [{ limit, text: `${low}${unit}부터 ${high}${unit}까지의 정수로 입력해 주세요.` }]
    const ceiling = ceilingOf(server, limit)
    return ceiling !== null && value > ceiling
      ? [{ limit, text: `서버가 정한 상한 ${ceiling}${unit}을 넘을 수 없습니다. 그 이하로 입력해 주세요.` }]
      : []
  })
}

/**
 * Limit by limit: a stricter (or equal) value holds at once and cancels a loosening that waits; a looser one waits for the
 * opening of the next KST day. So sending the value in force cancels a waiting loosening.
 */
export function changeLimits(
  state: LimitState,
  change: LimitChange,
  server: ServerLimits,
  day: string,
): Pick<LimitState, 'own' | 'pending'> {
  const own: Record<string, number | null> = { ...state.own }
  const pending = new Map(state.pending.map((one) => [one.limit, one]))
  for (const limit of LIMIT_NAMES) {
    const value = change[limit]
    if (value === undefined) continue
    pending.delete(limit)
    const looser = isLooser(least(value, ceilingOf(server, limit)), inForce(state, server, limit))
    if (looser) pending.set(limit, { limit, value, from: addDays(day, 1) })
    else own[limit] = value
  }
  return { own, pending: [...pending.values()] }
}
