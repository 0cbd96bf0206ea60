import { existsSync, mkdirSync, readdirSync, writeFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { poolOf, TestClock } from '@digger/database/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { answerRequests, takeBackup, withSource } from '../src/index.ts'
import { KIND, Places } from './fixture.ts'
import { backedUpBeside } from './traded-beside.ts'

const places = new Places()

const unexpected = (error: unknown): void => expect.unreachable(String(error))

test('beside a server that trades each backup is of one moment, and commits go on meanwhile', () =>
  expect(backedUpBeside(places, KIND)).resolves.toBe(undefined))

describe('the folder of an embedded database that is open elsewhere', () => {
  test('a server that cannot copy says why, and goes on answering', async () => {
    const trading = await places.trading('embedded')
    onTestFinished(() => trading.close())
    await trading.addUser('trader')
    const clock = new TestClock()
    const failures: unknown[] = []
    const { pool } = trading.database
    const { dataDir } = trading.place
    const end = answerRequests({ pool, dataDir, clock, failed: (error) => failures.push(error) })
    onTestFinished(end)
    const asked = withSource(trading.place, (source) => takeBackup(source, places.folder()))
    const request = await theRequest(dataDir)
    writeFileSync(join(request, 'database'), 'in the way')
    clock.advance(1_000)
    await expect(asked).rejects.toThrow(/복사하지 못했습니다.*EEXIST|ENOTDIR/)
    expect(failures).toHaveLength(1)
    const again = withSource(trading.place, (source) => takeBackup(source, places.folder()))
    await theRequest(dataDir)
    clock.advance(1_000)
    expect((await again).manifest.kind).toBe('embedded')
  }, 60_000)

  test('what is no request is left alone, and what was left over long ago is removed', async () => {
    const dataDir = places.folder()
    const home = join(dataDir, 'backup')
    for (const name of ['notes', '0123456789abcdef', 'fedcba9876543210'])
      mkdirSync(join(home, name), { recursive: true })
    writeFileSync(join(home, 'notes/asked'), '')
    const longAgo = Date.now() / 1_000 - 7 * 3_600
    utimesSync(join(home, '0123456789abcdef'), longAgo, longAgo)
    const clock = new TestClock()
    // Nothing is asked of it.
    const pool = poolOf({ port: 1 })
    const end = answerRequests({ pool, dataDir, clock, failed: unexpected })
    clock.advance(1_000)
    await end()
    expect(readdirSync(home).toSorted()).toEqual(['fedcba9876543210', 'notes'])
    expect(readdirSync(join(home, 'notes'))).toEqual(['asked'])
  })

  test('an end of the server ends the copying, and the database is well', async () => {
    const trading = await places.trading('embedded')
    const user = await trading.addUser('trader')
    const clock = new TestClock()
    const { dataDir } = trading.place
    const failures: unknown[] = []
    const { pool } = trading.database
    const end = answerRequests({ pool, dataDir, clock, failed: (error) => failures.push(error) })
    const asked = withSource(trading.place, (source) => takeBackup(source, places.folder()))
    const outcome = asked.catch((error: unknown) => String(error))
    await theRequest(dataDir)
    clock.advance(1_000)
    await end()
    expect(await outcome).toMatch(/서버가 꺼지는 중입니다/)
    expect(failures).toHaveLength(1)
    // No backup is under way in the session any more.
    await expect(pool.query('select pg_backup_stop(false)')).rejects.toThrow(/not in progress/)
    await trading.buy(user)
    await trading.close()
  })
})

/** Once somebody has asked. */
async function theRequest(dataDir: string): Promise<string> {
  const home = join(dataDir, 'backup')
  for (;;) {
    const names = existsSync(home) ? readdirSync(home) : []
    for (const name of names) if (readdirSync(join(home, name)).includes('asked')) return join(home, name)
    await delay(5)
  }
}
