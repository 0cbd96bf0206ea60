/**
 * C8: a job over 10,000 users, worked off through the tables while the process that works is killed five times: each user
 * has exactly one result. The work is one row each, so that what is measured is the keeping of the job.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { findPostgres, startPostgres } from '@digger/database/testing'
import { openDatabase } from '@digger/database'
import { addUsers, itemsOf, jobOf, makeJob } from '@digger/jobs/testing'
import { notRun } from '../scripts/not-run.ts'
import { printFigure } from './measure.ts'

const USERS = 10_000
const KILLS = 5
/** Between the kills so many lines of ten users each are printed. */
const LINES = 150

function start(databaseUrl: string): { readonly process: ChildProcess; readonly lines: AsyncIterator<string> } {
  const program = new URL('../packages/jobs/test/child.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program, databaseUrl, ''], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { process: child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
}

const bin = findPostgres()
if (bin === null) notRun('no PostgreSQL on this machine')
else {
  await using server = await startPostgres(bin)
  const databaseUrl = await server.newDatabase()
  const database = await openDatabase({ databaseUrl, dataDir: '' })
  await addUsers(database.db, USERS)
  await database.pool.query('create table worked (job_id bigint not null, user_id text not null)')
  const job = await makeJob(database.db, { kind: 'again' })
  await database.close()
  const began = performance.now()
  for (let kill = 0; kill < KILLS; kill += 1) {
    const running = start(databaseUrl)
    for (let line = 0; line < LINES; line += 1) await running.lines.next()
    const gone = once(running.process, 'exit')
    running.process.kill('SIGKILL')
    await gone
  }
  const last = start(databaseUrl)
  for (let line = await last.lines.next(); line.done !== true; line = await last.lines.next());
  const seconds = (performance.now() - began) / 1_000
  const after = await openDatabase({ databaseUrl, dataDir: '' })
  const items = await itemsOf(after.db, job)
  deepStrictEqual([items.length, (await jobOf(after.db, job))?.counts.done], [USERS, USERS])
  await after.close()
  printFigure('C8 users a second, killed five times in the middle', [USERS / seconds], '≥ 300')
  console.log(`    ${USERS} users in ${seconds.toFixed(1)} s, ${KILLS} kills; each has exactly one result`)
}
