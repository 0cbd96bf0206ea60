import { FAULT_BY_NAME } from '../faults/all.ts'
import type { Excuse } from '../faults/fault.ts'
import type { Plan } from '../planned.ts'

/** Whether some fault of the plan makes something forgivable that began at `from` and was seen at `to`; ms since the start. */
export function isExcused({ faults }: Plan, excuse: Excuse, from: number, to: number, afterwardsMs: number): boolean {
  return faults.some(({ name, at, forMs }) => {
    const { excuses = ['late'], echoesMs = 0 } = FAULT_BY_NAME[name] ?? {}
    return excuses.includes(excuse) && at <= to && at + forMs + echoesMs + afterwardsMs >= from
  })
}
