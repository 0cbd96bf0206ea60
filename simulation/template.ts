import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoAccounts } from './product.ts'

/** The pretend customers, one for each person. */
export const ACCOUNTS = demoAccounts(2)
export const PASSWORD = 'digger-simulation-1'
export const emailOf = (person: number): string => `person${person}@example.com`

/** The operator's key, so that accounts open by themselves after a restart. */
export const MASTER_KEY_FILE = join(mkdtempSync(join(tmpdir(), 'digger-simulation-')), 'master.key')
writeFileSync(MASTER_KEY_FILE, randomBytes(32).toString('base64'), { mode: 0o600 })
