import { compare } from './compare.ts'
import { applyExecutions } from './ledger.ts'
import { noticeDoubles } from './other-server.ts'
import { onSnapshot } from './schedule.ts'
import type { StepBuilder } from './step-builder.ts'
import type { BrokerSnapshot } from './step-types.ts'

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
