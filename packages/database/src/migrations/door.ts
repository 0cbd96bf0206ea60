import type { Migration } from 'kysely/migration'
import { secondFactor } from './0228-second-factor.ts'
import { apiToken } from './0229-api-token.ts'

/** What stands between the world and the accounts. */
export const door: readonly (readonly [name: string, Migration])[] = [
  ['0228-second-factor', secondFactor],
  ['0229-api-token', apiToken],
]
