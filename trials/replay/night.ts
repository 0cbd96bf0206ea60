import { kstInstant } from '@digger/core'
import type { Lockstep, Sim } from '@digger/kis-sim'
import type { ReplayPlan } from './plan.ts'

/** The broker's text when its ledger is closed for the night's batch. */
const LISTS_CLOSED = {
  kind: 'refuse',
  endpoint: 'executions',
  code: 'APBK9999',
  text: '원장 마감 작업 중입니다.',
} as const

/** From the plan's time of this day on the broker refuses its list of orders. */
export function closeLists(sim: Sim, plan: ReplayPlan, day: string, days: readonly string[]): void {
  const isFailing = plan.listsFailOn?.includes(day) ?? day !== days.at(-1)
  if (plan.listsFailFrom === undefined || !isFailing) return
  const at = kstInstant(day, plan.listsFailFrom)
  sim.clock.after(at - sim.clock.now(), () => void sim.faults.add(LISTS_CLOSED))
}

/** The evening of a day with closed lists, then what is left of the night, or of the days without trading, with open ones. */
export async function night(
  { sim, lockstep }: { readonly sim: Sim; readonly lockstep: Lockstep },
  plan: ReplayPlan,
  day: string,
  days: readonly string[],
): Promise<void> {
  const lookAt = async (at: number): Promise<void> => {
    await lockstep.advanceTo(at)
    await lockstep.tick()
  }
  for (const time of plan.evenings ?? []) await lookAt(kstInstant(day, time))
  sim.faults.clear()
  const next = days.find((later) => later > day)
  const until = next === undefined ? Infinity : kstInstant(next, '000000')
  for (const at of plan.looks ?? []) if (at > sim.clock.now() && at < until) await lookAt(at)
}
