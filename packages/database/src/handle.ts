import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** A handle or an open transaction: what every query takes. */
export type Db = Kysely<Tables>
