import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WorkerSecret } from '@digger/cluster'
import { makeMasterKey, type MasterKey, readMasterKey, Vault } from '@digger/identity'
import { PASSWORD, type ServerFixture, writeAllSecrets } from '@digger/server/testing'
import { startFixture } from '@digger/server/testing/vitest'
import { afterEach, expect, test } from 'vitest'
import { run } from './run.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'digger-key-'))
  folders.push(folder)
  return folder
}

function keyFile(): string {
  const folder = newFolder()
  makeMasterKey(join(folder, 'master'))
  return join(folder, 'master')
}

/** A second server on the same database: what a restart leaves. */
const restarted = (fixture: ServerFixture, master: MasterKey | null = null): Vault =>
  new Vault({ db: fixture.database.db, clock: fixture.clock, passwords: fixture.passwords, master })

test('changes the master key: the new one opens, the old one no longer', async () => {
  const [oldFile, newFile] = [keyFile(), keyFile()]
  await using fixture = await startFixture({ master: readMasterKey(oldFile) })
  const userId = await fixture.addUser('owner')
  expect(await run(fixture, ['rotate-master', newFile], oldFile)).toMatch(/1명/)
  expect(await restarted(fixture, readMasterKey(oldFile)).openByMaster()).toEqual([])
  expect(await restarted(fixture, readMasterKey(newFile)).openByMaster()).toEqual([userId])
})

test('changes the master key beside a running server: nothing is wrapped by the old one any more', async () => {
  const [oldFile, newFile] = [keyFile(), keyFile()]
  await using fixture = await startFixture({ master: readMasterKey(oldFile) })
  const [same, due] = [await fixture.addUser('same'), await fixture.addUser('due')]
  await run(fixture, ['rotate-master', newFile], oldFile)
  await fixture.database.db.updateTable('vault').set({ rotation_due: true }).where('user_id', '=', due).execute()
  const later = await fixture.addUser('later')
  for (const userId of [same, due]) expect(await fixture.vault.openByPassword(userId, PASSWORD)).toBe(true)
  expect(await restarted(fixture, readMasterKey(oldFile)).openByMaster()).toEqual([])
  // The keys that changed meanwhile are opened by their users, and wrapped by the new master key then.
  const vault = restarted(fixture, readMasterKey(newFile))
  expect(await vault.openByMaster()).toEqual([same])
  for (const userId of [due, later]) expect(await vault.openByPassword(userId, PASSWORD)).toBe(true)
  expect(await restarted(fixture, readMasterKey(newFile)).openByMaster()).toHaveLength(3)
})

test('is shown what gateways know the workers by, and nothing of the secret', async () => {
  await using fixture = await startFixture()
  const { WORKER_SECRET_FILE: file } = writeAllSecrets(newFolder())
  const shown = await run(fixture, ['worker-public-key', file])
  expect(shown).toBe(WorkerSecret.read(file).signer.publicKey)
  expect(readFileSync(file, 'utf8')).not.toContain(shown)
})

test('a master key that was replaced serves again when it is made the newest', async () => {
  const [first, second] = [keyFile(), keyFile()]
  await using fixture = await startFixture({ master: readMasterKey(first) })
  const userId = await fixture.addUser('owner')
  await run(fixture, ['rotate-master', second], first)
  await run(fixture, ['rotate-master', first], second)
  await fixture.vault.openByPassword(userId, PASSWORD)
  expect(await restarted(fixture, readMasterKey(first)).openByMaster()).toEqual([userId])
})
