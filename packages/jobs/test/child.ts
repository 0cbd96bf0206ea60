import { openDatabase } from '@digger/database'
import { sql } from 'kysely'
import type { Item } from '../src/items.ts'
import { done, runnerOf } from './fixture.ts'

/** A process that works off jobs until it is killed, or all are over. Each piece of work is a row. */
const [databaseUrl, dataDir = ''] = process.argv.slice(2)

const database = await openDatabase({ databaseUrl: databaseUrl || undefined, dataDir, lockWaitMs: 20_000 })
const { db } = database
let worked = 0

const { runner, problems } = runnerOf(db, async ({ jobId, userId, kind }: Item) => {
  await sql`insert into worked (job_id, user_id) values (${jobId}, ${userId})`.execute(db)
  if (++worked % 10 === 0) process.stdout.write(`worked ${worked}\n`)
  return done(`${kind} 했습니다.`)
})
runner.start({ pollMs: 100 })
process.stdout.write('open\n')
for (;;) {
  await new Promise((resolve) => setTimeout(resolve, 100))
  const { rows } = await sql`select from job where finished_at is null`.execute(db)
  if (rows.length === 0) break
}
await runner.stop()
await database.close()
process.stdout.write(`over, ${problems.length} problems\n`)
