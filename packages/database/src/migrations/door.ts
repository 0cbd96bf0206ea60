import type { Migration } from 'kysely/migration'
import { secondFactor } from './0228-second-factor.ts'

/** What stands between the world and the accounts. */
export const door: readonly (readonly [name: string, Migration])[] = [['0228-second-factor', secondFactor]]
