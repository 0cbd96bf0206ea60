import type { Client } from 'pg'
import type { Child } from '../crash/child.ts'
import type { Stage } from '../crash/stage.ts'
import { DatabaseOperator, postgresMissing } from './database-operator.ts'
import { startTrading, finish, takenBetween, type FaultInjection } from './fault-injection.ts'
import { seconds, timeUntil } from './waiting.ts'

const HELD_MS = 20_000
/** An order that left in the turn before the cut reaches the broker's log this much later at most, ms. */
const ON_ITS_WAY_MS = 1_500
const TRADE_TIMEOUT_MS = 60_000
const QUEUE_TIMEOUT_MS = 5_000

/** The connection that holds the lock of the one engine is cut, and somebody else has the lock for a while. */
export const stolenLock: FaultInjection = {
  name: 'a stolen lock',
  missing: postgresMissing,
  async run({ open }) {
    await using operator = await DatabaseOperator.open()
    const stage = await open({ DATABASE_URL: operator.url })
    const server = await startTrading(stage)
    const thief = await operator.session()
    const key = await steal(operator, thief)
    const stolenAt = Date.now()
    await stage.work(HELD_MS)
    const sent = await takenBetween(stage, stolenAt + ON_ITS_WAY_MS, Date.now())
    if (sent > 0) stage.problems.push(`${sent} orders in ${HELD_MS / 1_000} s without the lock`)
    await thief.query('select pg_advisory_unlock($1)', [key])
    const again = await tradesWithin(stage, server, TRADE_TIMEOUT_MS)
    if (again === null)
      stage.problems.push(`no order within ${TRADE_TIMEOUT_MS / 1_000} s after the lock was free again`)
    await finish(stage, server)
    return [
      `${sent} orders without the lock`,
      `an order ${again === null ? 'never' : seconds(again)} after it was free`,
    ]
  },
}

/** Stands in the queue for the lock before its holder is cut, so that nobody is quicker. Returns the lock's key. */
async function steal(operator: DatabaseOperator, thief: Client): Promise<string> {
  const locks = `select ((classid::bigint << 32) | objid::bigint)::text as key, pid from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
  const { rows } = await thief.query<{ key: string; pid: number }>(`${locks} and granted`)
  const [lock] = rows
  if (lock === undefined) throw new Error('the server holds no advisory lock')
  const observer = await operator.session()
  const taken = thief.query('select pg_advisory_lock($1)', [lock.key])
  const waits = await timeUntil(
    QUEUE_TIMEOUT_MS,
    async () => (await observer.query(`${locks} and not granted`)).rows.length > 0,
    50,
  )
  if (waits === null) throw new Error('nobody waits for the lock')
  await operator.cut(`pid = ${lock.pid}`)
  await taken
  return lock.key
}

async function tradesWithin(stage: Stage, server: Child, ms: number): Promise<number | null> {
  const from = Date.now()
  const traded = timeUntil(
    ms,
    async () => {
      await stage.work(1_000)
      return (await takenBetween(stage, from, Date.now())) > 0
    },
    0,
  )
  const took = await traded
  if (server.ended) throw new Error('the server left when its lock was stolen')
  return took
}
