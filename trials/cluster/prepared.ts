import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SECRETS = ['master.key', 'cluster.secret', 'worker.secret'] as const

/** What accounts are made of: the database at rest, and what opens it. */
const PARTS = [...SECRETS, 'sessions.json', 'db'] as const

/** New ones. */
export function writeSecrets(folder: string): void {
  for (const name of SECRETS) writeFileSync(join(folder, name), randomBytes(32).toString('base64'), { mode: 0o600 })
}

export const isPrepared = (folder: string | undefined): folder is string => folder !== undefined && existsSync(folder)

/** Keeps the accounts of a cluster whose database stands still. Whole or not at all. */
export function keepPrepared(cluster: string, folder: string): void {
  const unfinished = `${folder}.unfinished`
  mkdirSync(unfinished, { recursive: true })
  copy(cluster, unfinished)
  renameSync(unfinished, folder)
}

/** Gives them to a new cluster. */
export const takePrepared = (folder: string, cluster: string): void => copy(folder, cluster)

const copy = (from: string, to: string): void =>
  // Owners and rights stay: PostgreSQL takes no folder of somebody else.
  void execFileSync('cp', ['-a', ...PARTS.map((part) => join(from, part)), to])
