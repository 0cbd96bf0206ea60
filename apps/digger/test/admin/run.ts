import type { ServerFixture } from '@digger/server/testing'
import { runAdmin } from '../../src/admin/admin.ts'

/** A command of the operator, on the database of this server. */
export const run = (fixture: ServerFixture, words: readonly string[], MASTER_KEY_FILE?: string): Promise<string> =>
  runAdmin(
    { db: fixture.database.db, config: { MASTER_KEY_FILE }, passwords: fixture.passwords, clock: fixture.clock },
    words,
  )
