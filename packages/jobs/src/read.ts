import { sql } from 'kysely'
import type { Db } from '@digger/database'
import type { ItemState } from './items.ts'

export type Counts = Readonly<Record<ItemState, number>>

export interface JobView {
  readonly id: number
  readonly kind: string
  /** Null: the server itself. */
  readonly byUser: string | null
  readonly byEmail: string
  /** Epoch ms, as those below. */
  readonly at: number
  readonly cancelledAt: number | null
  /** Null while an item waits or runs. */
  readonly finishedAt: number | null
  readonly counts: Counts
}

export interface ItemView {
  readonly userId: string
  readonly email: string
  readonly state: ItemState
  /** Null until it has ended. */
  readonly result: string | null
  readonly startedAt: number | null
  readonly finishedAt: number | null
}

interface JobLine extends Omit<JobView, 'counts'>, Counts {}

async function views(db: Db, which: ReturnType<typeof sql>): Promise<JobView[]> {
  const { rows } = await sql<JobLine>`
    select j.id, j.kind, j.by_user as "byUser", j.by_email as "byEmail", j.at, j.cancelled_at as "cancelledAt",
      case when c.waiting + c.running = 0 then coalesce(j.finished_at, c.last, j.at) end as "finishedAt",
      c.waiting, c.running, c.done, c.failed, c.cancelled
    from (${which}) j cross join lateral (
      select count(*) filter (where i.state = 'waiting') as waiting, count(*) filter (where i.state = 'running') as running,
        count(*) filter (where i.state = 'done') as done, count(*) filter (where i.state = 'failed') as failed,
        count(*) filter (where i.state = 'cancelled') as cancelled, max(i.finished_at) as last
      from job_item i where i.job_id = j.id) c
    order by j.id desc`.execute(db)
  return rows.map(({ waiting, running, done, failed, cancelled, ...job }) => ({
    ...job,
    counts: { waiting, running, done, failed, cancelled },
  }))
}

export async function jobOf(db: Db, jobId: number): Promise<JobView | null> {
  const [job] = await views(db, sql`select * from job where id = ${jobId}`)
  return job ?? null
}

/** The last jobs of these kinds, newest first. */
export const recentJobs = (db: Db, kinds: readonly string[], limit: number): Promise<JobView[]> =>
  views(db, sql`select * from job where kind = any(${kinds}::text[]) order by id desc limit ${limit}`)

/** The job of the kind that is not over; null where there is none. */
export async function openJobOf(db: Db, kind: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select j.id from job j where j.kind = ${kind} and j.finished_at is null
      and exists (select from job_item i where i.job_id = j.id and i.state in ('waiting', 'running'))
    order by j.id desc limit 1`.execute(db)
  return rows[0]?.id ?? null
}

export interface ItemsAsked {
  /** Failures first, then what goes on; else in the order of the list. */
  readonly failuresFirst?: boolean
  /** Only those in one of these states. */
  readonly states?: readonly ItemState[]
  readonly offset?: number
  readonly limit?: number
}

const FAILURES_FIRST = sql`array_position(array['failed', 'running', 'waiting', 'cancelled', 'done'], i.state), `

export async function itemsOf(db: Db, jobId: number, asked: ItemsAsked = {}): Promise<ItemView[]> {
  const { failuresFirst = false, states = null, offset = 0, limit = null } = asked
  const { rows } = await sql<ItemView>`
    select i.user_id as "userId", u.email, i.state, i.result, i.started_at as "startedAt", i.finished_at as "finishedAt"
    from job_item i join users u on u.id = i.user_id
    where i.job_id = ${jobId} and (${states}::text[] is null or i.state = any(${states}::text[]))
    order by ${failuresFirst ? FAILURES_FIRST : sql``}i.position
    offset ${offset} limit ${limit}`.execute(db)
  return rows
}

/** How many of the job have ended, and of how many. */
export const countsOf = ({ counts }: JobView): { readonly done: number; readonly total: number } => {
  const { waiting, running, done, failed, cancelled } = counts
  const ended = done + failed + cancelled
  return { done: ended, total: ended + waiting + running }
}
