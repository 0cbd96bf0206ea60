import { sql } from 'kysely'
import type { NotificationKind } from '@digger/contract'
import type { Db } from '@digger/database'
import type { NewNotification } from '../outbox/notify.ts'

/** What somebody was called for and has not been told the end of. */
export interface RaisedAlarm {
  readonly userId: string
  readonly kind: NotificationKind
  readonly subject: string
  /** Epoch ms. */
  readonly raisedAt: number
}

/** `process`: whose own troubles are meant; empty: those of accounts. */
export async function raisedAlarms(db: Db, shards: readonly number[], process: string): Promise<RaisedAlarm[]> {
  const { rows } = await sql<RaisedAlarm>`
    select user_id as "userId", kind, subject, raised_at as "raisedAt" from notification_alarm
    where process = ${process} and (${process} <> '' or shard_of(user_id) = any(${shards}::bigint[]))`.execute(db)
  return rows
}

interface AlarmNotification extends NewNotification {
  /** The alarm it begins or ends. */
  readonly about: string
}

/** Raises an alarm and puts into the outbox that somebody is called, in one statement. Of two that raise the same one does. */
export async function raise(db: Db, process: string, notification: AlarmNotification): Promise<boolean> {
  const { userId, subject, kind, at, code = null, text, about } = notification
  const { rows } = await sql`
    with raised as (
      insert into notification_alarm (user_id, kind, subject, raised_at, process)
      values (${userId}, ${kind}, ${about}, ${at}, ${process}) on conflict do nothing returning user_id)
    insert into notification (user_id, subject, kind, at, code, text)
    select user_id, ${subject}, ${kind}, ${at}::bigint, ${code}, ${text} from raised
    on conflict (user_id, subject) do nothing returning id`.execute(db)
  return rows.length > 0
}

/** The same for its end: one all-clear. */
export async function clear(db: Db, process: string, notification: AlarmNotification): Promise<boolean> {
  const { userId, subject, kind, at, code = null, text, about } = notification
  const { rows } = await sql`
    with cleared as (
      delete from notification_alarm
      where user_id = ${userId} and kind = ${kind} and subject = ${about} and process = ${process} returning user_id)
    insert into notification (user_id, subject, kind, at, code, text)
    select user_id, ${subject}, ${kind}, ${at}::bigint, ${code}, ${text} from cleared
    on conflict (user_id, subject) do nothing returning id`.execute(db)
  return rows.length > 0
}

/** Whoever was called is none of those any more who hear of the end. */
export async function forgetAlarms(db: Db, process: string, userId: string): Promise<void> {
  await db.deleteFrom('notification_alarm').where('process', '=', process).where('user_id', '=', userId).execute()
}

/** Alarms of processes that are gone, for whoever tells of their end. */
export async function alarmsOfTheGone(db: Db): Promise<(RaisedAlarm & { readonly process: string })[]> {
  const { rows } = await sql<RaisedAlarm & { process: string }>`
    select a.user_id as "userId", a.kind, a.subject, a.raised_at as "raisedAt", a.process from notification_alarm a
    where a.process <> '' and a.process <> 'server'
      and not exists (select from worker w where w.id = a.process and not w.buried and w.until > now())`.execute(db)
  return rows
}
