import { readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Database } from '@digger/database'

export function everythingIn(folder: string): string[] {
  const inside = readdirSync(folder, { withFileTypes: true, recursive: true })
  return [folder, ...inside.map(({ parentPath, name }) => join(parentPath, name))]
}

/** Paths with their modes, where somebody else has a bit. */
export const openIn = (folder: string): string[] =>
  everythingIn(folder)
    .map((path): [string, number] => [path, statSync(path).mode])
    .filter(([, mode]) => (mode & 0o077) !== 0)
    .map(([path, mode]) => `${relative(folder, path)} ${(mode & 0o777).toString(8)}`)

/** Tables, indexes and log files made after the start. */
export async function use({ pool }: Database): Promise<void> {
  await pool.query('create table later as select n, repeat(md5(n::text), 20) as text from generate_series(1, 20000) n')
  await pool.query('create index on later (text)')
  await pool.query('checkpoint')
}
