import { kstMidnight } from '../krx/kst.ts'
import { ceilToTick, floorToTick } from '../krx/tick.ts'
import { referenceAfterBuy, remainCount } from '../ladder/buy.ts'
import { perShareUp } from '../ladder/per-share.ts'
import type { Settings } from '../ladder/types.ts'
import { shareOf } from './cost-share.ts'
import type { BaseMove, ExpectedShares, HeldLot, SettingPrices, Stock } from './types.ts'

/** What a stock becomes when its prices follow a move of the base price. */
export interface Adjustment {
  readonly settings: Settings
  readonly lots: readonly HeldLot[]
  /** Shares that may be credited later, and what they cost; null: the broker has them already, or none come. */
  readonly expected: ExpectedShares | null
  /** Shares the person keeps out of the book: they split and merge with the rest. */
  readonly kept: number
}

type Adjusted = Pick<Stock, 'lots' | 'settings' | 'kept' | 'expected' | 'moves'> & {
  readonly issue: Pick<Stock['issue'], 'kind'>
}

/**
 * Prices × base ÷ close. Where the broker already shows the new number of shares (a split, a merger), the lots share it and
 * cost what they cost. Where it still shows the old one (bonus shares come weeks later), a lot keeps its shares and the part
 * of its cost that belongs to them; the rest waits for the new ones. What a person bought on the day itself is of the new
 * share, and so is a reference that this purchase set. `held`: shares at the broker, with those the person keeps.
 */
export function adjustmentOf(stock: Adjusted, seen: BaseMove, held: number): Adjustment {
  const { lots, kept, expected } = stock
  const move = exactly(seen)
  const recent = lots.filter((lot) => lot.boughtAt >= kstMidnight(move.day))
  const old = lots.filter((lot) => !recent.includes(lot))
  const booked = remainCount(old)
  const settings = settingsFor(stock, move, { old, recent })
  if (booked + kept === 0) return { settings, lots, expected, kept }
  const heldOfOld = held - remainCount(recent)
  if (isNewCount(move, booked + kept, heldOfOld)) {
    const ours = kept === 0 ? heldOfOld : oursOf(booked, booked + kept, heldOfOld, move)
    const all = [...spread(old, booked, ours), ...recent]
    return { settings, lots: all, expected: splitToo(expected, move), kept: heldOfOld - ours }
  }
  const cheaper = old.map((lot) => scaled(lot, move))
  const left = old.reduce((sum, lot, at) => sum + lot.buyAmount - (cheaper[at]?.buyAmount ?? 0), 0)
  const more = { ...comingTo(stock, booked, move), amount: left }
  return {
    settings,
    lots: [...cheaper, ...recent],
    expected: more.count > 0 || more.ofPerson > 0 ? joined(expected, more) : expected,
    kept,
  }
}

/**
 * New shares that the broker does not show yet. Of an ETF none come later: its base follows what it pays out, and where it is
 * split the shares are only not shown yet.
 */
function comingTo({ issue, kept }: Adjusted, booked: number, move: BaseMove): { count: number; ofPerson: number } {
  if (issue.kind === 'etf' && move.close < 2 * move.base) return { count: 0, ofPerson: 0 }
  const count = sharesAfter(booked, move) - booked
  return { count, ofPerson: sharesAfter(booked + kept, move) - booked - kept - count }
}

/** Shares of an earlier bonus issue that are not in the account yet are of the new kind when they come. */
function splitToo(expected: ExpectedShares | null, move: BaseMove): ExpectedShares | null {
  if (expected === null) return null
  const count = sharesAfter(expected.count, move)
  const ofPerson = sharesAfter(expected.count + (expected.ofPerson ?? 0), move) - count
  if (count + ofPerson === 0) return null
  return { count, amount: expected.amount, ...(ofPerson === 0 ? {} : { ofPerson }) }
}

/** Whole shares of the new kind for so many of the old one. */
const sharesAfter = (count: number, { base, close }: BaseMove): number => Math.floor((count * close) / base)

/**
 * Of the new shares as many are the book's as of the old ones. The count is exact, the prices are rounded to the grid: they
 * only say whose a fraction was that is paid out. The person's own shares must not come into the book by a rounding.
 */
function oursOf(booked: number, before: number, held: number, move: BaseMove): number {
  const part = (booked * held) / before
  return Math.min(Math.max(sharesAfter(booked, move), Math.floor(part)), Math.ceil(part))
}

function joined(before: ExpectedShares | null, more: Required<ExpectedShares>): ExpectedShares {
  const ofPerson = (before?.ofPerson ?? 0) + more.ofPerson
  return {
    count: (before?.count ?? 0) + more.count,
    amount: (before?.amount ?? 0) + more.amount,
    ...(ofPerson === 0 ? {} : { ofPerson }),
  }
}

/** A multiple of every ratio of small numbers: what was announced stays exact in whole won and shares. */
const UNIT = 2_520_000

/** A base is rounded to the grid: a thousand shares that become 1,100 would be one short by it. */
const exactly = (move: BaseMove): BaseMove =>
  move.ratio === undefined ? move : { ...move, close: Math.round(move.ratio * UNIT), base: UNIT }

/**
 * Ceilings down and floors up to the grid: never looser than the person set them. What has changed since the move was seen is a
 * price of the new share: somebody gave it, or a sale by hand or a purchase of that day set it.
 */
function settingsFor(
  { settings, issue: { kind }, moves }: Adjusted,
  move: BaseMove,
  { old, recent }: { readonly old: readonly HeldLot[]; readonly recent: readonly HeldLot[] },
): Settings {
  const { lastBuyPrice, maxBuyPrice, minSellPrice } = settings
  const before = moves?.prices ?? settings
  const isSetBy = (lots: readonly HeldLot[]): boolean =>
    lots.some(
      ({ buyAmount, count, buyPrice }) =>
        referenceAfterBuy(buyAmount, count) === lastBuyPrice || buyPrice === lastBuyPrice,
    )
  // After a sale the reference may have gone back to a lot of before.
  const isReferenceNew = isSetBy(recent) || (before.lastBuyPrice !== lastBuyPrice && !isSetBy(old))
  const follows = (name: keyof SettingPrices): boolean => Boolean(settings[name]) && settings[name] === before[name]
  const down = (price: number): number => Math.max(1, floorToTick(times(price, move), kind))
  return {
    ...settings,
    lastBuyPrice:
      lastBuyPrice === null || isReferenceNew ? lastBuyPrice : Math.max(1, Math.floor(times(lastBuyPrice, move))),
    maxBuyPrice: follows('maxBuyPrice') ? down(maxBuyPrice ?? 0) : maxBuyPrice,
    minSellPrice: follows('minSellPrice') ? ceilToTick(times(minSellPrice ?? 0, move), kind) : minSellPrice,
  }
}

const times = (price: number, { base, close }: BaseMove): number => (price * base) / close

/** The fraction of a share is paid out in cash, and the ratio of two rounded prices is a little beside the true one. */
const isNewCount = ({ base, close }: BaseMove, before: number, held: number): boolean =>
  held !== before && held > 0 && Math.abs(held - (before * close) / base) <= Math.max(1, (held * 2) / 100)

/** The new shares over the lots by their old counts, the largest remainders first; a lot that gets none costs nothing any more. */
function spread(lots: readonly HeldLot[], booked: number, held: number): HeldLot[] {
  const exact = lots.map((lot) => (lot.count * held) / booked)
  const counts = exact.map(Math.floor)
  const byRemainder = exact.map((value, at) => ({ at, rest: value % 1 })).sort((a, b) => b.rest - a.rest || a.at - b.at)
  const missing = held - counts.reduce((sum, count) => sum + count, 0)
  for (const { at } of byRemainder.slice(0, missing)) counts[at] = (counts[at] ?? 0) + 1
  return lots.flatMap((lot, at) => {
    const count = counts[at] ?? 0
    return count === 0 ? [] : [{ ...lot, count, buyPrice: perShareUp(lot.buyAmount, count) }]
  })
}

function scaled(lot: HeldLot, { base, close }: BaseMove): HeldLot {
  const buyAmount = shareOf(lot.buyAmount, base, close)
  return { ...lot, buyAmount, buyPrice: perShareUp(buyAmount, lot.count) }
}
