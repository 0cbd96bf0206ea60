import { remainAmount } from '../ladder/buy.ts'
import { perShareUp } from '../ladder/per-share.ts'
import type { Lot } from '../ladder/types.ts'
import { shareOf } from './cost-share.ts'
import type { StepBuilder } from './step-builder.ts'
import type { Book, ExpectedShares, HeldLot, Stock } from './types.ts'

/**
 * New shares of a corporate action cost what was kept for them; what comes beside those is the person's own. `takenOver`: a
 * correction brought them, so they may be others.
 */
export function receiveExpected(builder: StepBuilder, stock: Stock, count: number, takenOver: boolean): void {
  const { expected, issue, kept } = stock
  if (expected === null || count === 0) return
  const toCome = sharesToCome(expected)
  // Of fewer than were to come as many as of all of them: none that may be the person's enters the book.
  const ours = count >= toCome ? expected.count : Math.floor((count * expected.count) / toCome)
  const amount = ours === 0 ? 0 : shareOf(expected.amount, ours, expected.count)
  if (ours > 0) addLot(builder, stock, ours, amount, { takenOver })
  if (count > ours) builder.record({ kind: 'sharesKept', code: issue.code, count: kept + count - ours })
  const ofPerson = (expected.ofPerson ?? 0) - (count - ours)
  const left = {
    count: expected.count - ours,
    amount: expected.amount - amount,
    ...(ofPerson === 0 ? {} : { ofPerson }),
  }
  builder.record({ kind: 'sharesExpected', code: issue.code, expected: sharesToCome(left) === 0 ? null : left })
}

/** Won that the shares of the book cost, those among them that are not in the account yet. */
export const heldAmount = ({ lots, expected }: { readonly lots: readonly Lot[] } & Pick<Stock, 'expected'>): number =>
  remainAmount(lots) + (expected?.amount ?? 0)

/** The same of all stocks. */
export const stockBuyAmount = ({ stocks }: Pick<Book, 'stocks'>): number =>
  [...stocks.values()].reduce((sum, stock) => sum + heldAmount(stock), 0)

/** Of the book and of the person. */
export const sharesToCome = (expected: ExpectedShares | null): number =>
  (expected?.count ?? 0) + (expected?.ofPerson ?? 0)

/** `amount`: won, of all shares. `takenOver`: nobody bought them here, so nobody has agreed to their sale. */
export function addLot(
  builder: StepBuilder,
  stock: Stock,
  count: number,
  amount: number,
  whose: Pick<HeldLot, 'takenOver' | 'byPerson'>,
): void {
  builder.record({
    kind: 'lotBought',
    code: stock.issue.code,
    lot: {
      id: builder.book.nextLotId,
      count,
      buyPrice: perShareUp(amount, count),
      // The broker's average has four decimals, so the product misses the whole won paid by a fraction, up or down.
      buyAmount: Math.round(amount),
      boughtAt: builder.ctx.now,
      buyOrderId: null,
      heldBack: false,
      ...whose,
    },
  })
}
