import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { openDatabase } from '@digger/database'
import { testPlace } from '@digger/database/testing'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { itemsOf, jobOf } from '../src/read.ts'
import { addUsers, makeJob } from './fixture.ts'

const USERS = 400

interface Running {
  readonly process: ChildProcess
  /** The next line that it prints; null when it has ended. */
  readonly line: () => Promise<string | null>
}

function start({ DATABASE_URL, DATA_DIR }: { DATABASE_URL: string | undefined; DATA_DIR: string }): Running {
  const program = new URL('./child.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program, DATABASE_URL ?? '', DATA_DIR], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return { process: child, line: async () => (await lines.next()).value ?? null }
}

/** Kills it while it works, each time a little later. */
async function killAtWork(running: Running, afterLines: number): Promise<void> {
  for (let seen = 0; seen <= afterLines; seen += 1) await running.line()
  const gone = once(running.process, 'exit')
  running.process.kill('SIGKILL')
  await gone
}

/** Killed so often in the middle: each user has exactly one result, and nothing unsafe was done twice. Returns the last process's words. */
export async function survivesKills(kills: number): Promise<string | null> {
  await using place = await testPlace()
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = place.config
  const before = await openDatabase({ databaseUrl, dataDir })
  await addUsers(before.db, USERS)
  await sql`create table worked (job_id bigint not null, user_id text not null)`.execute(before.db)
  const jobs = [await makeJob(before.db, { kind: 'again' }), await makeJob(before.db, { kind: 'once', lane: 'urgent' })]
  await before.close()

  for (let kill = 0; kill < kills; kill += 1) await killAtWork(start(place.config), 2 + kill)
  const last = start(place.config)
  let end: string | null = null
  for (let line = await last.line(); line !== null; line = await last.line()) end = line

  const after = await openDatabase({ databaseUrl, dataDir })
  const { db } = after
  const timesOf = async (job: number) => {
    const { rows } = await sql<{ id: string; times: number }>`
      select user_id as id, count(*) as times from worked where job_id = ${job} group by user_id`.execute(db)
    return new Map(rows.map(({ id, times }) => [id, times]))
  }
  const [again = 0, onceOnly = 0] = jobs
  for (const job of jobs) {
    expect(await itemsOf(db, job)).toHaveLength(USERS)
    expect(await jobOf(db, job)).toMatchObject({ counts: { waiting: 0, running: 0, cancelled: 0 } })
  }
  expect((await jobOf(db, again))?.counts.done).toBe(USERS)
  expect((await timesOf(again)).size).toBe(USERS)
  // What was under way at a kill was done at most once, and is said not to be known; the rest was done.
  const times = await timesOf(onceOnly)
  expect([...times.values()].filter((count) => count > 1)).toEqual([])
  const items = await itemsOf(db, onceOnly)
  const unknown = items.filter(({ state }) => state === 'failed')
  expect(unknown.length).toBeLessThanOrEqual(4 * kills)
  expect(unknown.every(({ result }) => result?.includes('되었는지 모릅니다'))).toBe(true)
  expect(items.filter(({ userId, state }) => state === 'done' && !times.has(userId))).toEqual([])
  await after.close()
  return end
}
