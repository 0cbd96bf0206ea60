import { type RawBuilder, sql } from 'kysely'
import type { ChannelKind, Db } from '@digger/database'
import type { BundledItem } from '../rules/bundle-text.ts'
import { isDead, MAX_ASKED_MS, retryAfter } from '../rules/retry.ts'

/** A try is over by then, one way or another, ms. */
const TRY_MS = 60_000

/** A bundle on its way over one channel. */
export interface Delivery {
  /** The same for every try. */
  readonly bundleId: string
  readonly userId: string
  readonly at: number
  readonly silent: boolean
  /** From 1. */
  readonly tries: number
  readonly channel: {
    readonly id: number
    readonly kind: ChannelKind
    readonly label: string
    readonly sealed: Buffer
    readonly amounts: boolean
    /** Since when it has taken nothing; null: it took the last one. */
    readonly failingSince: number | null
  }
}

/** The oldest that waits for each channel: the others wait for it. */
const oldestOf = (shards: readonly number[]) => sql`
  select distinct on (d.channel_id) d.bundle_id, d.channel_id, d.next_at, d.taken_until, c.kind
  from notification_delivery d join notification_channel c on c.id = d.channel_id and c.state = 'on'
  where d.state = 'waiting' and shard_of(d.user_id) = any(${shards}::bigint[])
  order by d.channel_id, d.place`

/** What is further away than anybody ever waits was written by a clock that has been set back since. */
const isOver = (at: RawBuilder<unknown>, now: number, longestMs: number) =>
  sql`(${at} <= ${now} or ${at} > ${now + longestMs})`

interface Taking {
  readonly now: number
  /** So many of each kind are on their way at a time: a mail server that hangs holds no push back. */
  readonly limit: number
  /** Channels that this process is sending to, however long it takes. */
  readonly busy?: readonly number[]
}

/**
 * Takes deliveries that are due, one for each channel, so that each channel gets its bundles in order; what waits longest goes first. Two
 * processes that ask get different ones; one that ends without saying what came of it leaves it to the next try.
 */
export async function takeDeliveries(
  db: Db,
  shards: readonly number[],
  { now, limit, busy = [] }: Taking,
): Promise<Delivery[]> {
  const { rows } = await sql<Omit<Delivery, 'channel'> & Delivery['channel']>`
    with oldest as (${oldestOf(shards)}),
    ready as (
      select bundle_id, channel_id, kind, row_number() over (partition by kind order by next_at, channel_id) as turn from oldest o
      where ${isOver(sql`o.next_at`, now, MAX_ASKED_MS)} and ${isOver(sql`o.taken_until`, now, TRY_MS)}
        and o.channel_id <> all(${busy}::bigint[])),
    sending as (select kind, count(*) as count from notification_channel where id = any(${busy}::bigint[]) group by kind),
    due as (
      select d.bundle_id, d.channel_id from notification_delivery d
        join ready r using (bundle_id, channel_id) left join sending s on s.kind = r.kind
      where d.state = 'waiting' and ${isOver(sql`d.next_at`, now, MAX_ASKED_MS)} and ${isOver(sql`d.taken_until`, now, TRY_MS)}
        and r.turn <= ${limit} - coalesce(s.count, 0)
      for update of d skip locked)
    update notification_delivery d set taken_until = ${now + TRY_MS}, tries = d.tries + 1
    from due, notification_channel c, notification_bundle b
    where d.bundle_id = due.bundle_id and d.channel_id = due.channel_id and c.id = d.channel_id and b.id = d.bundle_id
    returning d.bundle_id as "bundleId", d.user_id as "userId", b.at, b.silent, d.tries, c.id, c.kind, c.label, c.sealed, c.amounts,
      c.failing_since as "failingSince"`.execute(db)
  return rows.map(({ bundleId, userId, at, silent, tries, ...channel }) => ({
    bundleId,
    userId,
    at,
    silent,
    tries,
    channel,
  }))
}

export async function itemsOf(db: Db, bundleId: string): Promise<BundledItem[]> {
  const { rows } = await sql<BundledItem>`
    select kind, code, text, amounts, fill from notification where bundle_id = ${bundleId} order by id`.execute(db)
  return rows
}

export async function markSent(db: Db, { bundleId, channel }: Delivery, now: number): Promise<void> {
  await sql`
    with sent as (
      update notification_delivery set state = 'sent', sent_at = ${now}, note = null
      where bundle_id = ${bundleId} and channel_id = ${channel.id})
    update notification_channel set sent_at = ${now}, failing_since = null, note = null where id = ${channel.id}`.execute(
    db,
  )
}

/** When the next delivery that is not due yet may be tried, epoch ms; null: none waits. */
export async function nextDeliveryAt(db: Db, shards: readonly number[], now: number): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    select min(greatest(o.next_at, o.taken_until)) as at from (${oldestOf(shards)}) o
    where greatest(o.next_at, o.taken_until) > ${now}`.execute(db)
  return rows[0]?.at ?? null
}

/** Not delivered now: it is tried again. True: the channel has taken nothing for so long that it is to be switched off. */
export async function markFailed(
  db: Db,
  { bundleId, tries, channel }: Delivery,
  { now, why, afterMs }: { readonly now: number; readonly why: string; readonly afterMs: number | null },
): Promise<boolean> {
  await sql`
    with again as (
      update notification_delivery set next_at = ${now + retryAfter(tries, afterMs)}, taken_until = 0, note = ${why}
      where bundle_id = ${bundleId} and channel_id = ${channel.id})
    update notification_channel set failing_since = coalesce(failing_since, ${now}::bigint), note = ${why}
    where id = ${channel.id}`.execute(db)
  return channel.failingSince !== null && isDead(now - channel.failingSince, tries)
}

/** Nothing goes there any more, until its person switches it on again. False: it was off already. */
export async function switchOff(db: Db, channelId: number, why: string): Promise<boolean> {
  const { rows } = await sql`
    with dropped as (
      update notification_delivery set state = 'dropped', note = ${why} where channel_id = ${channelId} and state = 'waiting')
    update notification_channel set state = 'off', note = ${why} where id = ${channelId} and state = 'on' returning id`.execute(
    db,
  )
  return rows.length > 0
}
