import { kstDay } from '../krx/kst.ts'
import { isTradingDay } from '../krx/session.ts'
import { MAX_REJECTS } from './end-order.ts'
import { beginFirstDays, countFirstDays } from './limits/first-days-count.ts'
import { restoredAt } from './other-server-state.ts'
import { doubtHoldings, endStop } from './restored-stock.ts'
import type { StepBuilder } from './step-builder.ts'

/**
 * Days only go forward: a clock set back must not open a past day again, nor one that is hours ahead a day to come. What held for a day
 * only is over.
 */
export function openDay(builder: StepBuilder): void {
  if (builder.ctx.isTimeUnknown === true) return
  beginFirstDays(builder)
  const today = kstDay(builder.ctx.now)
  if (today <= builder.book.day) return
  const before = builder.book.day
  builder.record({ kind: 'dayOpened', day: today })
  countFirstDays(builder, before)
  builder.patchView({
    orders: { refusedByNotice: new Set(), nothingLeft: new Map() },
    stocks: { heldBuys: new Set(), agreedStrangers: new Map(), waits: new Map(), notOnNxt: new Set() },
  })
  if (isTradingDay(today, builder.ctx.timetable)) liftStops(builder)
  if (restoredAt(builder.book.otherServer) !== null) doubtHoldings(builder)
}

/** A stock that stopped for its rejects gets one try a trading day: one more of them stops it again. */
function liftStops(builder: StepBuilder): void {
  for (const stock of builder.book.stocks.values())
    if (stock.blocked?.code === 'rejects') endStop(builder, stock, MAX_REJECTS - 1)
}
