import { existsSync, mkdirSync, readdirSync, writeFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { realClock } from '@digger/database'
import { TestClock } from '@digger/database/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { answerRequests, type Backup, drillBackup, takeBackup, withSource } from '../src/index.ts'
import { KINDS, Places, type Kind, type Trading } from './fixture.ts'

const places = new Places()
/** Commits one after the other until it is ended. How long one waits for a copy: docs/decisions/053-backup.md. */
class Trader {
  commits = 0
  readonly #ending = new AbortController()
  readonly #done: Promise<void>

  constructor(trading: Trading, userId: string) {
    this.#done = this.#run(trading, userId)
  }

  async #run(trading: Trading, userId: string): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await trading.buy(userId)
      this.commits += 1
      await delay(10)
    }
  }

  end(): Promise<void> {
    this.#ending.abort()
    return this.#done
  }
}

const answering = (trading: Trading, kind: Kind) => {
  if (kind === 'postgres') return
  const { pool } = trading.database
  const end = answerRequests({ pool, dataDir: trading.place.dataDir, clock: realClock, failed: unexpected })
  onTestFinished(end)
}

const unexpected = (error: unknown): void => expect.unreachable(String(error))

describe('beside a server that trades', { timeout: 120_000 }, () => {
  test.each(KINDS)('each backup of %s is of one moment, and commits go on meanwhile', async (kind) => {
    const trading = await places.trading(kind)
    onTestFinished(() => trading.close())
    const user = await trading.addUser('trader')
    answering(trading, kind)
    const trades = new Trader(trading, user)
    onTestFinished(() => trades.end())
    const into = places.folder()
    let last: { backup: Backup; journal: number } | null = null
    for (let round = 0; round < 2; round += 1) {
      const before = trades.commits
      const backup = await withSource(trading.place, (source) => takeBackup(source, into))
      // While it was taken, too.
      expect(trades.commits).toBeGreaterThan(before)
      // A checkpoint of the server's own in between, as every five minutes.
      await trading.database.pool.query('checkpoint')
      const journal = backup.manifest.tables.find(({ name }) => name === 'journal')?.rows ?? 0
      expect(journal).toBeGreaterThanOrEqual(before + 4)
      last = { backup, journal }
    }
    if (last === null) throw new Error('nothing was backed up')
    expect(await drillBackup(last.backup)).toMatchObject({ differences: [], facts: last.journal })
    await trades.end()
    // Nothing of the copies is left.
    expect(existsSync(trading.place.dataDir) ? readdirSync(join(trading.place.dataDir, 'backup')) : []).toEqual([])
  })
})

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
    const trading = await places.trading('embedded')
    onTestFinished(() => trading.close())
    const { dataDir } = trading.place
    const home = join(dataDir, 'backup')
    for (const name of ['notes', '0123456789abcdef', 'fedcba9876543210'])
      mkdirSync(join(home, name), { recursive: true })
    writeFileSync(join(home, 'notes/asked'), '')
    const longAgo = Date.now() / 1_000 - 7 * 3_600
    utimesSync(join(home, '0123456789abcdef'), longAgo, longAgo)
    const clock = new TestClock()
    const { pool } = trading.database
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
