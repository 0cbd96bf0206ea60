import type { Migration } from 'kysely/migration'
import { notifications } from './0221-notifications.ts'
import { stopLink } from './0222-stop-link.ts'
import { mayAddStocks } from './0223-may-add-stocks.ts'

/** What reaches people who are not looking, and what they may do. */
export const outside: readonly (readonly [name: string, Migration])[] = [
  ['0221-notifications', notifications],
  ['0222-stop-link', stopLink],
  ['0223-may-add-stocks', mayAddStocks],
]
