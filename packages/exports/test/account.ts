import { kstInstant } from '@digger/core'
import type { Db, OrderRow } from '@digger/database'
import { sql } from 'kysely'
import type { LotRow } from '../src/tables/lots.ts'
import { NAMES } from './lots.ts'

/** Of `shardOf` and the users' table: sixteen letters. */
export const ME = 'aaaaaaaaaaaaaaaa'
export const OTHER = 'bbbbbbbbbbbbbbbb'

/** An account with its stocks and nothing else. */
export async function addAccount(db: Db, userId = ME): Promise<void> {
  await db
    .insertInto('users')
    .values({
      id: userId,
      email: `${userId}@digger.test`,
      password_hash: 'x',
      digger_admin: false,
      account_masked: '****1234',
      account_mark: Buffer.from(userId),
      bank_balance: 0,
      created_at: 0,
      password_ends_at: null,
    })
    .execute()
  await sql`insert into account (user_id, day, stop, next_order_id, next_lot_id, seq) values (${userId}, '20261120', 'active', 1, 1, 0)`.execute(
    db,
  )
  for (const [code, name] of Object.entries(NAMES))
    await sql`
      insert into stock (user_id, code, name, market, kind, nxt, settings, stop, price_subscribed, acc_gain_amount, rejects, version, updated_at, kept)
      values (${userId}, ${code}, ${name}, 'KOSPI', ${code === '069500' ? 'etf' : 'stock'}, true, '{}'::jsonb, 'active', true, 0, 0, 1, 0, 0)`.execute(
      db,
    )
}

export async function addLots(db: Db, lots: readonly LotRow[]): Promise<void> {
  for (const { name: _name, trade: _trade, ...row } of lots)
    await db
      .insertInto('trade')
      .values({ ...row, user_id: ME })
      .execute()
}

export type GivenOrder = Partial<OrderRow> & Pick<OrderRow, 'id' | 'day'>

/** A filled buy of two shares for 140,000 won, unless said otherwise. */
export async function addOrder(db: Db, { id, day, ...given }: GivenOrder): Promise<void> {
  const at = Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T10:00:00+09:00`)
  await db
    .insertInto('account_order')
    .values({
      user_id: ME,
      id,
      code: '005930',
      side: 'buy',
      origin: 'auto',
      type: 'limit',
      price: 70_000,
      count: 2,
      venue: 'KRX',
      session: 'regular',
      status: 'filled',
      live: false,
      day,
      odno: String(id).padStart(10, '0'),
      orgno: '06010',
      filled_count: 2,
      filled_amount: 140_000,
      reserved_price: 0,
      created_at: at,
      updated_at: at,
      why: '기준가보다 1.00% 낮아 샀습니다.',
      note: null,
      absent_from: null,
      cancel_asked: false,
      cancel_wanted: false,
      ...given,
    })
    .execute()
}

export async function addMoney(db: Db, day: string, deposit: number): Promise<void> {
  const row = { user_id: ME, day, deposit_amount: deposit, stock_buy_amount: 140_000, bank_balance: 5, updated_at: 0 }
  await db.insertInto('money_day').values(row).execute()
}

/** What the broker's list had, as it was imported. */
export async function addOrdered(
  db: Db,
  day: string,
  odno: string,
  side: 'buy' | 'sell',
  amount: number,
): Promise<void> {
  const row = { user_id: ME, day, odno, code: '005930', name: '삼성전자', side, venue: 'KRX', count: 1, amount }
  await db
    .insertInto('ordered')
    .values({ ...row, ordered_at: 0 })
    .execute()
}

const line = (time: string) => ({
  user_id: ME,
  at: kstInstant('20261120', time),
  by_email: 'me@digger.test',
  action: '종목 저장',
  detail: '005930',
})
const failed = (time: string, count: number) => ({
  user_id: ME,
  hour: kstInstant('20261120', `${time.slice(0, 2)}0000`),
  count,
  last_at: kstInstant('20261120', time),
  last_address: '192.0.2.1',
})

/** Actions: done, asked without an outcome yet, never become one; wrong passwords of two hours. */
export async function addLog(db: Db): Promise<void> {
  await db.insertInto('audit').values(line('080000')).execute()
  for (const [time, stage] of [
    ['083000', 'outcome'],
    ['084000', 'dropped'],
  ] as const) {
    const asked = { ...line(time), stage: 'asked' } as const
    const { id } = await db.insertInto('audit').values(asked).returning('id').executeTakeFirstOrThrow()
    const ended = { ...line(time), stage, asked_id: id, detail: `끝 ${time}` }
    await db.insertInto('audit').values(ended).execute()
  }
  const open = { ...line('095930'), stage: 'asked' } as const
  await db.insertInto('audit').values(open).execute()
  await db
    .insertInto('login_failed')
    .values([failed('081500', 2), failed('070000', 1)])
    .execute()
}
