import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary folder that PostgreSQL, which is not root, can look into. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'digger-chaos-'))
  chmodSync(folder, 0o755)
  return folder
}
