import { BROKER_FAULTS } from './broker.ts'
import { DATABASE_FAULTS } from './database.ts'
import type { Fault } from './fault.ts'
import { LINE_FAULTS } from './line.ts'
import { MARKET_FAULTS } from './market.ts'
import { PROCESS_FAULTS } from './process.ts'

/** Everything that goes wrong in a run. A new kind is a new entry in one of these. */
export const FAULTS = {
  ...PROCESS_FAULTS,
  ...DATABASE_FAULTS,
  ...LINE_FAULTS,
  ...BROKER_FAULTS,
  ...MARKET_FAULTS,
} as const satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof FAULTS
