import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedFolder, testPlace } from '@digger/database/testing'
import { expect, test } from 'vitest'
import { writeMasterKey } from '../hardships/fault-injection.ts'
import { backupRound } from './round.ts'

/** The least of what `npm run prove -- backup-rounds` does. */
test('a machine is lost under trading, and its backup goes on elsewhere', async () => {
  const root = mkdtempSync(join(tmpdir(), 'digger-round-'))
  // How a server makes its first database is no part of this.
  await seedFolder(join(root, 'round/data'))
  await using empty = await testPlace({ empty: true })
  cpSync(empty.config.DATA_DIR, join(root, 'round/elsewhere'), { recursive: true })
  const times = { work: 2_000, oldWork: 0, quiet: 2_000, alive: 0, look: 500 }
  const plan = { seed: 7, age: 'fresh', databases: null, times, folder: join(root, 'round') } as const
  const result = await backupRound({ ...plan, masterKeyFile: writeMasterKey(root), print: () => undefined })
  expect(result.problems).toEqual([])
  expect(result.before).toBeGreaterThan(0)
  expect(result.after).toBeGreaterThan(0)
  rmSync(root, { recursive: true, force: true })
}, 600_000)
