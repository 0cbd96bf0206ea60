import { sql } from 'kysely'
import type { Db } from '@digger/database'

/** Jobs older than this are dropped when a new one is made, ms. What came of them is in each user's log for good. */
const KEPT_MS = 90 * 86_400_000

export interface NewJob {
  readonly kind: string
  /** Jobs of one lane are worked off one after the other; those of others do not wait for them. */
  readonly lane: string
  /** At most one job of the kind has it. Null: any number. */
  readonly key: string | null
  /** Null: the server itself. */
  readonly byUser: string | null
  readonly byEmail: string
  /** Epoch ms. */
  readonly at: number
  /** What has not begun by then does not begin any more, epoch ms. */
  readonly beginBy: number
  readonly users: 'all' | readonly string[]
}

/** Makes a job with an item for each of the users, in one statement. Null: there is one with this key. */
export async function createJob(db: Db, job: NewJob): Promise<number | null> {
  const { kind, lane, key, byUser, byEmail, at, beginBy, users } = job
  const chosen = users === 'all' ? null : JSON.stringify(users)
  const { rows } = await sql<{ id: number }>`
    with dropped as (delete from job where at < ${at - KEPT_MS}::bigint and finished_at is not null),
    made as (
      insert into job (kind, lane, key, by_user, by_email, at, begin_by)
      values (${kind}, ${lane}, ${key}, ${byUser}, ${byEmail}, ${at}, ${beginBy})
      on conflict (kind, key) do nothing returning id),
    items as (
      insert into job_item (job_id, user_id, lane, shard, position)
      select made.id, users.id, ${lane}, shard_of(users.id), row_number() over (order by users.created_at, users.id)
      from users, made
      where ${chosen}::jsonb is null or users.id in (select jsonb_array_elements_text(${chosen}::jsonb))
      returning user_id)
    select id from made where (select count(*) from items) >= 0`.execute(db)
  return rows[0]?.id ?? null
}

const CANCELLED = '시작하기 전에 취소되어 하지 않았습니다.'

/** What waits never begins; what runs goes on to its end. False: there is no such job, or it is over. */
export async function cancelJob(db: Db, jobId: number, now: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    with cancelled as (
      update job set cancelled_at = ${now} where id = ${jobId} and cancelled_at is null and finished_at is null
      returning id),
    items as (
      update job_item set state = 'cancelled', result = ${CANCELLED}, finished_at = ${now}
      from cancelled where job_item.job_id = cancelled.id and job_item.state = 'waiting')
    select id from cancelled`.execute(db)
  return rows.length > 0
}
