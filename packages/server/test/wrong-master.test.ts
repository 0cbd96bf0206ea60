import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { vitalsOf } from '@digger/engine'
import { makeMasterKey, type MasterKey, readMasterKey, rotateMaster } from '@digger/identity'
import type { Probe } from '../src/services.ts'
import { startFixture } from './shared-fixture.ts'
import { ServerFixture } from './server-fixture.ts'

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

/** The key that is to be there; null is no key. */
function keyIn(file: string): MasterKey {
  const key = readMasterKey(file)
  if (key === null) throw new Error(`no master key in ${file}`)
  return key
}

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
    const rotation = { from: keyIn(oldFile), to: keyIn(newFile), at: fixture.clock.now() }
    await fixture.database.db.transaction().execute((trx) => rotateMaster(trx, rotation))

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
