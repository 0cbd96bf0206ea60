import { setTimeout as delay } from 'node:timers/promises'
import type { Child } from '../crash/child.ts'
import type { Stage } from '../crash/stage.ts'
import { ownPostgres, postgresMissing } from './database-operator.ts'
import {
  restartTrading,
  armedWithin,
  startTrading,
  finish,
  takenBetween,
  checkTradesAgain,
  type FaultInjection,
} from './fault-injection.ts'
import { seconds } from './waiting.ts'

/** An order whose row was durable before may still be on its way, ms. */
const ON_ITS_WAY_MS = 3_000
const GONE_MS = 15_000
const FROZEN_MS = 40_000
const RECOVERY_TIMEOUT_MS = 60_000

/** PostgreSQL stops at once, as in a power cut; later it stands still without any answer. Nothing may be traded meanwhile. */
export const databaseGone: FaultInjection = {
  name: 'a database gone for a while',
  missing: postgresMissing,
  async run({ open }) {
    await using postgres = await ownPostgres()
    const stage = await open({ DATABASE_URL: await postgres.newDatabase() })
    let server = await startTrading(stage)
    const report: string[] = []

    await postgres.crash()
    await quietFor(stage, GONE_MS, 'the database was gone')
    await postgres.start()
    server = await recoverOrRestart(stage, server, `gone for ${GONE_MS / 1_000} s`, report)

    postgres.freeze()
    await quietFor(stage, FROZEN_MS, 'the database stood still')
    postgres.thaw()
    server = await recoverOrRestart(stage, server, `stood still for ${FROZEN_MS / 1_000} s`, report)

    await finish(stage, server)
    return report
  },
}

async function quietFor(stage: Stage, ms: number, what: string): Promise<void> {
  const from = Date.now() + ON_ITS_WAY_MS
  // People go on meanwhile; nothing the server confirms to them may turn out to be untrue.
  await stage.work(ms)
  const taken = await takenBetween(stage, from, Date.now())
  if (taken > 0) stage.problems.push(`${taken} orders reached the broker while ${what}`)
}

async function recoverOrRestart(stage: Stage, server: Child, what: string, report: string[]): Promise<Child> {
  const since = performance.now()
  if (await armedWithin(stage, server, RECOVERY_TIMEOUT_MS)) {
    report.push(`${what}: armed again ${seconds(performance.now() - since)} after it was back`)
    await stage.checkPromises()
    await checkTradesAgain(stage, what)
    return server
  }
  const code = await server.exitCodeWithin(1_000)
  if (code === null) stage.problems.push(`${what}: the server neither came back nor left`)
  else report.push(`${what}: the server left with ${code} and was started again`)
  if (code === null) await server.end('SIGKILL')
  await delay(500)
  return restartTrading(stage)
}
