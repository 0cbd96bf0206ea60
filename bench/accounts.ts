/**
 * P25: reading the accounts of a whole server at its start, 40 stocks with 3 open lots each: CPU time of the process and
 * heap an account, against the same rows fetched and thrown away, and against accounts read one by one.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { realClock } from '@digger/database'
import { SETTINGS } from '@digger/engine/testing'
import { AccountReader, loadOrCreate, type Loaded } from '@digger/storage'
import { interleaved, median, printFigure, ratios, roundsOf } from './measure.ts'
import { addUsers, benchDatabase, type BenchDatabase } from './postgres.ts'

/** So many are read, and told for 10,000: each hundred is read by itself. */
const ACCOUNTS = 2_000
const TOLD = 10_000
const STOCKS = 40
const LOTS = 3
/** One by one, only so many are read. */
const SAMPLE = 100
const ROUNDS = roundsOf(3)
/** Accounts filled in one statement: a statement may take 30 s. */
const SLICE = 1_000
/** Rows fetched in one question, as the reader does. */
const TOGETHER = 100

/** Each stock has three lots, and a sale of its newest rests. */
async function fill({ pool }: BenchDatabase, ids: readonly string[]): Promise<void> {
  const stockOf = `lpad((5930 + s)::text, 6, '0')`
  for (const [table, columns, rows] of [
    [
      'account',
      'user_id, day, stop, next_order_id, next_lot_id, seq, epoch',
      `select who, '20261120', 'active', ${STOCKS + 1}, ${STOCKS * LOTS + 1}, 900, shard.epoch
       from unnest($1::text[]) as who join shard on shard.id = shard_of(who)`,
    ],
    [
      'stock',
      'user_id, code, name, market, kind, nxt, settings, stop, kept, price_subscribed, acc_gain_amount, rejects, version, updated_at, checked_at',
      `select id, ${stockOf}, '삼성전자' || s, 'KOSPI', 'stock', true, '${JSON.stringify(SETTINGS)}', 'active', 0, true,
         s * 12345, 0, s, 1795140000000 + s, 1795140000000
       from unnest($1::text[]) as id, generate_series(1, ${STOCKS}) s`,
    ],
    [
      'trade',
      'user_id, id, code, count, buy_price, buy_amount, bought_at, buy_order_id, held_back, taken_over, by_person, bought_before, closed',
      `select id, (s - 1) * ${LOTS} + l, ${stockOf}, 2 + l, 70000 - 700 * l, (2 + l) * (70000 - 700 * l),
         1795140000000 + s * 1000 + l, null, false, false, false, 0, false
       from unnest($1::text[]) as id, generate_series(1, ${STOCKS}) s, generate_series(1, ${LOTS}) l`,
    ],
    [
      'account_order',
      `user_id, id, code, side, origin, type, price, count, venue, session, status, live, day, odno, orgno, filled_count,
       filled_amount, reserved_price, created_at, updated_at, why, cancel_asked`,
      `select id, s, ${stockOf}, 'sell', 'auto', 'limit', 69500, 5, 'KRX', 'regular', 'open', true, '20261120',
         lpad(s::text, 10, '0'), '91252', 0, 0, 0, 1795140000000, 1795140000000,
         '목표가 69,500원에 5주를 걸어 둡니다.', false
       from unnest($1::text[]) as id, generate_series(1, ${STOCKS}) s`,
    ],
    [
      'order_lot',
      'user_id, order_id, position, lot_id, count, live',
      `select id, s, 0, s * ${LOTS}, 5, true from unnest($1::text[]) as id, generate_series(1, ${STOCKS}) s`,
    ],
  ] as const) {
    for (let from = 0; from < ids.length; from += SLICE)
      await pool.query(`insert into ${table} (${columns}) ${rows}`, [ids.slice(from, from + SLICE)])
    await pool.query(`analyze ${table}`)
  }
}

/** The rows of each table as the driver makes them, not looked at. */
async function fetched({ pool }: BenchDatabase, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += TOGETHER) {
    const some = [ids.slice(from, from + TOGETHER)]
    await pool.query('select * from account where user_id = any($1)', some)
    await pool.query('select * from stock where user_id = any($1)', some)
    await pool.query('select * from trade where user_id = any($1) and not closed', some)
    await pool.query('select * from account_order where user_id = any($1) and live', some)
    await pool.query('select * from order_lot where user_id = any($1) and live', some)
  }
}

/** CPU time of the whole process, collector included, s for 10,000 accounts. */
async function cpuOf(accounts: number, work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return ((user + system) / 1e6) * (TOLD / accounts)
}

setFlagsFromString('--expose-gc')
const collect = (): void => void runInNewContext('gc()')

await using database = await benchDatabase()
if (database.kind !== 'postgres')
  console.log('    no PostgreSQL on this machine: only the embedded engine was measured')
const ids = await addUsers(database, ACCOUNTS)
await fill(database, ids)
const reader = new AccountReader(database, realClock)

function failed(userId: string, error: unknown): never {
  throw new Error(userId, { cause: error })
}

async function all(): Promise<Map<string, Loaded>> {
  const loaded = new Map<string, Loaded>()
  for await (const [userId, account] of reader.loadAll(ids, failed)) loaded.set(userId, account)
  strictEqual(loaded.size, ACCOUNTS)
  return loaded
}
for (const [userId, bulk] of [...(await all())].filter((_, index) => index % 397 === 0)) {
  deepStrictEqual(bulk, await loadOrCreate(database, userId, 0))
  strictEqual([...bulk.book.stocks.values()].flatMap(({ lots }) => lots).length, STOCKS * LOTS)
}

collect()
const empty = process.memoryUsage().heapUsed
const kept = await all()
collect()
const heap = (process.memoryUsage().heapUsed - empty) / kept.size / 1024
kept.clear()

const times = await interleaved(
  {
    bulk: () => cpuOf(ACCOUNTS, all),
    fetched: () => cpuOf(ACCOUNTS, () => fetched(database, ids)),
    single: () =>
      cpuOf(SAMPLE, async () => {
        for (const userId of ids.slice(0, SAMPLE)) await reader.load(userId)
      }),
  },
  ROUNDS,
)
printFigure(`P25 10,000 accounts read in bulk, CPU-s, ${database.kind}`, times['bulk'] ?? [], '≤ 6')
printFigure('P25 the same, in bulk / rows fetched and thrown away', ratios(times['bulk'], times['fetched']))
printFigure('P25 the same, one by one / in bulk', ratios(times['single'], times['bulk']))
printFigure('P25 heap of an account with 40 stocks and 120 lots, KB', [heap], '≤ 40')
console.log(`    CPU-s one by one: ${median(times['single'] ?? []).toFixed(1)}`)
