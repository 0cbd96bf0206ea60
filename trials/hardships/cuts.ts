import { setTimeout as delay } from 'node:timers/promises'
import type { Child } from '../crash/child.ts'
import type { Stage } from '../crash/stage.ts'
import { DatabaseOperator, postgresMissing } from './database-operator.ts'
import {
  restartTrading,
  armedWithin,
  startTrading,
  finish,
  checkTradesAgain,
  type FaultInjection,
  writeMasterKey,
} from './fault-injection.ts'
import { seconds } from './waiting.ts'

const CUTTING_MS = 60_000
const MIN_CUTS = 200
const CUT_INTERVAL_MS = 120
const RECOVERY_TIMEOUT_MS = 60_000

/** Database connections end at random while it trades, many of them in the middle of a transaction: none may end the process. */
export const cuts: FaultInjection = {
  name: 'cuts of database connections',
  missing: postgresMissing,
  async run({ folder, open }) {
    await using operator = await DatabaseOperator.open()
    const stage = await open({ DATABASE_URL: operator.url, MASTER_KEY_FILE: writeMasterKey(folder) })
    let server = await startTrading(stage)
    let count = 0
    let deaths = 0
    const until = performance.now() + CUTTING_MS
    while (performance.now() < until || count < MIN_CUTS) {
      count += await cutUntil(stage, server, operator, until)
      if (!server.ended) continue
      deaths += 1
      server = await restartTrading(stage)
    }
    if (deaths > 0) stage.problems.push(`${deaths} deaths of the process in ${count} cut connections`)
    const since = performance.now()
    if (!(await armedWithin(stage, server, RECOVERY_TIMEOUT_MS)))
      stage.problems.push(`after ${count} cut connections not armed within ${RECOVERY_TIMEOUT_MS / 1_000} s`)
    const back = performance.now() - since
    await checkTradesAgain(stage, 'after the cuts')
    await finish(stage, server)
    return [`${count} connections cut, ${deaths} deaths, armed ${seconds(back)} after the last one`]
  },
}

/** Until the time is over and enough was cut, or the server has died. Returns how many were cut. */
async function cutUntil(stage: Stage, server: Child, operator: DatabaseOperator, until: number): Promise<number> {
  let count = 0
  const over = (): boolean => server.ended || (performance.now() >= until && count >= 1)
  const working = stage.work(Math.max(1_000, until - performance.now()))
  while (!over()) {
    // Between two queries of a transaction nobody waits for an answer: there an error finds no listener most easily.
    count += (await operator.cut("state = 'idle in transaction'", 2)) || (await operator.cut('true', 1))
    await delay(CUT_INTERVAL_MS)
  }
  await working
  return count
}
