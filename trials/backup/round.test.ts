import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeMasterKey } from '../hardships/fault-injection.ts'
import { backupRound } from './round.ts'

/** The least of what `npm run backup:rounds` does. */
test('a machine is lost under trading, and its backup goes on elsewhere', async () => {
  const root = mkdtempSync(join(tmpdir(), 'digger-round-'))
  const times = { work: 4_000, oldWork: 0, quiet: 3_000, alive: 0 }
  const plan = { seed: 7, age: 'fresh', databases: null, times, folder: join(root, 'round') } as const
  const result = await backupRound({ ...plan, masterKeyFile: writeMasterKey(root), print: () => undefined })
  expect(result.problems).toEqual([])
  expect(result.before).toBeGreaterThan(0)
  expect(result.after).toBeGreaterThan(0)
  rmSync(root, { recursive: true, force: true })
}, 600_000)
