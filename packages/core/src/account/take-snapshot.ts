import { compare } from './compare.ts'
import { applyExecutions, applySeen } from './ledger.ts'
import { noticeDoubles } from './other-server.ts'
import { onSnapshot, onSnapshotFailed } from './schedule.ts'
import type { StepBuilder } from './step-builder.ts'
import type { AccountEvent, BrokerSnapshot } from './step-types.ts'

/** Books what the broker's lists show, and holds the book against the holdings where they came. */
export function takeSnapshot(builder: StepBuilder, snapshot: BrokerSnapshot): void {
  const { now } = builder.ctx
  // Asked before the clock was set back, so its age is unknown. The broker did not fail.
  if (snapshot.askedAt > now) return builder.patchView({ readSchedule: { running: false, dueAt: now } })
  onSnapshot(builder, snapshot)
  applyExecutions(builder, snapshot)
  compare(builder, snapshot)
  noticeDoubles(builder)
}

/** A reading that failed. What it showed of our orders before is booked all the same: the whole list may go on changing. */
export function takeFailure(
  builder: StepBuilder,
  { text, seen, isLasting = false }: Extract<AccountEvent, { kind: 'snapshotFailed' }>,
): void {
  onSnapshotFailed(builder, text, seen !== undefined && !isLasting)
  if (seen !== undefined && seen.askedAt <= builder.ctx.now) applySeen(builder, seen)
}
