import { cashFlow, kstDay, stockBuyAmount } from '@digger/core'
import type { KisBalance } from '@digger/kis'
import { LRUCache } from 'lru-cache'
import type { Clock, Db, MoneyDayRow } from '@digger/database'
import type { AccountsObserver, Accounts } from '@digger/engine'
import type { LiveSource } from '../live/live.ts'
import { Cash } from './cash.ts'

/** One reading serves a screen and its neighbours; the broker counts every call. */
const FRESH_MS = 5_000
/** Users whose last reading is held; another one's costs a call of the broker. */
const MAX_READINGS = 10_000
/** How long a screen waits for the broker's first figure; the reading goes on and serves the next screen. */
const FIRST_TIMEOUT_MS = 2_500
/** The same once a deposit is known: it follows what is booked, so a new figure only matters where money came or went elsewhere. */
const KNOWN_TIMEOUT_MS = 250

export interface BalanceDeps {
  readonly db: Db
  readonly clock: Clock
  readonly wall: Clock
  readonly accounts: Accounts
  /** Browsers are sent an event when a reading brings another deposit than the screens have. */
  readonly live: Pick<LiveSource, 'publish'>
  readonly failed: (userId: string, error: unknown) => void
}

/** The broker's balance, read at most once per few seconds and user; each reading refreshes today's money entry. */
export class BrokerBalances implements AccountsObserver {
  readonly #db: Db
  readonly #clock: Clock
  readonly #wall: Clock
  readonly #accounts: Accounts
  readonly #live: Pick<LiveSource, 'publish'>
  readonly #failed: (userId: string, error: unknown) => void
  readonly #readings: LRUCache<string, Promise<KisBalance>>
  readonly #cash = new Cash()
  /** What the accounts' own readings brought last, with the cash flow of the book that it contains. */
  readonly #compared = new Map<string, { readonly deposit: number; readonly flow: number; readonly day: string }>()

  constructor({ db, clock, wall, accounts, live, failed }: BalanceDeps) {
    this.#db = db
    this.#clock = clock
    this.#wall = wall
    this.#accounts = accounts
    this.#live = live
    this.#failed = failed
    this.#readings = new LRUCache({ max: MAX_READINGS, ttl: FRESH_MS, ttlResolution: 0, perf: clock })
    accounts.observe(this)
  }

  /** The account's own reading; the book does not depend on the entry, so a failure is logged and mended by the next reading. */
  balanceRead(userId: string, deposit: number): void {
    const now = this.#clock.now()
    const book = this.#accounts.book(userId)
    const stockBuy = stockBuyAmount(book)
    this.#compared.set(userId, { deposit, flow: cashFlow(book), day: book.day })
    putMoneyDay(this.#db, userId, kstDay(now), { deposit, stockBuy, now }).catch((error: unknown) =>
      this.#failed(userId, error),
    )
  }

  /** The broker's balance of now or a few seconds ago. Throws what the broker throws, and NEED_USERKEY. */
  read(userId: string): Promise<KisBalance> {
    const known = this.#readings.get(userId)
    if (known) return known
    const balance = this.#fetch(userId)
    this.#readings.set(userId, balance)
    balance.catch(() => this.#readings.delete(userId))
    return balance
  }

  /** The cash that goes with the book's lots, as far as it is known here: nobody is asked. */
  lastDeposit(userId: string): number | null {
    const book = this.#accounts.book(userId)
    const compared = this.#compared.get(userId)
    const known = this.#cash.of(userId, book)
    if (known !== null || compared === undefined) return known
    return compared.deposit + (compared.day === book.day ? cashFlow(book) - compared.flow : 0)
  }

  /**
   * The cash that goes with the book's lots; the last entry's where the broker gave none yet, null without either. An old
   * reading is refreshed first: that asks the broker and writes today's money entry.
   */
  async refreshDeposit(userId: string): Promise<number | null> {
    const known = this.#cash.of(userId, this.#accounts.book(userId)) !== null
    if (this.#accounts.unlocked(userId))
      await this.#settled(this.read(userId), known ? KNOWN_TIMEOUT_MS : FIRST_TIMEOUT_MS)
    const deposit = this.#cash.of(userId, this.#accounts.book(userId))
    return deposit ?? (await lastMoneyDay(this.#db, userId))?.deposit_amount ?? null
  }

  /** Resolves with the reading, with its failure, or without it after the timeout. */
  #settled(reading: Promise<KisBalance>, timeoutMs: number): Promise<unknown> {
    const late = Promise.withResolvers<void>()
    const stop = this.#wall.after(timeoutMs, late.resolve)
    return Promise.race([reading.catch(() => null), late.promise]).finally(stop)
  }

  async #fetch(userId: string): Promise<KisBalance> {
    const balance = await this.#accounts.kis(userId).balance()
    const now = this.#clock.now()
    const book = this.#accounts.book(userId)
    const before = this.#cash.of(userId, book)
    this.#cash.receive(userId, book, balance, now)
    const deposit = this.#cash.of(userId, book) ?? balance.depositAmount
    if (before !== null && before !== deposit) this.#live.publish(userId, { kind: 'deposit' })
    await putMoneyDay(this.#db, userId, kstDay(now), { deposit, stockBuy: stockBuyAmount(book), now })
    return balance
  }
}

export async function putMoneyDay(
  db: Db,
  userId: string,
  day: string,
  { deposit, stockBuy, now }: { deposit: number; stockBuy: number; now: number },
): Promise<void> {
  const amounts = { deposit_amount: deposit, stock_buy_amount: stockBuy, updated_at: now }
  await db
    .insertInto('money_day')
    .columns(['user_id', 'day', 'deposit_amount', 'stock_buy_amount', 'updated_at', 'bank_balance'])
    .expression((from) =>
      from
        .selectFrom('users')
        .select((column) => [
          column.val(userId).as('user_id'),
          column.val(day).as('day'),
          column.cast<number>(column.val(deposit), 'bigint').as('deposit_amount'),
          column.cast<number>(column.val(stockBuy), 'bigint').as('stock_buy_amount'),
          column.cast<number>(column.val(now), 'bigint').as('updated_at'),
          'bank_balance',
        ])
        .where('id', '=', userId),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'day'])
        .doUpdateSet((put) => ({ ...amounts, bank_balance: put.ref('excluded.bank_balance') })),
    )
    .execute()
}

const lastMoneyDay = (db: Db, userId: string): Promise<MoneyDayRow | undefined> =>
  db
    .selectFrom('money_day')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The entries of the days, newest first. */
export const moneyDays = (db: Db, userId: string, from: string, to: string): Promise<MoneyDayRow[]> =>
  db
    .selectFrom('money_day')
    .selectAll()
    .where('user_id', '=', userId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day', 'desc')
    .execute()

/** Money the user keeps elsewhere; today's entry follows at once. */
export async function setBankBalance(db: Db, userId: string, day: string, amount: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('users').set({ bank_balance: amount }).where('id', '=', userId).execute()
    await trx
      .updateTable('money_day')
      .set({ bank_balance: amount })
      .where('user_id', '=', userId)
      .where('day', '=', day)
      .execute()
  })
}
