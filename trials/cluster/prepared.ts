import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/** What accounts are made of: the database at rest, and what opens it. */
const PARTS = ['master.key', 'cluster.secret', 'worker.secret', 'sessions.json', 'db'] as const

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
