import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Where PostgreSQL's programs are on this machine; null when there is none. Plain JavaScript: also asked before anything
 * is installed.
 * @returns {string | null}
 */
export function findPostgres() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : []
  return ['/usr/local/bin', '/usr/bin', ...versions].find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}
