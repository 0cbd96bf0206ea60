import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { WorkerSecret } from '@digger/cluster'
import { vitalsOf } from '@digger/engine'
import { makeMasterKey, type MasterKey, readMasterKey, Vault } from '@digger/identity'
import { runAdmin } from '../src/admin.ts'
import type { Probe } from '../src/services.ts'
import { writeSecrets } from './cluster-secrets.ts'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, ServerFixture } from './server-fixture.ts'

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

const run = (fixture: ServerFixture, config: { MASTER_KEY_FILE: string | undefined }, ...words: string[]) =>
  runAdmin({ db: fixture.database.db, config, passwords: fixture.passwords, clock: fixture.clock }, words)

describe('the operator', () => {
  test('changes the master key: the new one opens, the old one no longer', async () => {
    const [oldFile, newFile] = [keyFile(), keyFile()]
    await using fixture = await startFixture({ master: readMasterKey(oldFile) })
    const userId = await fixture.addUser('owner')
    expect(await run(fixture, { MASTER_KEY_FILE: oldFile }, 'rotate-master', newFile)).toMatch(/1명/)
    expect(await restarted(fixture, readMasterKey(oldFile)).openByMaster()).toEqual([])
    expect(await restarted(fixture, readMasterKey(newFile)).openByMaster()).toEqual([userId])
  })

  test('changes the master key beside a running server: nothing is wrapped by the old one any more', async () => {
    const [oldFile, newFile] = [keyFile(), keyFile()]
    await using fixture = await startFixture({ master: readMasterKey(oldFile) })
    const [same, due] = [await fixture.addUser('same'), await fixture.addUser('due')]
    await run(fixture, { MASTER_KEY_FILE: oldFile }, 'rotate-master', newFile)
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
    const { WORKER_SECRET_FILE: file } = writeSecrets(newFolder())
    const shown = await run(fixture, { MASTER_KEY_FILE: undefined }, 'worker-public-key', file)
    expect(shown).toBe(WorkerSecret.read(file).signer.publicKey)
    expect(readFileSync(file, 'utf8')).not.toContain(shown)
  })

  test('a master key that was replaced serves again when it is made the newest', async () => {
    const [first, second] = [keyFile(), keyFile()]
    await using fixture = await startFixture({ master: readMasterKey(first) })
    const userId = await fixture.addUser('owner')
    await run(fixture, { MASTER_KEY_FILE: first }, 'rotate-master', second)
    await run(fixture, { MASTER_KEY_FILE: second }, 'rotate-master', first)
    await fixture.vault.openByPassword(userId, PASSWORD)
    expect(await restarted(fixture, readMasterKey(first)).openByMaster()).toEqual([userId])
  })
})

const probe = (): Probe => ({
  ...vitalsOf([], { leaseHeld: true, silentMs: 0, brokerDown: false }),
  broker: 'unused',
})

const masterTrouble = (accounts: number | null, text: RegExp) => ({
  status: 503,
  troubles: [{ code: 'master', accounts, text: expect.stringMatching(text) }],
})
const WELL = { status: 200, troubles: [] }

/** A second server, after its start, with what it reported. */
async function startAgain(fixture: ServerFixture, file: string) {
  const server = new ServerFixture(fixture.database, { master: readMasterKey(file), parts: { probe } })
  const reported: string[] = []
  await server.services.keys.restore((userId, error) => void reported.push(`${userId} ${String(error)}`))
  const health = async () => {
    const reply = await server.call('GET', '/health')
    return { status: reply.statusCode, troubles: reply.json<{ troubles: unknown[] }>().troubles }
  }
  return { server, reported, health }
}

describe('a start with a master key that does not open what it should', () => {
  test('because it was replaced: the log and /health say which file is wanted, until the server starts with that', async () => {
    const [oldFile, newFile] = [keyFile(), keyFile()]
    await using fixture = await startFixture({ master: readMasterKey(oldFile) })
    const userId = await fixture.addUser('owner')
    await run(fixture, { MASTER_KEY_FILE: oldFile }, 'rotate-master', newFile)

    const wrong = await startAgain(fixture, oldFile)
    expect(wrong.reported).toEqual([expect.stringMatching(/^null .*교체된.*MASTER_KEY_FILE.*다시 켜 주세요/)])
    expect(await wrong.health()).toEqual(masterTrouble(1, /교체된.*계좌 1개는/))
    expect((await wrong.server.call('GET', '/metrics')).body).toMatch(/^digger_trouble\{code="master"\} 1$/m)
    await wrong.server.logIn('owner@digger.test')
    // The next start would lock it again.
    expect(await wrong.health()).toEqual(masterTrouble(null, /교체된.*다시 켜 주세요\.$/))
    await wrong.server.app.close()

    const right = await startAgain(fixture, newFile)
    expect([right.reported, right.server.vault.has(userId)]).toEqual([[], true])
    expect(await right.health()).toEqual(WELL)
    await right.server.app.close()
  })

  test('because it is another one: until the accounts it keeps closed were opened, or are to stay closed', async () => {
    const [file, strange] = [keyFile(), keyFile()]
    await using fixture = await startFixture({ master: readMasterKey(file) })
    const [, absent] = [await fixture.addUser('owner'), await fixture.addUser('absent')]

    const { server, reported, health } = await startAgain(fixture, strange)
    expect(reported).toEqual([expect.stringMatching(/^null .*다릅니다.*MASTER_KEY_FILE/)])
    expect(await health()).toEqual(masterTrouble(2, /다릅니다.*계좌 2개는/))
    await server.logIn('owner@digger.test')
    expect(await health()).toEqual(masterTrouble(1, /계좌 1개는/))
    await server.services.keys.remove(absent)
    expect(await health()).toEqual(WELL)
    await server.app.close()
  })
})
