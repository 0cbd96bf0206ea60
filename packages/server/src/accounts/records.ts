import { kstDay, type Book } from '@digger/core'
import type { KisExecution } from '@digger/kis'
import type { Db } from '../db/open.ts'
import type { OrderedRow } from '../db/tables.ts'

const keyOf = (row: { day: string; odno: string }): string => `${row.day} ${row.odno}`

/** Executed orders of one user as people look them up; the broker's list is copied as it is read, changes only. */
export class ExecutionRecord {
  readonly #userId: string
  readonly #db: Db
  /** Shares already written per order, so that reading the same list again writes nothing. */
  readonly #written = new Map<string, number>()

  constructor(userId: string, db: Db) {
    this.#userId = userId
    this.#db = db
  }

  async write(executions: readonly KisExecution[]): Promise<void> {
    const fresh = executions.filter(
      (row) => row.originalOdno === null && row.filledCount > (this.#written.get(keyOf(row)) ?? 0),
    )
    if (fresh.length === 0) return
    await writeOrdered(this.#db, this.#userId, fresh)
    for (const row of fresh) this.#written.set(keyOf(row), row.filledCount)
    this.#forgetOldDays(fresh[0]?.day ?? '')
  }

  #forgetOldDays(day: string): void {
    if (this.#written.size < 2_000) return
    for (const key of this.#written.keys()) if (!key.startsWith(day)) this.#written.delete(key)
  }
}

/** Idempotent by (day, order number): later readings of a growing order replace the earlier ones. */
export async function writeOrdered(db: Db, userId: string, executions: readonly KisExecution[]): Promise<void> {
  const rows = executions.filter((row) => row.filledCount > 0).map((row) => orderedRow(userId, row))
  if (rows.length === 0) return
  await db
    .insertInto('ordered')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'day', 'odno']).doUpdateSet((row) => ({
        count: row.ref('excluded.count'),
        amount: row.ref('excluded.amount'),
        venue: row.ref('excluded.venue'),
      })),
    )
    .execute()
}

const orderedRow = (userId: string, row: KisExecution): OrderedRow => ({
  user_id: userId,
  day: row.day,
  odno: row.odno,
  code: row.code,
  name: row.name,
  side: row.side,
  venue: row.venue,
  count: row.filledCount,
  amount: row.filledAmount,
  ordered_at: row.orderedAt,
})

/** The money entry of the KST day: made with the first balance of the day, refreshed with every later one. */
export async function writeMoneyDay(db: Db, userId: string, book: Book, deposit: number, now: number): Promise<void> {
  let stockBuyAmount = 0
  for (const stock of book.stocks.values()) for (const lot of stock.lots) stockBuyAmount += lot.buyAmount
  const user = await db.selectFrom('users').select('bank_balance').where('id', '=', userId).executeTakeFirst()
  if (user === undefined) return
  await db
    .insertInto('money_day')
    .values({
      user_id: userId,
      day: kstDay(now),
      deposit_amount: deposit,
      stock_buy_amount: stockBuyAmount,
      bank_balance: user.bank_balance,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'day']).doUpdateSet((row) => ({
        deposit_amount: row.ref('excluded.deposit_amount'),
        stock_buy_amount: row.ref('excluded.stock_buy_amount'),
        bank_balance: row.ref('excluded.bank_balance'),
        updated_at: row.ref('excluded.updated_at'),
      })),
    )
    .execute()
}
