import { priceRange } from '../../../components/chart/candles.ts'
import { yOf, type Scale } from '../../../components/chart/scale.ts'
import type { Ladder, LadderStep } from '../ladderSteps.ts'

export interface Stair {
  kind: LadderStep['kind']
  x: number
  width: number
  y: number
  height: number
}

/** Between two stairs where there is room for it, px. */
const SPACE = 2

/** Across the money put in up to the cap, up the price. `present`: the price that is there, where it is near enough to be drawn. */
export function stairsLayout(
  { steps, spent, cap }: Ladder,
  { price, right, top, bottom }: { price: number | null; right: number; top: number; bottom: number },
): { stairs: Stair[]; scale: Scale; present: number | null } {
  const range = steps.map((step) => ({
    time: '',
    open: step.price,
    close: step.price,
    low: step.price,
    high: step.price,
  }))
  const [from, high] = priceRange(range, price === null ? [] : [price])
  // The lowest stair is one, too.
  const low = from - (high - from) * 0.1
  const scale = { low, high, top, bottom }
  const whole = Math.max(
    cap,
    spent,
    steps.reduce((sum, step) => sum + step.price * step.count, 0),
    1,
  )
  let money = 0
  const stairs = steps.map(({ kind, price, count }) => {
    const x = (money / whole) * right
    money += price * count
    const wide = (money / whole) * right - x
    const y = yOf(scale, price)
    return { kind, x, width: Math.max(wide - Math.min(SPACE, wide / 3), 0.5), y, height: bottom - y }
  })
  return { stairs, scale, present: price === null || price < low || price > high ? null : price }
}
