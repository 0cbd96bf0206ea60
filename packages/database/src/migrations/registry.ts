import type { Migration } from 'kysely/migration'
import { retiredMasters } from './0205-retired-masters.ts'
import { auditOutcome } from './0206-audit-outcome.ts'
import { decision } from './0207-decision.ts'
import { watcher } from './0208-watcher.ts'
import { brokerAsItIs } from './0209-broker-as-it-is.ts'
import { baseMoves } from './0210-base-moves.ts'
import { boughtByPerson } from './0211-bought-by-person.ts'
import { boughtBefore } from './0212-bought-before.ts'
import { beginning } from './beginning.ts'
import { outside } from './outside.ts'
import { rehearsing } from './rehearsing.ts'
import { door } from './door.ts'
import { severalProcesses } from './several-processes.ts'

/** Every change of the tables, in order. Databases store the names: never rename or reorder, only append. */
export const migrations: readonly (readonly [name: string, Migration])[] = [
  ...beginning,
  ['0205-retired-masters', retiredMasters],
  ['0206-audit-outcome', auditOutcome],
  ['0207-decision', decision],
  ['0208-watcher', watcher],
  ['0209-broker-as-it-is', brokerAsItIs],
  ['0210-base-moves', baseMoves],
  ['0211-bought-by-person', boughtByPerson],
  ['0212-bought-before', boughtBefore],
  ...severalProcesses,
  ...outside,
  ...rehearsing,
  ...door,
]
