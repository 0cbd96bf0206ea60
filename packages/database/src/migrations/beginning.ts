import type { Migration } from 'kysely/migration'
import { users } from './0001-users.ts'
import { vault } from './0002-vault.ts'
import { history } from './0003-history.ts'
import { accounts } from './0100-accounts.ts'
import { logIn } from './0201-log-in.ts'

/** What the first databases were made of. */
export const beginning: readonly (readonly [name: string, Migration])[] = [
  ['0001-users', users],
  ['0002-vault', vault],
  ['0003-history', history],
  ['0100-accounts', accounts],
  ['0201-log-in', logIn],
]
