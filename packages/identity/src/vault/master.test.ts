import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { makeMasterKey, readMasterKey } from './master.ts'
import { unseal } from './seal.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
function keyFile(text: string, mode = 0o600): string {
  const folder = mkdtempSync(join(tmpdir(), 'digger-key-'))
  folders.push(folder)
  writeFileSync(join(folder, 'master'), text)
  chmodSync(join(folder, 'master'), mode)
  return join(folder, 'master')
}

describe('the master key file', () => {
  // Its 43rd letter carries four bits: one of A, E, I … 8.
  const good = randomBytes(32).toString('base64')
  test.each<[string, string, number, RegExp]>([
    ['all zeros', Buffer.alloc(32).toString('base64'), 0o600, /무작위가 아니라/],
    ['seven different bytes', Buffer.alloc(32, 'abcdefg').toString('base64'), 0o600, /make-master/],
    ['zeros in hex', '0'.repeat(64), 0o600, /무작위가 아니라/],
    ['31 bytes', Buffer.from(good, 'base64').subarray(1).toString('base64'), 0o600, /32바이트/],
    ['something behind the key', `${good}!`, 0o600, /32바이트/],
    ['blanks inside', `${good.slice(0, 9)} ${good.slice(9)}`, 0o600, /32바이트/],
    ['a last letter with bits of nothing', `${good.slice(0, 42)}B=`, 0o600, /32바이트/],
    ['readable by everybody', good, 0o644, /다른 사용자가.*chmod 600/],
    ['writable by everybody', good, 0o602, /다른 사용자가.*chmod 600/],
    ['writable by the group', good, 0o620, /다른 사용자가.*chmod 600/],
  ])('%s is refused', (_name, text, mode, message) => {
    expect(() => readMasterKey(keyFile(text, mode))).toThrow(message)
  })
  test.each([0o600, 0o400, 0o440])('mode %o is fine', async (mode) => {
    const master = readMasterKey(keyFile(`${good}\n`, mode))
    const wrapped = await master?.wrap(Buffer.from('a key'), 'label')
    expect(unseal(Buffer.from(good, 'base64'), wrapped ?? Buffer.alloc(0), 'label').toString()).toBe('a key')
  })
  test('is made by a command, for its owner, and never over another', async () => {
    const path = `${keyFile('')}.new`
    makeMasterKey(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readMasterKey(path)?.mark).toMatch(/^[0-9a-f]{16}$/)
    expect(() => makeMasterKey(path)).toThrow(/만들지 못했습니다/)
  })
})
