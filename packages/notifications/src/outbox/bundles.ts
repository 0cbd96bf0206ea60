import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { NotificationKind, NotificationLevel } from '@digger/contract'
import type { Db } from '@digger/database'
import { levelNow, nextBundleAt, NO_PREFERENCES, RECENT_MS, type Preferences } from '../rules/bundling.ts'
import { MAX_WAITING } from '../rules/retry.ts'

/** Notifications in one bundle; the rest goes with the next. */
const MAX_ITEMS = 500

interface Waiting {
  readonly userId: string
  readonly preferences: Preferences
  /** When this person's last bundles were made. */
  readonly recent: readonly number[]
  readonly items: readonly { readonly id: number; readonly kind: NotificationKind }[]
}

/**
 * Makes a bundle for everybody in these shards who has something to be included and has not just been included something. Returns when the next
 * one is due that was too early now, epoch ms; null: none waits.
 */
export async function makeBundles(db: Db, shards: readonly number[], now: number): Promise<number | null> {
  let next: number | null = null
  for (const one of await readWaiting(db, shards, now)) {
    const dueAt = nextBundleAt(one.recent, now)
    if (dueAt > now) next = Math.min(next ?? dueAt, dueAt)
    else {
      await makeBundle(db, one, now).catch(ignoreOvertaken)
      if (one.items.length > MAX_ITEMS) next = now
    }
  }
  return next
}

/**
 * Another process that believes to have the account was first, or the person or a channel was removed meanwhile: that is for this person
 * only, and the next look finds what is so.
 */
function ignoreOvertaken(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && OVERTAKEN.has(String(error.code)))) throw error
}
/** SQLSTATE division_by_zero, foreign_key_violation. */
const OVERTAKEN: ReadonlySet<string> = new Set(['22012', '23503'])

async function readWaiting(db: Db, shards: readonly number[], now: number): Promise<Waiting[]> {
  const { rows } = await sql<{
    userId: string
    levels: Readonly<Record<string, NotificationLevel>> | null
    quietFrom: number | null
    quietTo: number | null
    recent: number[]
    items: { id: number; kind: NotificationKind }[]
  }>`
    select w.user_id as "userId", w.items, s.levels, s.quiet_from as "quietFrom", s.quiet_to as "quietTo",
      array(select b.at from notification_bundle b where b.user_id = w.user_id and b.at > ${now - RECENT_MS}) as recent
    from (
      select user_id, jsonb_agg(jsonb_build_object('id', id, 'kind', kind) order by id) as items
      from notification where state = 'waiting' and shard_of(user_id) = any(${shards}::bigint[])
      group by user_id) w
    left join notification_setting s on s.user_id = w.user_id`.execute(db)
  return rows.map(({ userId, items, recent, levels, quietFrom, quietTo }) => ({
    userId,
    items,
    recent,
    preferences: levels === null ? NO_PREFERENCES : { levels, quietFrom: quietFrom ?? 0, quietTo: quietTo ?? 0 },
  }))
}

async function makeBundle(db: Db, { userId, items, preferences }: Waiting, now: number): Promise<void> {
  const levels = items.slice(0, MAX_ITEMS).map(({ id, kind }) => ({ id, level: levelNow(kind, preferences, now) }))
  const off = levels.flatMap(({ id, level }) => (level === 'off' ? id : []))
  const included = levels.flatMap(({ id, level }) => (level === 'off' ? [] : id))
  if (off.length > 0)
    await sql`update notification set state = 'off' where id = any(${off}::bigint[]) and state = 'waiting'`.execute(db)
  if (included.length === 0) return
  const id = randomUUID().replaceAll('-', '')
  const silent = levels.every(({ level }) => level !== 'on')
  // Divides by zero, and so undoes everything, where somebody else has bundled one of them.
  await sql`
    with made as (
      insert into notification_bundle (id, user_id, at, silent) values (${id}, ${userId}, ${now}, ${silent})),
    items as (
      update notification set state = 'bundled', bundle_id = ${id}
      where id = any(${included}::bigint[]) and state = 'waiting' returning id),
    sent as (
      insert into notification_delivery (bundle_id, channel_id, user_id, at, next_at)
      select ${id}, c.id, c.user_id, ${now}, ${now} from notification_channel c where c.user_id = ${userId} and c.state = 'on')
    select 1 / (count(*) = ${included.length})::int as made from items`.execute(db)
  await leaveOut(db, userId)
}

/** However long a channel takes nothing: its queue is bounded, and what is left out is on the page. */
async function leaveOut(db: Db, userId: string): Promise<void> {
  await sql`
    update notification_delivery d set state = 'dropped', note = ${LEFT_OUT}
    from (
      select bundle_id, channel_id, row_number() over (partition by channel_id order by place desc) as behind
      from notification_delivery where user_id = ${userId} and state = 'waiting') w
    where w.behind > ${MAX_WAITING} and d.bundle_id = w.bundle_id and d.channel_id = w.channel_id`.execute(db)
}

const LEFT_OUT = '밀린 알림이 너무 많아 보내지 않았습니다.'
