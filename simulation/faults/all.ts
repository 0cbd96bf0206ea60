import { BROKER_FAULTS } from './broker.ts'
import { DATABASE_FAULTS } from './database.ts'
import type { Fault } from './fault.ts'
import { LINE_FAULTS } from './line.ts'
import { MARKET_FAULTS } from './market.ts'
import { PROCESS_FAULTS } from './process.ts'
import { REQUEST_FAULTS } from './requests.ts'
import { WORST_FAULTS } from './worst.ts'

/** Everything that goes wrong in a run. A new kind is a new entry in one of these. */
export const FAULTS = {
  ...PROCESS_FAULTS,
  ...DATABASE_FAULTS,
  ...LINE_FAULTS,
  ...BROKER_FAULTS,
  ...REQUEST_FAULTS,
  ...MARKET_FAULTS,
  ...WORST_FAULTS,
} as const satisfies Readonly<Record<string, Fault>>

/** By the names that a plan has. */
export const FAULT_BY_NAME: Readonly<Record<string, Fault>> = FAULTS

export type FaultName = keyof typeof FAULTS

export const WORST: readonly FaultName[] = namesOf(WORST_FAULTS)
export const OTHERS: readonly FaultName[] = namesOf({
  ...PROCESS_FAULTS,
  ...DATABASE_FAULTS,
  ...LINE_FAULTS,
  ...BROKER_FAULTS,
  ...REQUEST_FAULTS,
  ...MARKET_FAULTS,
})

/** Each as often as its weight says. */
function namesOf(faults: Readonly<Partial<Record<FaultName, Fault>>>): FaultName[] {
  const names = Object.keys(faults).filter((name): name is FaultName => name in FAULTS)
  return names.flatMap((name) => Array.from({ length: FAULTS[name].weight }, () => name))
}
