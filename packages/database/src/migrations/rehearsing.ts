import type { Migration } from 'kysely/migration'
import { candles } from './0224-candles.ts'
import { shadow } from './0225-shadow.ts'
import { firstDays } from './0226-first-days.ts'
import { connectionCheck } from './0227-connection-check.ts'

/** What is tried before real money is at stake. */
export const rehearsing: readonly (readonly [name: string, Migration])[] = [
  ['0224-candles', candles],
  ['0225-shadow', shadow],
  ['0226-first-days', firstDays],
  ['0227-connection-check', connectionCheck],
]
