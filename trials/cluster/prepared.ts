import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sessionsIn } from './person.ts'

/** What the trial itself puts on the machines, as base64. */
export const SECRET_FILES = {
  'master key': 'master.key',
  'cluster secret': 'cluster.secret',
  'worker secret': 'worker.secret',
}

/** What accounts are made of: the database at rest, and what opens it. */
const partsIn = (folder: string): string[] => [
  ...Object.values(SECRET_FILES).map((name) => join(folder, name)),
  sessionsIn(folder),
  join(folder, 'db'),
]

/** New ones. */
export function writeSecrets(folder: string): void {
  for (const name of Object.values(SECRET_FILES))
    writeFileSync(join(folder, name), randomBytes(32).toString('base64'), { mode: 0o600 })
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
  void execFileSync('cp', ['-a', ...partsIn(from), to])
