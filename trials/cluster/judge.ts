import { setTimeout as delay } from 'node:timers/promises'
import { verifyAll } from '@digger/app'
import { type Db, openBeside } from '@digger/database'
import { findUserByEmail } from '@digger/identity'
import { demoCredentials } from '@digger/kis-sim'
import { disagreements } from '../agreement/agreement.ts'
import { readBook } from '../agreement/book.ts'
import { duplicateOrders } from '../crash/duplicate-orders.ts'
import type { Cluster } from './cluster.ts'
import { CASH_WON } from './market-message.ts'
import { personOf } from './person.ts'

export interface Verdict {
  readonly problems: readonly string[]
  /** As the exchange took them, changes and cancellations not counted. */
  readonly orders: number
  readonly fills: number
  readonly cancelled: number
  /** Orders that never reached the exchange and wait for that to be certain: two minutes after a takeover. */
  readonly pending: number
}

interface AccountVerdict extends Verdict {
  readonly account: number
}

export interface Leniency {
  /** Whether orders that are in no list of the exchange's may wait for their verdict still. */
  readonly mayPend: boolean
}

const LOOK_INTERVAL_MS = 1_000
const PENDING = /^order \d+ is unknown without a number$/

/** Waits until every account's book says what the exchange says. What still differs after so long is for `judge` to tell. */
export async function settle(cluster: Cluster, timeoutMs: number, leniency: Leniency): Promise<number> {
  const began = performance.now()
  const beside = await openBeside(cluster.primary.url, { writing: false })
  let left = everybody(cluster)
  // Twice in a row, each time everybody: what was decided at the last price may be on its way in the first look.
  let agreed = 0
  while (agreed < 2 && performance.now() - began < timeoutMs) {
    await delay(LOOK_INTERVAL_MS)
    const looked = left.length
    const verdicts = await judgeAccounts(beside.db, cluster, left, leniency).catch(() => null)
    if (verdicts === null) continue
    left = verdicts.filter(({ problems }) => problems.length > 0).map(({ account }) => account)
    if (left.length > 0) agreed = 0
    else {
      if (looked === cluster.size.accounts) agreed += 1
      left = everybody(cluster)
    }
  }
  await beside.close()
  return performance.now() - began
}

/** Holds every account against the exchange's own list, and every book against its journal; no member may run. */
export async function judge(cluster: Cluster, leniency: Leniency): Promise<Verdict> {
  const beside = await openBeside(cluster.primary.url, { writing: false })
  try {
    const verdicts = await judgeAccounts(beside.db, cluster, everybody(cluster), leniency)
    const { ok, lines } = await verifyAll(beside.db)
    const sum = (of: (verdict: Verdict) => number): number => verdicts.reduce((total, one) => total + of(one), 0)
    return {
      problems: [...verdicts.flatMap(({ problems }) => problems), ...(ok ? [] : lines)],
      orders: sum(({ orders }) => orders),
      fills: sum(({ fills }) => fills),
      cancelled: sum(({ cancelled }) => cancelled),
      pending: sum(({ pending }) => pending),
    }
  } finally {
    await beside.close()
  }
}

const everybody = ({ size }: Cluster): number[] => Array.from({ length: size.accounts }, (_, n) => n)

async function judgeAccounts(
  db: Db,
  { broker }: Cluster,
  accounts: readonly number[],
  { mayPend }: Leniency,
): Promise<AccountVerdict[]> {
  const verdicts: AccountVerdict[] = []
  for (const account of accounts) {
    const { email } = personOf(account)
    const user = await findUserByEmail(db, email)
    if (!user) throw new Error(`${email} is gone`)
    // The book first: what the exchange takes meanwhile is then a difference that the next look settles.
    const book = await readBook(db, user.id)
    const lots = await db.selectFrom('order_lot').selectAll().where('user_id', '=', user.id).execute()
    const truth = await broker.truth(demoCredentials(account).accountNumber, CASH_WON)
    const differences = disagreements(book, truth)
    const pending = mayPend ? differences.filter((one) => PENDING.test(one)) : []
    const problems = differences.filter((one) => !pending.includes(one))
    verdicts.push({
      account,
      problems: [...problems, ...duplicateOrders(truth.events, book.orders, lots)].map((text) => `${email}: ${text}`),
      orders: truth.orders.filter(({ change }) => change === null).length,
      fills: truth.events.filter(({ kind }) => kind === 'filled').length,
      cancelled: truth.orders.filter(({ change }) => change === 'cancel').length,
      pending: pending.length,
    })
  }
  return verdicts
}
