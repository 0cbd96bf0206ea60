import { done } from './command-result.ts'
import { endOrder } from './end-order.ts'
import { disarm } from './rearm.ts'
import { endStop } from './restored-stock.ts'
import { liveOrders, type StepBuilder } from './step-builder.ts'
import type { CommandResult } from './step-types.ts'
import type { Stock } from './types.ts'
import { isUnlisted } from './unlisted.ts'

/** Makes the broker match the settings, now: the planner does the work once everything that held it back is cleared. */
export function applyOrder(builder: StepBuilder, stock: Stock): CommandResult {
  const { code } = stock.issue
  const heldBack = stock.lots.filter((lot) => lot.heldBack).map((lot) => lot.id)
  if (heldBack.length > 0) builder.record({ kind: 'lotsHeldBack', code, lotIds: heldBack, heldBack: false })
  releaseHeldBuys(builder, code)
  // A person looked: what the broker does not list is over; should it fill after all, the fill is still booked.
  for (const order of liveOrders(builder.book, code)) {
    if (isUnlisted(builder.view, order.id))
      endOrder(builder, order, 'cancelled', '증권사 목록에 없어 사람이 끝난 것으로 보았습니다.')
  }
  if (stock.blocked === null || stock.blocked.code === 'mismatch') return done
  // A person looked. An order without a verdict is still not given up: of several equal ones the likeliest is taken as ours.
  const lost = liveOrders(builder.book, code).filter((order) => order.status === 'unknown')
  if (lost.length > 0)
    builder.patchView({
      orders: {
        operatorConfirmed: new Set([...builder.view.orders.operatorConfirmed, ...lost.map((order) => order.id)]),
      },
    })
  endStop(builder, stock)
  disarm(builder)
  return done
}

/** By starting again a person confirms that the trouble was looked at; a difference in shares needs a fix instead. */
export function confirmRejects(builder: StepBuilder, stock: Stock): void {
  if (stock.blocked?.code === 'rejects') endStop(builder, stock)
}

export function releaseHeldBuys(builder: StepBuilder, code: string): void {
  if (!builder.view.stocks.heldBuys.has(code)) return
  builder.patchView({ stocks: { heldBuys: new Set([...builder.view.stocks.heldBuys].filter((one) => one !== code)) } })
}
