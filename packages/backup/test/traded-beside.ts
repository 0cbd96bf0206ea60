import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { realClock } from '@digger/database'
import { expect, onTestFinished } from 'vitest'
import { holdAgainst } from '../src/drill.ts'
import { answerRequests, type Backup, takeBackup, withSource } from '../src/index.ts'
import { KIND, type Kind, type Places, type Trading } from './fixture.ts'

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

const answering = (trading: Trading) => {
  if (trading.database.kind === 'postgres') return
  const { pool } = trading.database
  const end = answerRequests({ pool, dataDir: trading.place.dataDir, clock: realClock, failed: unexpected })
  onTestFinished(end)
}

const unexpected = (error: unknown): void => expect.unreachable(String(error))

/** Each backup beside a server that trades is of one moment, and commits go on meanwhile. */
export async function backedUpBeside(places: Places, kind: Kind): Promise<void> {
  const trading = await places.trading(kind)
  onTestFinished(() => trading.close())
  const user = await trading.addUser('trader')
  answering(trading)
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
  expect(await holdAgainst(last.backup, await places.empty(KIND))).toMatchObject({
    differences: [],
    facts: last.journal,
  })
  await trades.end()
  // Nothing of the copies is left.
  expect(existsSync(trading.place.dataDir) ? readdirSync(join(trading.place.dataDir, 'backup')) : []).toEqual([])
}
