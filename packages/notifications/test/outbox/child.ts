import { type Db, openDatabase } from '@digger/database'
import { sql } from 'kysely'
import { again, SENT, type Sent } from '../../src/channels/channel.ts'
import { filled, TestAccount } from './fixture.ts'
import { FACTOR, type Arrived, LoopProcess } from './loop-fixture.ts'
import { ScaledClock } from './scaled-clock.ts'

/**
 * Accounts that fill, and the process that tells of it, until it is killed or all is told. Each fill is one write of the account, as the
 * engine's; every third order fills in two parts.
 */
const [databaseUrl, dataDir = '', receiver = '', origin = '', fills = ''] = process.argv.slice(2)
const STOCKS = 20

const database = await openDatabase({ databaseUrl: databaseUrl || undefined, dataDir, lockWaitMs: 20_000 })
const { db } = database
const users = await db.selectFrom('account').select('user_id').orderBy('user_id').execute()
const accounts = await Promise.all(users.map(({ user_id: id }) => TestAccount.find(db, id)))
const shards = accounts.flatMap((account) => account.shards)
const one = new LoopProcess(database, shards, new ScaledClock(FACTOR, Number(origin)))
one.answer = post
one.run.start()
process.stdout.write('open\n')
await Promise.all(accounts.map(trade))
while (!(await isAllSent(db))) await one.clock.passed(5_000)
await one.run.stop()
await database.close()
process.stdout.write(`over, ${one.problems.map(String).join('; ') || 'no problems'}\n`)

async function post({ channel, id, userId, text }: Arrived): Promise<Sent> {
  const reply = await fetch(`${receiver}/${userId}/${channel}`, { method: 'POST', body: JSON.stringify({ id, text }) })
  return reply.ok ? SENT : again(String(reply.status))
}

/** 1, 2, 2, 3, 4, 4, … */
function orderOf(seq: number): number {
  return Math.floor((2 * (seq + 1)) / 3)
}

/** Goes on where the process before was killed. */
async function trade(account: TestAccount): Promise<void> {
  while (account.seq < Number(fills)) {
    const seq = account.seq + 1
    const order = orderOf(seq)
    const code = `0000${10 + (order % STOCKS)}`
    const isSecondPart = orderOf(seq - 1) === order
    // An order without a fill may have been left by the process before.
    await sql`delete from account_order where user_id = ${account.id} and id = ${order} and ${!isSecondPart}`.execute(
      db,
    )
    if (!isSecondPart) await account.orders(order, order, { code })
    const fact = filled(order, isSecondPart ? 12 : 5)
    await account.write(fact)
    one.changed(account, fact)
    if (seq % 25 === 0) process.stdout.write(`filled ${seq}\n`)
    await one.clock.passed(1_000)
  }
}

async function isAllSent(from: Db): Promise<boolean> {
  const { rows } = await sql<{ open: number }>`
    select (select count(*) from notification where state = 'waiting') + (select count(*) from notification_delivery where state = 'waiting')
      + (select count(*) from account a join notification_cursor c using (user_id) where a.seq > c.seq) as open`.execute(
    from,
  )
  return rows[0]?.open === 0
}
