import { sql } from 'kysely'
import type { ChannelChange, NotificationChannel, NotificationItem, NotificationSettings } from '@digger/contract'
import { kstIso } from '@digger/core'
import type { Db } from '@digger/database'
import type { z } from 'zod'

const two = (n: number): string => String(n).padStart(2, '0')
const hhmm = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

export async function readSettings(db: Db, userId: string): Promise<NotificationSettings> {
  const row = await db.selectFrom('notification_setting').selectAll().where('user_id', '=', userId).executeTakeFirst()
  if (row === undefined) return { levels: {}, quiet: null }
  const { levels, quiet_from: from, quiet_to: to } = row
  return { levels, quiet: from === to ? null : { from: hhmm(from), to: hhmm(to) } }
}

export async function writeSettings(db: Db, userId: string, { levels, quiet }: NotificationSettings): Promise<void> {
  const [from, to] = quiet === null ? [0, 0] : [minutesOf(quiet.from), minutesOf(quiet.to)]
  const row = { levels, quiet_from: from, quiet_to: to }
  await db
    .insertInto('notification_setting')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

export async function readChannels(db: Db, userId: string): Promise<NotificationChannel[]> {
  const rows = await db
    .selectFrom('notification_channel')
    .select(['id', 'kind', 'label', 'amounts', 'state', 'note', 'created_at', 'sent_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(({ state, created_at: createdAt, sent_at: sentAt, ...row }) => ({
    ...row,
    on: state === 'on',
    createdAt: kstIso(createdAt),
    sentAt: sentAt === null ? null : kstIso(sentAt),
  }))
}

/** False: the person has no such channel. What waited while it was off was dropped when it was switched off. */
export async function changeChannel(
  db: Db,
  { userId, id }: { readonly userId: string; readonly id: number },
  { amounts, on }: z.output<typeof ChannelChange>,
): Promise<boolean> {
  const { rows } = await sql`
    with dropped as (
      update notification_delivery set state = 'dropped', note = ${SWITCHED_OFF}
      where channel_id = ${id} and user_id = ${userId} and state = 'waiting' and ${on === false})
    update notification_channel set
      amounts = coalesce(${amounts ?? null}::boolean, amounts),
      state = coalesce(${on === undefined ? null : on ? 'on' : 'off'}::text, state),
      note = case when ${on === undefined} then note else null end,
      failing_since = case when ${on === undefined} then failing_since else null end
    where id = ${id} and user_id = ${userId} returning id`.execute(db)
  return rows.length > 0
}

const SWITCHED_OFF = '받는 곳을 꺼서 보내지 않았습니다.'

export async function removeChannel(db: Db, userId: string, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('notification_channel')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The last hundred, newest first. */
const SHOWN = 100

export async function readNotifications(db: Db, userId: string): Promise<NotificationItem[]> {
  const { rows } = await sql<Omit<NotificationItem, 'at'> & { at: number }>`
    select n.id, n.at, n.kind, n.code, n.text, n.amounts,
      case when n.state = 'off' then null else (
        select coalesce(jsonb_agg(jsonb_build_object('channel', c.kind, 'label', c.label, 'state', d.state) order by c.id), '[]')
        from notification_delivery d join notification_channel c on c.id = d.channel_id
        where d.bundle_id = n.bundle_id) end as deliveries
    from notification n where n.user_id = ${userId} order by n.id desc limit ${SHOWN}`.execute(db)
  return rows.map(({ at, ...row }) => ({ ...row, at: kstIso(at) }))
}

/** Bundles that wait for a channel, and channels that took nothing at the last try, of everybody. */
export async function countUndelivered(db: Db): Promise<{ waiting: number; failing: number }> {
  const { rows } = await sql<{ waiting: number; failing: number }>`
    select (select count(*) from notification_delivery where state = 'waiting') as waiting,
      (select count(*) from notification_channel where state = 'on' and failing_since is not null) as failing`.execute(
    db,
  )
  return rows[0] ?? { waiting: 0, failing: 0 }
}
