import { kstInstant } from '@digger/core'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { type Person, type ServerFixture } from './server-fixture.ts'

export const CODES = ['005930', '000660'] as const
const NAME = { '005930': '삼성전자', '000660': 'SK하이닉스' }

/** Forty lots that were sold for more or less, odd amounts, some closed by a correction; two held ones; their orders; money. */
export async function fillTables(fixture: ServerFixture, { userId }: Pick<Person, 'userId'>): Promise<void> {
  const { db } = fixture.database
  for (const code of CODES) fixture.giveStock(userId, code)
  await sql`insert into account (user_id, day, stop, next_order_id, next_lot_id, seq) values (${userId}, '20261120', 'active', 1, 1, 0)`.execute(
    db,
  )
  for (const code of CODES)
    await sql`
      insert into stock (user_id, code, name, market, kind, nxt, settings, stop, price_subscribed, acc_gain_amount, rejects, version, updated_at, kept)
      values (${userId}, ${code}, ${NAME[code]}, 'KOSPI', 'stock', true, '{}'::jsonb, 'active', true, 0, 0, 1, 0, 0)`.execute(
      db,
    )
  for (let n = 0; n < 40; n++) await addTrade(fixture, userId, n)
  for (const id of [1, 2]) await addHeld(fixture, userId, id)
  for (let n = 0; n < 30; n++)
    await db
      .insertInto('money_day')
      .values({
        user_id: userId,
        day: `202610${String(n + 1).padStart(2, '0')}`,
        deposit_amount: 1_000_000 + n * 7,
        stock_buy_amount: n * 69_300,
        bank_balance: n,
        updated_at: fixture.clock.now(),
      })
      .execute()
}

const blank = { held_back: false, taken_over: false, by_person: false, bought_before: 0, buy_order_id: null }

async function addTrade(fixture: ServerFixture, userId: string, n: number): Promise<void> {
  const code = CODES[n % 2] ?? '005930'
  const day = `2026${n < 20 ? '10' : '11'}${String((n % 18) + 1).padStart(2, '0')}`
  const [count, buyAmount] = [1 + (n % 7), 69_301 * (1 + (n % 7)) + n]
  const sellAmount = n % 11 === 0 ? null : buyAmount + (n - 17) * 331
  await fixture.database.db
    .insertInto('trade')
    .values({
      ...blank,
      user_id: userId,
      id: 100 + n,
      code,
      count,
      buy_price: Math.ceil(buyAmount / count),
      buy_amount: buyAmount,
      bought_at: kstInstant(day, '091500') - n,
      closed: true,
      sell_price: sellAmount === null ? null : Math.floor(sellAmount / count),
      sell_amount: sellAmount,
      sold_at: kstInstant(day, '143000') + n,
      sell_day: day,
      fee: 20 + n,
      tax: 139 + n,
    })
    .execute()
  await sql`
    insert into account_order (user_id, id, code, side, origin, type, price, count, venue, session, status, live, day,
      odno, orgno, filled_count, filled_amount, reserved_price, created_at, updated_at, why, cancel_asked)
    values (${userId}, ${n + 1}, ${code}, 'sell', 'auto', 'limit', 70000, ${count}, 'SOR', 'regular',
      ${sellAmount === null ? 'cancelled' : 'filled'}, false, ${day}, ${String(n).padStart(10, '0')}, '06010',
      ${sellAmount === null ? 0 : count}, ${sellAmount ?? 0}, 0, ${kstInstant(day, '090000')}, ${kstInstant(day, '143000')},
      '=목표가, "도달"', false)`.execute(fixture.database.db)
}

/** As `giveStock` has it in the book. */
async function addHeld(fixture: ServerFixture, userId: string, id: number): Promise<void> {
  const buyPrice = id === 1 ? 70_000 : 69_300
  const open = {
    closed: false,
    sell_price: null,
    sell_amount: null,
    sold_at: null,
    sell_day: null,
    fee: null,
    tax: null,
  }
  const held = { ...blank, ...open, user_id: userId, id, code: '005930', count: 2, buy_price: buyPrice }
  await fixture.database.db
    .insertInto('trade')
    .values({ ...held, buy_amount: buyPrice * 2, bought_at: fixture.clock.now() - id })
    .execute()
}

export type Row = Record<string, string>
export const csv = (text: string): Row[] => parse(text, { bom: true, columns: true, record_delimiter: '\r\n' })
export const dayOf = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`

export interface GainReply {
  readonly date: string
  readonly gain: { readonly buyAmount: number; readonly gainAmount: number; readonly netGainAmount: number }
  readonly stockGainList: readonly ({ readonly code: string; readonly name: string } & {
    readonly gain: GainReply['gain']
  })[]
}
