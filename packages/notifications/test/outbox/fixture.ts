import { createHash } from 'node:crypto'
import type { ClosedTrade, Fact } from '@digger/core'
import { type Db, shardOf } from '@digger/database'
import { sql } from 'kysely'
import { addChannel, type Address } from '../../src/outbox/addresses.ts'

/** The same in every process of a test. */
export const KEY = createHash('sha256').update('key of the tests').digest()
export const NOW = Date.parse('2026-11-16T10:00:00+09:00')
export const CODE = '005930'
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

/** Sixteen letters, as every user's id. */
const idOf = (n: number): string =>
  Array.from(String(n).padStart(16, '0'), (digit) => 'abcdefghij'.charAt(Number(digit))).join('')
let users = 0
const takenShards = new Set<number>()

type FilledFact = Extract<Fact, { kind: 'orderFilled' }>

/** A user with an account, alone in its shard, so that the tests of a file do not meet in one database. */
export class TestAccount {
  readonly id: string
  readonly shards: readonly number[]
  readonly #db: Db
  #seq = 0

  private constructor(db: Db, id: string) {
    this.#db = db
    this.id = id
    this.shards = [shardOf(id)]
  }

  static async add(db: Db, { admin = false } = {}): Promise<TestAccount> {
    let id = idOf(++users)
    while (takenShards.has(shardOf(id))) id = idOf(++users)
    takenShards.add(shardOf(id))
    await sql`insert into users (id, email, password_hash, digger_admin, account_masked, account_mark, created_at)
      values (${id}, ${`${id}@digger.test`}, 'x', ${admin}, '****1234', ${Buffer.from(id)}, 0)`.execute(db)
    await sql`insert into account (user_id, day, stop, next_order_id, next_lot_id, seq) values (${id}, '20261116', 'active', 1, 1, 0)`.execute(
      db,
    )
    return new TestAccount(db, id)
  }

  /** One that another process has added. */
  static async find(db: Db, id: string): Promise<TestAccount> {
    const account = new TestAccount(db, id)
    const { seq } = await db.selectFrom('account').select('seq').where('user_id', '=', id).executeTakeFirstOrThrow()
    account.#seq = seq
    return account
  }

  get seq(): number {
    return this.#seq
  }

  async stock(code = CODE, name = '삼성전자'): Promise<void> {
    await sql`
      insert into stock (user_id, code, name, market, kind, nxt, settings, stop, price_subscribed, acc_gain_amount, rejects, version, updated_at, kept)
      values (${this.id}, ${code}, ${name}, 'KOSPI', 'stock', false, '{}', 'active', false, 0, 0, 1, 0, 0)`.execute(
      this.#db,
    )
  }

  /** Orders `from` to `to`, each of a thousand shares. */
  async orders(
    from: number,
    to = from,
    { side = 'buy', code = CODE }: { side?: 'buy' | 'sell'; code?: string } = {},
  ): Promise<void> {
    await sql`
      insert into account_order (user_id, id, code, side, origin, type, price, count, venue, session, status, live, day, odno,
        filled_count, filled_amount, reserved_price, created_at, updated_at, why, cancel_asked)
      select ${this.id}, n, ${code}, ${side}, 'auto', 'limit', 100, 1000, 'KRX', 'regular', 'filled', false, '20261116', n::text,
        0, 0, 0, 0, 0, '', false
      from generate_series(${from}::bigint, ${to}::bigint) n`.execute(this.#db)
  }

  /** Facts become rows of the journal as an account writes them: all of one step in one statement. */
  async write(...facts: readonly Fact[]): Promise<void> {
    const rows = facts.map((fact, index) => ({ seq: this.#seq + 1 + index, at: fact.at, fact }))
    const { rows: written } = await sql`
      with a as (update account set seq = seq + ${facts.length} where user_id = ${this.id} and seq = ${this.#seq} returning user_id)
      insert into journal (user_id, seq, at, fact)
      select a.user_id, r.* from a cross join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (seq bigint, at bigint, fact jsonb)
      returning seq`.execute(this.#db)
    if (written.length !== facts.length) throw new Error('somebody else writes this account')
    this.#seq += facts.length
  }

  /** A new order that fills whole, in one step. */
  async buy(order: number, count: number, amount = 100 * count, code = CODE): Promise<void> {
    await this.orders(order, order, { code })
    await this.write(filled(order, count, amount))
  }

  /** Added long ago: what that was worth a message is over. */
  async channel(name = 'a', { amounts = true } = {}): Promise<void> {
    const address: Address = { kind: 'webhook', url: `https://${name}.example/${this.id}`, template: 'json' }
    await addChannel(this.#db, KEY, this.id, { address, label: name, amounts }, NOW)
    await sql`delete from notification where user_id = ${this.id} and kind = 'channelAdded'`.execute(this.#db)
  }

  async texts(): Promise<string[]> {
    const { rows } = await sql<{ text: string }>`
      select text from notification where user_id = ${this.id} order by id`.execute(this.#db)
    return rows.map(({ text }) => text)
  }

  /** Waiting, sent, dropped and whether it was taken, each bundle of a channel in its order. */
  async deliveries(label = 'a'): Promise<{ bundleId: string; state: string; tries: number; note: string | null }[]> {
    const { rows } = await sql<{ bundleId: string; state: string; tries: number; note: string | null }>`
      select d.bundle_id as "bundleId", d.state, d.tries, d.note from notification_delivery d
        join notification_channel c on c.id = d.channel_id
      where d.user_id = ${this.id} and c.label = ${label} order by d.place`.execute(this.#db)
    return rows
  }

  async states(label = 'a'): Promise<string> {
    const counts = new Map<string, number>()
    for (const { state } of await this.deliveries(label)) counts.set(state, (counts.get(state) ?? 0) + 1)
    return [...counts].map(([state, count]) => `${count} ${state}`).join(', ')
  }
}

export const filled = (orderId: number, count: number, amount = 100 * count, at = NOW): FilledFact => ({
  kind: 'orderFilled',
  orderId,
  count,
  amount,
  at,
})

export function sold(count: number, gain = 0, code = CODE): Fact {
  const buyAmount = 100 * count
  const bought = { id: 1, code, count, buyPrice: 100, buyAmount, boughtAt: 0 }
  const trade: ClosedTrade = {
    ...bought,
    sellPrice: 100,
    sellAmount: buyAmount + gain,
    soldAt: 0,
    day: '20261116',
    fee: 0,
    tax: 0,
  }
  return { kind: 'lotSold', lotId: 1, trade, at: NOW }
}

/** A fact that nobody is told of. */
export const other = (at = NOW): Fact => ({ kind: 'userStopped', stop: 'active', at })
