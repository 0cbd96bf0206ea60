import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OperatorError } from '@digger/database'
import { testDatabase } from '@digger/database/testing'
import { newKey } from '@digger/identity'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addressKeyIn, vapidKeysOf } from '../../src/keys.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'digger-key-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the key for addresses is made at the first start, for its owner alone, and is the same at the next', () => {
  const file = join(folder, 'new', 'deep', 'notification.key')
  const key = addressKeyIn(file)
  expect(key).toHaveLength(32)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'new', 'deep')).mode & 0o077).toBe(0)
  expect(addressKeyIn(file)).toEqual(key)
  expect(addressKeyIn(join(folder, 'another.key'))).not.toEqual(key)
})

test.each([0o644, 0o604, 0o660, 0o666])('refused where others may read or change it: %o', (mode) => {
  const file = join(folder, 'notification.key')
  addressKeyIn(file)
  chmodSync(file, mode)
  expect(() => addressKeyIn(file)).toThrow(OperatorError)
  expect(() => addressKeyIn(file)).toThrow(/NOTIFICATION_KEY_FILE.*chmod 600/s)
})

test.each([
  ['empty, as a start that was cut off may leave it', ''],
  ['no key', 'hello'],
  ['a key that anybody could guess', `${Buffer.alloc(32).toString('base64')}\n`],
])('refused where it holds %s, and left as it is', (_name, text) => {
  const file = join(folder, 'notification.key')
  writeFileSync(file, text, { mode: 0o600 })
  expect(() => addressKeyIn(file)).toThrow(OperatorError)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('the pair for push services lasts over a restart, and is never in the clear', async () => {
  await using database = await testDatabase()
  const { db } = database
  const key = newKey()
  const keys = await vapidKeysOf(db, key)
  expect(Buffer.from(keys.publicKey, 'base64url')).toHaveLength(65)
  expect(await vapidKeysOf(db, key)).toEqual(keys)
  const { value } = await db
    .selectFrom('server_setting')
    .select('value')
    .where('name', '=', 'push keys')
    .executeTakeFirstOrThrow()
  expect(Buffer.from(value, 'base64').includes(keys.privateKey)).toBe(false)
  expect(value).not.toContain(keys.publicKey)
})

test('made anew where the key has changed, and one pair for all processes that begin together', async () => {
  await using database = await testDatabase()
  const { db } = database
  const first = await Promise.all(Array.from({ length: 4 }, () => vapidKeysOf(db, newKey())))
  expect(new Set(first.map(({ publicKey }) => publicKey)).size).toBeGreaterThan(0)
  const key = newKey()
  const made = await Promise.all(Array.from({ length: 4 }, () => vapidKeysOf(db, key)))
  expect(new Set(made.map(({ publicKey }) => publicKey)).size).toBe(1)
  expect(first.map(({ publicKey }) => publicKey)).not.toContain(made[0]?.publicKey)
  expect(await vapidKeysOf(db, key)).toEqual(made[0])
})
