import type { Migration } from 'kysely/migration'

/** A kind of fact is new, which stands in columns that are there: the name keeps programs from before it from a copy (decision 045). */
export const firstDays: Migration = {
  async up() {},
}
