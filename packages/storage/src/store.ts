import type { Pool } from 'pg'
import type { Changes } from './rows-of.ts'

const records = (table: string, key: Part): string =>
  `select * from jsonb_populate_recordset(null::${table}, ${PARAMETER[key]}::jsonb)`

/** `set a = excluded.a, …` */
const taking = (...columns: readonly string[]): string => columns.map((name) => `${name} = excluded.${name}`).join(', ')

type Part = Exclude<keyof Changes, 'account' | 'journal' | 'decisions'>

const PARAMETER: Readonly<Record<Part, string>> = {
  removedStocks: '$3',
  stocks: '$4',
  trades: '$5',
  orders: '$6',
  orderLots: '$7',
  commandKeys: '$11',
  expiredKeys: '$12',
}

/** What may or may not be part of a commit; most commits touch one or two of them. */
const PARTS: Readonly<Record<Part, string>> = {
  removedStocks: `
    delete from stock using jsonb_to_recordset($3::jsonb) as gone(user_id text, code text)
    where stock.user_id = gone.user_id and stock.code = gone.code`,
  stocks: `
    insert into stock ${records('stock', 'stocks')}
    on conflict (user_id, code) do update set ${taking('name', 'market', 'kind', 'nxt', 'settings', 'stop', 'blocked')},
      ${taking('kept', 'shadow', 'frozen', 'settled_on', 'moves', 'expected')}, ${taking('price_subscribed', 'acc_gain_amount', 'rejects', 'version', 'updated_at', 'checked_at')}`,
  trades: `
    insert into trade ${records('trade', 'trades')}
    on conflict (user_id, id) do update set ${taking('count', 'buy_price', 'buy_amount', 'buy_order_id', 'held_back', 'taken_over', 'by_person', 'bought_before')},
      ${taking('closed', 'sell_price', 'sell_amount', 'sold_at', 'sell_day', 'fee', 'tax')}`,
  orders: `
    insert into account_order ${records('account_order', 'orders')}
    on conflict (user_id, id) do update set ${taking('status', 'live', 'odno', 'orgno', 'filled_count')},
      ${taking('filled_amount', 'updated_at', 'note', 'absent_from', 'cancel_asked', 'cancel_wanted')}`,
  orderLots: `
    insert into order_lot ${records('order_lot', 'orderLots')}
    on conflict (user_id, order_id, position) do update set ${taking('live')}`,
  commandKeys: `
    insert into command_key ${records('command_key', 'commandKeys')}
    on conflict (user_id, key) do update set ${taking('answer')}`,
  expiredKeys: `
    delete from command_key using jsonb_to_recordset($12::jsonb) as gone(user_id text, before bigint)
    where command_key.user_id = gone.user_id and command_key.at < gone.before`,
}

const TABLE_PARTS = ['removedStocks', 'stocks', 'trades', 'orders', 'orderLots'] as const satisfies readonly Part[]
const KEY_PARTS = ['commandKeys', 'expiredKeys'] as const satisfies readonly Part[]
const PART_NAMES = [...TABLE_PARTS, ...KEY_PARTS] as const

/**
 * Writes any number of accounts' changes as one statement: atomic by itself, one round trip, one flush to disk.
 * Statements are named by what they touch, so that the database plans each kind once (planning cost ten times the
 * writing). Throws when a constraint refuses; then nothing of it is written.
 */
export async function writeChanges(pool: Pool, changes: readonly Changes[]): Promise<void> {
  // Accounts are locked by name, as whoever takes them does.
  const batch = changes.toSorted((a, b) => (a.account.user_id < b.account.user_id ? -1 : 1))
  const rowsOf = (key: keyof Changes) => batch.flatMap((changes): unknown => changes[key])
  const touched = PART_NAMES.filter((part) => rowsOf(part).length > 0)
  await pool.query({
    name: `write ${touched.join(' ')}`,
    text: statement(touched),
    // Every parameter is named in the text, so that its number and type never depend on the parts; but those of keys, which only
    // a person's command has, are not there at all in what a price brings about.
    values: [
      ...(['account', 'journal', ...TABLE_PARTS] as const).map((key) => JSON.stringify(rowsOf(key))),
      batch.length,
      JSON.stringify(
        Object.fromEntries(batch.map(({ account, journal }) => [account.user_id, account.seq - journal.length])),
      ),
      JSON.stringify(rowsOf('decisions')),
      ...(touchesKeys(touched) ? KEY_PARTS.map((key) => JSON.stringify(rowsOf(key))) : []),
    ],
  })
}

const touchesKeys = (parts: readonly Part[]): boolean => KEY_PARTS.some((key) => parts.includes(key))

function statement(parts: readonly Part[]): string {
  return `
    with
      given as (select $3::jsonb, $4::jsonb, $5::jsonb, $6::jsonb, $7::jsonb${touchesKeys(parts) ? ', $11::jsonb, $12::jsonb' : ''}),
      a as (
        insert into account select * from jsonb_populate_recordset(null::account, $1::jsonb)
        on conflict (user_id) do update set ${taking('day', 'stop', 'next_order_id', 'next_lot_id', 'seq', 'limits', 'venues', 'other_server', 'shadow')}
        -- Another writer of the same account would be behind or ahead: refuse instead of mixing two histories.
        -- Looked up, not counted in $2: counting for each account made a batch of 500 twice as slow.
        where account.seq = ($9::jsonb -> account.user_id)::bigint
          -- Whoever took the account since has counted the epoch up: what was decided before may not be written after.
          and account.epoch = excluded.epoch
        returning user_id
      ),
      j as (insert into journal select * from jsonb_populate_recordset(null::journal, $2::jsonb)),
      d as (insert into decision select * from jsonb_populate_recordset(null::decision, $10::jsonb))
      ${parts.map((part) => `, ${part.toLowerCase()}_part as (${PARTS[part]})`).join('')}
    -- Divides by zero, and so undoes everything, when one account was refused above.
    select 1 / (count(*) = $8)::int as written from a`
}
