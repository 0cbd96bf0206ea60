import { perShareUp } from '../ladder/per-share.ts'
import { shareOf } from './cost-share.ts'
import type { StepBuilder } from './step-builder.ts'
import type { Stock } from './types.ts'

/** New shares of a corporate action cost what was kept for them. */
export function receiveExpected(builder: StepBuilder, stock: Stock, count: number): void {
  const { expected } = stock
  if (expected === null || count === 0) return
  const amount = shareOf(expected.amount, count, expected.count)
  addLot(builder, stock, count, amount, false)
  const left = { count: expected.count - count, amount: expected.amount - amount }
  builder.record({ kind: 'sharesExpected', code: stock.issue.code, expected: left.count === 0 ? null : left })
}

/** `amount`: won, of all shares. `takenOver`: nobody bought them here, so nobody has agreed to their sale. */
export function addLot(builder: StepBuilder, stock: Stock, count: number, amount: number, takenOver: boolean): void {
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
      takenOver,
    },
  })
}
