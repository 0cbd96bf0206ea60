/** P17: ten thousand accounts want to buy at one tick. All of it through the committer, and each by itself. */
import { deepStrictEqual } from 'node:assert/strict'
import { emptyBook, evolve, type Book, type Fact, type Order } from '@digger/core'
import { Committer, changesOf, writeChanges } from '@digger/storage'
import { KERNEL_LEASE } from '@digger/database'
import { interleaved, median, ratios, printFigure } from './measure.ts'
import { addUsers, benchDatabase, type BenchDatabase } from './postgres.ts'

const ACCOUNTS = 10_000
/** One by one, only so many are committed: all of them would take minutes. */
const SAMPLE = 400
const ROUNDS = 5
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

/** How long one intent takes, ms. */
async function timed(count: number, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / count
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
  const perSecond = (name: string) => Math.round(1_000 / median(times[name] ?? []))
  console.log(`    intents a second: one by one ${perSecond('single')}, batched ${perSecond('batched')}`)
}

for (const want of ['postgres', 'embedded'] as const) {
  await using database = await benchDatabase(want)
  if (database.kind !== want) console.log(`    no PostgreSQL on this machine: only the embedded engine was measured`)
  else await bench(database)
}
