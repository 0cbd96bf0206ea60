import { bothMoves, isSameBase, withoutKnown } from './base-move.ts'
import type { BaseMove, MoveRecord, SettingPrices, SettledMove, Stock } from './types.ts'

type Moved = Pick<Stock, 'frozen' | 'settledOn' | 'moves' | 'lots' | 'kept' | 'expected' | 'settings'>

/** What a stock is frozen for, and what that is made of. */
interface OpenMove {
  readonly move: BaseMove | null
  readonly moves: MoveRecord
}

/**
 * What a stock is frozen for once it is known how the base of a day lies to the close before it (`moved`; null: it is that
 * close). The last word of a day counts: a base may be read that is still the one of the day before, or one that the first
 * trade replaces. Moves of other days stay until a person has settled them. Undefined: what the stock has already.
 */
export function openMove(stock: Moved, moved: BaseMove | null, today: string): OpenMove | undefined {
  return (moved?.parts ?? [moved]).reduce<OpenMove | undefined>((before, part) => {
    const then = before === undefined ? stock : { ...stock, frozen: before.move, moves: before.moves }
    return openOne(then, part, today) ?? before
  }, undefined)
}

function openOne(stock: Moved, moved: BaseMove | null, today: string): OpenMove | undefined {
  const day = moved?.day ?? today
  const open = openMoves(stock)
  const last = open.at(-1)
  if (last !== undefined && last.day > day) return undefined
  const fresh = unsettled(stock, moved, day)
  if (fresh === null ? last?.day !== day : isSaid(last, fresh)) return undefined
  if (last === undefined && !hasPrices(stock)) return undefined
  if (isSince(fresh) && withoutKnown(fresh, open) === null) return undefined
  const before = open.filter((move) => move.day < day && !(isSince(fresh) && move.day > fresh.since))
  const now = fresh === null ? before : [...before, fresh]
  const settled = stock.moves?.settled ?? null
  const prices = now.length === 0 ? null : (stock.moves?.prices ?? pricesOf(stock))
  return { move: asOne(now), moves: { open: now, prices, settled } }
}

/** Whether it tells of several days at once. */
const isSince = (move: BaseMove | null): move is BaseMove & { readonly since: string } => move?.since !== undefined

/** Moves that wait for a person, oldest first. */
const openMoves = ({ frozen, moves }: Pick<Stock, 'frozen' | 'moves'>): readonly BaseMove[] =>
  frozen === null ? [] : (moves?.open ?? [frozen])

/** The part of a move that nobody has settled; null: none. */
export function unsettled(
  { settledOn, moves }: Pick<Stock, 'settledOn' | 'moves'>,
  moved: BaseMove | null,
  day: string,
): BaseMove | null {
  if (moved?.parts !== undefined)
    return asOne(moved.parts.flatMap((part) => unsettled({ settledOn, moves }, part, part.day) ?? []))
  if (settledOn === null) return moved
  const settled = moves?.settled ?? null
  // Who added the stock on that day gave it prices of that day's share: whatever became of it before says nothing of those.
  if (settledOn > day || (settledOn === day && settled === null)) return null
  if (isSince(moved)) {
    const left = withoutKnown(moved, knownOf(settledOn, settled))
    return left && withoutKnown(moved, toldBefore(day, settledOn, settled))
  }
  if (settledOn < day || settled === null) return moved
  const base = moved?.base ?? settled.close
  if (isSameBase(base, settled.base)) return null
  return settled.adjusted ? { day, close: settled.base, base } : moved
}

const knownOf = (day: string, settled: SettledMove | null): readonly BaseMove[] =>
  settled === null ? [] : (settled.moves ?? [{ day, close: settled.close, base: settled.base }])

/** A move that was left as it is was none where its day has another base: prices and lots are still of the share of before it. */
function toldBefore(day: string, settledOn: string, settled: SettledMove | null): readonly BaseMove[] {
  const known = knownOf(settledOn, settled)
  return settled?.adjusted === false && settledOn === day ? known.filter((move) => move.day < day) : known
}

/** Two readings of one base; what was announced of it may be known to one of them only. */
const isSaid = (last: BaseMove | undefined, { day, close, base, ratio }: BaseMove): boolean =>
  last !== undefined &&
  last.day === day &&
  isSameBase(last.base, base) &&
  isSameBase(last.close, close) &&
  (ratio === undefined || ratio === last.ratio)

/** Whether anything of the stock is a price, or a number of shares, of before. */
const hasPrices = ({ lots, kept, expected, settings }: Moved): boolean =>
  lots.length > 0 ||
  kept > 0 ||
  expected !== null ||
  Boolean(settings.lastBuyPrice ?? settings.maxBuyPrice ?? settings.minSellPrice)

const pricesOf = ({ settings: { lastBuyPrice, maxBuyPrice, minSellPrice } }: Moved): SettingPrices => ({
  lastBuyPrice,
  maxBuyPrice,
  minSellPrice,
})

/** What nobody has settled, as one move. */
const asOne = (moves: readonly BaseMove[]): BaseMove | null =>
  moves.reduce<BaseMove | null>((before, move) => (before === null ? move : bothMoves(before, move)), null)

/** Moves that are remembered: the server is not away for as many. */
const REMEMBERED = 20

/** As a person has settled it: `adjusted`, or left as it is. */
export function settledMoves(stock: Pick<Stock, 'frozen' | 'moves' | 'settledOn'>, adjusted: boolean): MoveRecord {
  const open = openMoves(stock)
  const last = open.at(-1)
  if (last === undefined) return { open: [], prices: null, settled: null }
  const before = stock.settledOn === null ? [] : toldBefore(last.day, stock.settledOn, stock.moves?.settled ?? null)
  const moves = [...before, ...open].slice(-REMEMBERED)
  return { open: [], prices: null, settled: { close: last.close, base: last.base, adjusted, moves } }
}
