import type { Stock, Trade } from '@digger/contract'
import { fallingBuys, type LadderBuy } from '@digger/core'
import { averagePriceOf, heldAmountOf } from './target.ts'

export interface LadderStep extends LadderBuy {
  kind: 'held' | 'next' | 'left'
}

export interface Ladder {
  /** From the first buy down to the last one. */
  steps: LadderStep[]
  /** Of those held: whose buy order is still at work. */
  out: number
  /** Won that count against the cap, and the cap. */
  spent: number
  cap: number
  /** The last step uses up the cap. Else it is the last before the price has halved: of a ladder of single shares that goes on to one won. */
  usesCap: boolean
}

/** So much of the cap counts as all of it: the last shares wait far below. */
const NEARLY_ALL = 0.99
/** More steps than any screen has pixels. */
const MAX_STEPS = 2_000

/** The ladder of a stock: what was bought, and what a fall from here would buy. Without its trades what is held is one step. */
export function ladderOf(stock: Stock, trades: readonly Trade[] = []): Ladder {
  const spent = heldAmountOf(stock)
  const cap = stock.maxBuyAmount ?? 0
  const open = trades.filter(({ sellDateTime }) => sellDateTime === null)
  const coming = comingSteps(stock, spent, cap)
  return {
    steps: [...heldSteps(stock, open, spent), ...coming],
    out: open.filter(({ buying }) => buying).length,
    spent,
    cap,
    usesCap: spent + amountOf(coming) >= cap * NEARLY_ALL,
  }
}

function heldSteps(stock: Stock, open: readonly Trade[], spent: number): LadderStep[] {
  const lots = open
    .map(({ buyPrice, buyCount }) => ({ kind: 'held' as const, price: buyPrice, count: buyCount }))
    .sort((a, b) => b.price - a.price)
  const count = stock.remainCount - lots.reduce((sum, lot) => sum + lot.count, 0)
  const rest = spent - amountOf(lots)
  const price = count > 0 ? Math.round(rest / count) : averagePriceOf(stock)
  // Shares whose trades are not there, or which come later, and count against the cap all the same.
  return rest <= 0 || price === null || count <= 0 ? lots : [...lots, { kind: 'held', price, count }]
}

function comingSteps(stock: Stock, spent: number, cap: number): LadderStep[] {
  const steps: LadderStep[] = []
  let used = spent
  for (const { price, count } of fallingBuys(stock, stock.kind, { spent, price: stock.price })) {
    const halved = steps.length > 0 && price < (stock.price ?? steps[0]?.price ?? 0) / 2
    if (used >= cap * NEARLY_ALL || halved || steps.length === MAX_STEPS) break
    used += price * count
    steps.push({ kind: steps.length === 0 ? 'next' : 'left', price, count })
  }
  return steps
}

export const amountOf = (steps: readonly LadderBuy[]): number =>
  steps.reduce((sum, { price, count }) => sum + price * count, 0)

/**
 * What the bar of a card needs (`LadderBar`), whatever the price is just now: nothing of it moves with the price. Without trades it
 * counts what is held in steps of the next one's size, and what buys at work may spend as one step.
 */
export function ladderCounts(stock: Stock, trades?: readonly Trade[]) {
  const { steps, out } = ladderOf({ ...stock, price: null }, trades)
  const of = (kind: LadderStep['kind']) => steps.filter((step) => step.kind === kind)
  const unit = amountOf(of('next')) || amountOf(of('held'))
  const held = trades ? of('held').length : unit === 0 ? 0 : Math.ceil(amountOf(of('held')) / unit)
  const left = of('left').length
  if (trades || stock.buyingAmount === 0)
    return { held: Math.max(held - out, 0), out, next: of('next').length === 1, left }
  // The step whose order is out is the one that would come next.
  return { held, out: 1, next: left > 0, left: Math.max(left - 1, 0) }
}
