import type { ReasonCode } from '../ladder/reason-codes.ts'
import type { StepBuilder } from './step-builder.ts'
import type { Reason, Side } from './types.ts'

/** Checks that hold an order back for reasons of ours, which must pass by themselves and soon. */
const OUR_DELAYS = new Set<ReasonCode>(['askingCash', 'armed', 'queue', 'pause'])
/** An order due for longer than this is shown as late, ms. */
export const LATE_MS = 30_000

export const isOurDelay = ({ code }: Reason): boolean => OUR_DELAYS.has(code)

/** Remembers since when an order (`buy 005930`) is due and held up by us, which must end soon and is shown when it does not. */
export function noteDue(builder: StepBuilder, what: string, heldUp: boolean): void {
  if (builder.view.stocks.dueSince.has(what) === heldUp) return
  const dueSince = new Map(builder.view.stocks.dueSince)
  if (heldUp) dueSince.set(what, builder.ctx.now)
  else dueSince.delete(what)
  builder.patchView({ stocks: { dueSince } })
}

/** An order that price and settings ask for, and that has not left since then. */
export interface DueOrder {
  readonly side: Side
  /** Epoch ms. */
  readonly since: number
}

/** The one that has waited longest. */
export function dueOrder(dueSince: ReadonlyMap<string, number>, code: string): DueOrder | null {
  const [buy, sell] = [dueSince.get(`buy ${code}`), dueSince.get(`sell ${code}`)]
  if (buy === undefined && sell === undefined) return null
  return (buy ?? Infinity) <= (sell ?? Infinity) ? { side: 'buy', since: buy ?? 0 } : { side: 'sell', since: sell ?? 0 }
}

/** Stocks of which an order became due, or is no more. Keys are `buy 005930`. */
export function duesBetween(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): string[] {
  if (before === after) return []
  const changed = [...before.keys(), ...after.keys()].filter((key) => before.get(key) !== after.get(key))
  return [...new Set(changed.flatMap((key) => key.split(' ')[1] ?? []))]
}
