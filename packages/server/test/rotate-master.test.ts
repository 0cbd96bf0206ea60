import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { makeMasterKey, type MasterKey, readMasterKey, Vault } from '@digger/identity'
import { runAdmin } from '../src/admin.ts'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, type ServerFixture } from './server-fixture.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function keyFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'digger-key-'))
  folders.push(folder)
  makeMasterKey(join(folder, 'master'))
  return join(folder, 'master')
}

/** A second server on the same database: what a restart leaves. */
const restarted = (world: ServerFixture, master: MasterKey | null = null): Vault =>
  new Vault({ db: world.database.db, clock: world.clock, passwords: world.passwords, master })

const run = (world: ServerFixture, config: { MASTER_KEY_FILE: string | undefined }, ...words: string[]) =>
  runAdmin({ db: world.database.db, config, passwords: world.passwords, clock: world.clock }, words)

describe('the operator', () => {
  test('changes the master key: the new one opens, the old one no longer', async () => {
    const [oldFile, newFile] = [keyFile(), keyFile()]
    await using world = await startFixture({ master: readMasterKey(oldFile) })
    const userId = await world.addUser('owner')
    expect(await run(world, { MASTER_KEY_FILE: oldFile }, 'rotate-master', newFile)).toMatch(/1명/)
    expect(await restarted(world, readMasterKey(oldFile)).openByMaster()).toEqual([])
    expect(await restarted(world, readMasterKey(newFile)).openByMaster()).toEqual([userId])
  })

  test('changes the master key beside a running server: nothing is wrapped by the old one any more', async () => {
    const [oldFile, newFile] = [keyFile(), keyFile()]
    await using world = await startFixture({ master: readMasterKey(oldFile) })
    const [same, due] = [await world.addUser('same'), await world.addUser('due')]
    await run(world, { MASTER_KEY_FILE: oldFile }, 'rotate-master', newFile)
    await world.database.db.updateTable('vault').set({ rotation_due: true }).where('user_id', '=', due).execute()
    const later = await world.addUser('later')
    for (const userId of [same, due]) expect(await world.vault.openByPassword(userId, PASSWORD)).toBe(true)
    expect(await restarted(world, readMasterKey(oldFile)).openByMaster()).toEqual([])
    // The keys that changed meanwhile are opened by their users, and wrapped by the new master key then.
    const vault = restarted(world, readMasterKey(newFile))
    expect(await vault.openByMaster()).toEqual([same])
    for (const userId of [due, later]) expect(await vault.openByPassword(userId, PASSWORD)).toBe(true)
    expect(await restarted(world, readMasterKey(newFile)).openByMaster()).toHaveLength(3)
  })

  test('a master key that was replaced serves again when it is made the newest', async () => {
    const [first, second] = [keyFile(), keyFile()]
    await using world = await startFixture({ master: readMasterKey(first) })
    const userId = await world.addUser('owner')
    await run(world, { MASTER_KEY_FILE: first }, 'rotate-master', second)
    await run(world, { MASTER_KEY_FILE: second }, 'rotate-master', first)
    await world.vault.openByPassword(userId, PASSWORD)
    expect(await restarted(world, readMasterKey(first)).openByMaster()).toEqual([userId])
  })
})
