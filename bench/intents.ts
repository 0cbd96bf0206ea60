/**
 * P17: ten thousand accounts want to buy at one tick. All of it through the committer, each by itself, and the same rows as
 * bare inserts: made beforehand, nothing compared, as many together.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { emptyBook, evolve, type Book, type Fact, type Order } from '@digger/core'
import { type Changes, Committer, changesOf, writeChanges } from '@digger/storage'
import { KERNEL_LEASE } from '@digger/database'
import { interleaved, median, ratios, printFigure, roundsOf } from './measure.ts'
import { addUsers, benchDatabase, type BenchDatabase } from './postgres.ts'

const ACCOUNTS = 10_000
/** One by one, only so many are committed: all of them would take minutes. */
const SAMPLE = 400
/** Accounts in one bare insert: as many as the committer writes together. */
const TOGETHER = 500
const ROUNDS = roundsOf(5)
const CODE = '005930'
const DAY = '20261120'
const AT = Date.parse('2026-11-20T10:00:00+09:00')

interface BenchAccount {
  readonly userId: string
  book: Book
  seq: number
  readonly epoch: number
}

const intent = (id: number): Order => ({
  id,
  code: CODE,
  side: 'buy',
  origin: 'auto',
  type: 'limit',
  price: 69_300,
  count: 2,
  venue: 'KRX',
  session: 'regular',
  lots: [{ lotId: id, count: 2 }],
  status: 'intended',
  day: DAY,
  odno: null,
  orgno: null,
  filledCount: 0,
  filledAmount: 0,
  reservedPrice: 69_300,
  createdAt: AT,
  updatedAt: AT,
  why: '현재가 69,300원이 다음 매수가 69,300원 이하입니다. 2주를 삽니다.',
  note: null,
  absentFrom: null,
  cancelAsked: false,
  cancelWanted: false,
})

function decide(account: BenchAccount, ...facts: readonly Fact[]) {
  account.book = facts.reduce((book, fact) => evolve(book, fact), account.book)
  const changes = changesOf(account.userId, account, facts, account.book)
  account.seq += facts.length
  return changes
}
const intendOrder = (account: BenchAccount) =>
  decide(account, { kind: 'orderIntended', at: AT, order: intent(account.book.nextOrderId) } as const)
/** Makes room for the next round: a stock has one live buy at most. */
const endOrder = (account: BenchAccount) =>
  decide(account, {
    kind: 'orderEnded',
    at: AT,
    orderId: account.book.nextOrderId - 1,
    end: 'notPlaced',
    note: null,
  } as const)

const together = (
  committer: Committer,
  accounts: readonly BenchAccount[],
  what: typeof intendOrder,
): Promise<unknown> => Promise.all(accounts.map((account) => committer.commit(what(account))))

const TYPES: Readonly<Record<string, string>> = {
  number: 'bigint',
  boolean: 'boolean',
  string: 'text',
  object: 'jsonb',
}

/** The rows of some intents in all tables but the account's own, a parameter for each column, in one statement. */
function bareInsert(batch: readonly Changes[]): { name: string; text: string; values: unknown[][] } {
  const values: unknown[][] = []
  const insert = (table: string, rows: readonly object[]): string => {
    // The intents are alike: what is null in one is null in all.
    const columns = Object.entries(rows[0] ?? {}).filter(([, value]) => value !== null)
    const parameters = columns.map(([name, value]) => {
      values.push(rows.map((row): unknown => Reflect.get(row, name)))
      return `$${values.length}::${TYPES[typeof value]}[]`
    })
    const names = columns.map(([name]) => name).join(', ')
    return `${table}_part as (insert into ${table} (${names}) select * from unnest(${parameters.join(', ')}))`
  }
  const parts = [
    insert(
      'journal',
      batch.flatMap(({ journal }) => journal),
    ),
    insert(
      'account_order',
      batch.flatMap(({ orders }) => orders),
    ),
    insert(
      'order_lot',
      batch.flatMap(({ orderLots }) => orderLots),
    ),
  ]
  return { name: 'bare', text: `with ${parts.join(', ')} select 1`, values }
}

/** How long one intent takes, ms. */
async function timed(count: number, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / count
}

async function bareTime(pool: BenchDatabase['pool'], accounts: readonly BenchAccount[]): Promise<number> {
  const changes = accounts.map(intendOrder)
  const statements = Array.from({ length: ACCOUNTS / TOGETHER }, (_, n) =>
    bareInsert(changes.slice(n * TOGETHER, (n + 1) * TOGETHER)),
  )
  const took = await timed(ACCOUNTS, async () => {
    for (const statement of statements) await pool.query(statement)
  })
  // The accounts' own rows follow, so that the next round may go on.
  await pool.query('update account set seq = seq + 1, next_order_id = next_order_id + 1, next_lot_id = $1', [
    changes[0]?.account.next_lot_id,
  ])
  return took
}

async function bench(database: BenchDatabase): Promise<void> {
  const { pool, kind } = database
  const committer = new Committer(pool, KERNEL_LEASE)
  const ids = await addUsers(database, ACCOUNTS)
  const accounts = ids.map((userId): BenchAccount => ({ userId, book: emptyBook(''), seq: 0, epoch: 0 }))
  await together(committer, accounts, (account) => decide(account, { kind: 'dayOpened', at: AT, day: DAY }))
  const live = async (): Promise<number> => {
    const { rows } = await pool.query<{ n: number }>(
      `select count(*)::int as n from account_order where live and status = 'intended' and price = 69300`,
    )
    return rows[0]?.n ?? 0
  }
  const sample = accounts.slice(0, SAMPLE)
  const times = await interleaved(
    {
      batched: async () => {
        const took = await timed(ACCOUNTS, () => together(committer, accounts, intendOrder))
        deepStrictEqual(await live(), ACCOUNTS)
        await together(committer, accounts, endOrder)
        return took
      },
      bare: async () => {
        const took = await bareTime(pool, accounts)
        deepStrictEqual(await live(), ACCOUNTS)
        await together(committer, accounts, endOrder)
        return took
      },
      single: async () => {
        const took = await timed(SAMPLE, async () => {
          for (const account of sample) await writeChanges(pool, [intendOrder(account)])
        })
        deepStrictEqual(await live(), SAMPLE)
        await together(committer, sample, endOrder)
        return took
      },
    },
    ROUNDS,
  )
  const goal = kind === 'postgres' ? '≥ 50' : 'none'
  printFigure(`P17 10,000 intents, one by one / batched, ${kind}`, ratios(times['single'], times['batched']), goal)
  const label = `P17 a bare multi-row insert of the same rows / batched, ${kind}`
  printFigure(label, ratios(times['bare'], times['batched']), kind === 'postgres' ? '≥ 0.5' : 'none')
  const perSecond = (name: string) => Math.round(1_000 / median(times[name] ?? []))
  console.log(
    `    intents a second: one by one ${perSecond('single')}, batched ${perSecond('batched')}, bare ${perSecond('bare')}`,
  )
}

for (const want of ['postgres', 'embedded'] as const) {
  await using database = await benchDatabase(want)
  if (database.kind !== want) console.log(`    no PostgreSQL on this machine: only the embedded engine was measured`)
  else await bench(database)
}
