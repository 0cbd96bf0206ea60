import { FAULTS } from '../faults/all.ts'
import type { Excuse, Fault } from '../faults/fault.ts'
import type { Plan } from '../plan.ts'

/** Whether some fault of the plan makes something forgivable that began at `from` and was seen at `to`; ms since the start. */
export function isExcused({ faults }: Plan, excuse: Excuse, from: number, to: number, afterwardsMs: number): boolean {
  return faults.some(({ name, at, forMs }) => {
    const { excuses = ['late'] }: Fault = FAULTS[name]
    return excuses.includes(excuse) && at <= to && at + forMs + afterwardsMs >= from
  })
}
