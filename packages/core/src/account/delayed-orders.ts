import type { ReasonCode } from '../ladder/reason-codes.ts'
import type { StepBuilder } from './step-builder.ts'
import type { Reason, Side } from './types.ts'

/** Checks that hold an order back for reasons of ours, which must pass by themselves and soon. */
const OUR_DELAYS = new Set<ReasonCode>(['askingCash', 'armed', 'queue', 'pause'])
/** An order due for longer than this is shown as late on its card, ms. */
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

/** Adds to the reason how long it has held the order back, for the screen. */
export function withDelay(reason: Reason, since: number | undefined, now: number): Reason {
  if (since === undefined || !isOurDelay(reason)) return reason
  const seconds = Math.max(0, Math.floor((now - since) / 1_000))
  const text = `${reason.text} (${seconds}초째)`
  return now - since < LATE_MS
    ? { ...reason, text }
    : { ...reason, text: `나가야 할 주문이 늦어지고 있습니다. ${text} 계속되면 관리자에게 알려 주세요.` }
}
