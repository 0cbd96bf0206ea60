import { sql } from 'kysely'
import type { Fact } from '@digger/core'
import type { Db } from '@digger/database'
import { type FillLine, type FillNotification, fillsOf, type Total } from '../rules/fills.ts'

/** Rows of the journal of one account that are read at a time. */
const PAGE = 2_000
/** Accounts that are read at a time. */
const ACCOUNTS = 200

interface Read {
  readonly cursor: number
  /** Newest row of the account when it was read. */
  readonly newest: number
  readonly lines: readonly FillLine[]
}

/**
 * Tells of the fills in the journals of these accounts that nobody was told of, and returns whose person has something new. To be called by
 * whoever has the accounts; where two do, each fill is told by one of them.
 */
export async function collectFills(db: Db, userIds: readonly string[]): Promise<string[]> {
  const withNews = new Set<string>()
  let left = userIds
  while (left.length > 0) {
    const unfinished: string[] = []
    for (let at = 0; at < left.length; at += ACCOUNTS)
      for (const { userId, isOver, hasNews } of await collectSome(db, left.slice(at, at + ACCOUNTS))) {
        if (hasNews) withNews.add(userId)
        if (!isOver) unfinished.push(userId)
      }
    left = unfinished
  }
  return [...withNews]
}

interface Collected {
  readonly userId: string
  readonly hasNews: boolean
  /** False: there was more than a page, or somebody else told some of it meanwhile and may have read less. */
  readonly isOver: boolean
}

async function collectSome(db: Db, userIds: readonly string[]): Promise<Collected[]> {
  const [quiet, filled] = [new Map<string, number>(), new Map<string, Read>()]
  for (const [userId, read] of await readLines(db, userIds))
    if (read.lines.length === 0) quiet.set(userId, read.newest)
    else filled.set(userId, read)
  await passOver(db, quiet)
  const collected: Collected[] = []
  for (const [userId, read] of filled) {
    const { lines, upTo } = wholeFills(read)
    const fills = fillsOf(lines, await totalsBefore(db, userId, lines))
    const isWritten = await write(db, userId, { cursor: read.cursor, upTo, fills })
    collected.push({ userId, hasNews: isWritten && fills.length > 0, isOver: isWritten && upTo >= read.newest })
  }
  return collected
}

/** Accounts of these shards whose journal has rows beyond their cursor. */
export async function accountsBehind(db: Db, shards: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.user_id as id from account a join users u on u.id = a.user_id
      left join notification_cursor c on c.user_id = a.user_id
    where shard_of(a.user_id) = any(${shards}::bigint[]) and a.seq > coalesce(c.seq, 0)`.execute(db)
  return rows.map(({ id }) => id)
}

async function readLines(db: Db, userIds: readonly string[]): Promise<ReadonlyMap<string, Read>> {
  if (userIds.length === 0) return new Map()
  const { rows } = await sql<{
    userId: string
    cursor: number
    newest: number
    seq: number | null
    at: number
    fact: Fact
    code: string | null
    side: 'buy' | 'sell' | null
    name: string | null
  }>`
    select a.user_id as "userId", coalesce(c.seq, 0)::bigint as cursor, a.seq as newest, j.seq, j.at, j.fact, o.code, o.side, s.name
    from account a join users u on u.id = a.user_id
      left join notification_cursor c on c.user_id = a.user_id
      left join lateral (
        select seq, at, fact from journal
        where user_id = a.user_id and seq > coalesce(c.seq, 0) and fact ->> 'kind' in ('orderFilled', 'lotSold')
        order by seq limit ${PAGE}) j on true
      left join account_order o on o.user_id = a.user_id and o.id = (j.fact ->> 'orderId')::bigint
      left join stock s on s.user_id = a.user_id and s.code = o.code
    where a.user_id = any(${userIds}::text[])
    order by a.user_id, j.seq`.execute(db)
  const read = new Map<string, Read & { lines: FillLine[] }>()
  for (const { userId, cursor, newest, seq, ...line } of rows) {
    const one = read.get(userId) ?? { cursor, newest, lines: [] }
    read.set(userId, one)
    if (seq !== null) one.lines.push({ seq, ...line })
  }
  return read
}

/** Where no fill is up to `newest`, there is none up to there from whatever cursor somebody else may have set since. */
async function passOver(db: Db, newest: ReadonlyMap<string, number>): Promise<void> {
  if (newest.size === 0) return
  await sql`
    insert into notification_cursor as c (user_id, seq)
    select * from unnest(${[...newest.keys()]}::text[], ${[...newest.values()]}::bigint[])
    on conflict (user_id) do update set seq = excluded.seq where c.seq < excluded.seq`.execute(db)
}

/** A page may end amid the sales of a fill: that fill is for the next one. */
function wholeFills({ lines, newest }: Read): { readonly lines: readonly FillLine[]; readonly upTo: number } {
  if (lines.length < PAGE) return { lines, upTo: newest }
  const last = lines.findLastIndex(({ fact }) => fact.kind === 'orderFilled')
  const whole = last > 0 ? lines.slice(0, last) : lines
  return { lines: whole, upTo: whole.at(-1)?.seq ?? newest }
}

/** What people were told of these orders before. */
async function totalsBefore(db: Db, userId: string, lines: readonly FillLine[]): Promise<ReadonlyMap<number, Total>> {
  const orders = [...new Set(lines.flatMap(({ fact }) => (fact.kind === 'orderFilled' ? fact.orderId : [])))]
  if (orders.length === 0) return new Map()
  // Totals only grow.
  const { rows } = await sql<Total & { order: number }>`
    select (fill ->> 'order')::bigint as "order", max((fill ->> 'totalCount')::bigint) as count,
      max((fill ->> 'totalAmount')::bigint) as amount
    from notification
    where user_id = ${userId} and fill is not null and (fill ->> 'order')::bigint = any(${orders}::bigint[])
    group by 1`.execute(db)
  return new Map(rows.map(({ order, ...total }) => [order, total]))
}

interface Written {
  readonly cursor: number
  readonly upTo: number
  readonly fills: readonly FillNotification[]
}

/** Cursor and notifications in one statement. False: somebody else has told them. */
async function write(db: Db, userId: string, { cursor, upTo, fills }: Written): Promise<boolean> {
  const rows = fills.map(({ seq, at, kind, code, text, amounts, fill }) => ({
    seq,
    subject: `fill ${seq}`,
    kind,
    at,
    code,
    text,
    amounts,
    fill,
  }))
  const { rows: moved } = await sql`
    with moved as (
      insert into notification_cursor as c (user_id, seq) values (${userId}, ${upTo})
      on conflict (user_id) do update set seq = excluded.seq where c.seq = ${cursor}
      returning user_id),
    inserted as (
      insert into notification (user_id, subject, kind, at, code, text, amounts, fill)
      select moved.user_id, r.subject, r.kind, r.at, r.code, r.text, r.amounts, r.fill
      from moved cross join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (seq bigint, subject text, kind text, at bigint, code text, text text, amounts text, fill jsonb)
      order by r.seq
      on conflict (user_id, subject) do nothing)
    select user_id from moved`.execute(db)
  return moved.length > 0
}
