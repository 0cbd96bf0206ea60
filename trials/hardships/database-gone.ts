import { setTimeout as delay } from 'node:timers/promises'
import type { Child } from '../crash/child.ts'
import type { Stage } from '../crash/stage.ts'
import { ownPostgres, postgresMissing } from './database-hands.ts'
import { again, armedWithin, begin, finish, takenBetween, tradesAgain, type Hardship } from './hardship.ts'

/** An order whose row was durable before may still be on its way, ms. */
const ON_ITS_WAY_MS = 3_000
const GONE_MS = 15_000
const FROZEN_MS = 40_000
const BACK_PATIENCE_MS = 60_000

/** PostgreSQL stops at once, as in a power cut; later it stands still without a word. Nothing may be traded meanwhile. */
export const databaseGone: Hardship = {
  name: 'a database gone for a while',
  missing: postgresMissing,
  async run({ open }) {
    await using postgres = await ownPostgres()
    const stage = await open({ DATABASE_URL: await postgres.newDatabase() })
    let server = await begin(stage)
    const told: string[] = []

    await postgres.crash()
    await quietFor(stage, GONE_MS, 'the database was gone')
    await postgres.start()
    server = await backOrAgain(stage, server, `gone for ${GONE_MS / 1_000} s`, told)

    postgres.freeze()
    await quietFor(stage, FROZEN_MS, 'the database stood still')
    postgres.thaw()
    server = await backOrAgain(stage, server, `stood still for ${FROZEN_MS / 1_000} s`, told)

    await finish(stage, server)
    return told
  },
}

async function quietFor(stage: Stage, ms: number, what: string): Promise<void> {
  const from = Date.now() + ON_ITS_WAY_MS
  // People press on meanwhile; nothing they are told may turn out to be untrue.
  await stage.work(ms)
  const taken = await takenBetween(stage, from, Date.now())
  if (taken > 0) stage.problems.push(`${taken} orders reached the broker while ${what}`)
}

async function backOrAgain(stage: Stage, server: Child, what: string, told: string[]): Promise<Child> {
  const since = performance.now()
  if (await armedWithin(stage, server, BACK_PATIENCE_MS)) {
    told.push(`${what}: armed again ${((performance.now() - since) / 1_000).toFixed(1)} s after it was back`)
    await stage.promisesKept()
    await tradesAgain(stage, what)
    return server
  }
  const code = await server.left(1_000)
  if (code === null) stage.problems.push(`${what}: the server neither came back nor left`)
  else told.push(`${what}: the server left with ${code} and was started again`)
  if (code === null) await server.end('SIGKILL')
  await delay(500)
  return again(stage)
}
