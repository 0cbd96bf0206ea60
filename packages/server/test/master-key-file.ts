import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new master key in a file of its own folder, as the server wants it. */
export function writeMasterKey() {
  const folder = mkdtempSync(join(tmpdir(), 'digger-secret-'))
  const file = join(folder, 'master.key')
  const key = randomBytes(32)
  writeFileSync(file, key.toString('base64'), { mode: 0o600 })
  return { file, key, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
