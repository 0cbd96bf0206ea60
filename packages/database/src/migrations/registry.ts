import type { Migration } from 'kysely/migration'
import { users } from './0001-users.ts'
import { vault } from './0002-vault.ts'
import { history } from './0003-history.ts'
import { accounts } from './0100-accounts.ts'
import { logIn } from './0201-log-in.ts'
import { keyVersions } from './0202-key-versions.ts'
import { limits } from './0203-limits.ts'
import { holder } from './0204-holder.ts'
import { retiredMasters } from './0205-retired-masters.ts'
import { auditOutcome } from './0206-audit-outcome.ts'
import { decision } from './0207-decision.ts'
import { watcher } from './0208-watcher.ts'
import { brokerAsItIs } from './0209-broker-as-it-is.ts'
import { baseMoves } from './0210-base-moves.ts'

/** Every change of the tables, in order. Databases store the names: never rename or reorder, only append. */
export const migrations: readonly (readonly [name: string, Migration])[] = [
  ['0001-users', users],
  ['0002-vault', vault],
  ['0003-history', history],
  ['0100-accounts', accounts],
  ['0201-log-in', logIn],
  ['0202-key-versions', keyVersions],
  ['0203-limits', limits],
  ['0204-holder', holder],
  ['0205-retired-masters', retiredMasters],
  ['0206-audit-outcome', auditOutcome],
  ['0207-decision', decision],
  ['0208-watcher', watcher],
  ['0209-broker-as-it-is', brokerAsItIs],
  ['0210-base-moves', baseMoves],
]
