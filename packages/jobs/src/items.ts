import { sql } from 'kysely'
import type { Db, JobItemState } from '@digger/database'

export type ItemState = JobItemState

/** One user's part of a job, for the process that works on it. */
export interface Item {
  readonly jobId: number
  readonly userId: string
  readonly kind: string
  readonly byUser: string | null
  readonly byEmail: string
  /** From 1. Higher: a process before may have done it, or a part of it. */
  readonly attempt: number
}

/**
 * What came of it, with a sentence for the person who asked. `leftOff`: the account went to another process meanwhile, so that
 * nobody here knows what was done.
 */
export type Ended = { readonly state: 'done' | 'failed'; readonly result: string } | { readonly state: 'leftOff' }

/** Which items are meant, and in whose name. */
export interface Claim {
  /** Its name for this run of the process: an item that another one runs in one of `shards` is of a process that is gone. */
  readonly runner: string
  /** Those whose accounts this process has. */
  readonly shards: readonly number[]
  /** Kinds that may be done again where nobody knows whether they were. */
  readonly repeatable: readonly string[]
  readonly now: number
}

const NOT_SURE = '서버가 바뀌는 사이에 하던 일이라 되었는지 모릅니다. 계좌를 확인하고, 안 되어 있으면 다시 해 주세요.'
const TOO_LATE = '정한 시간 안에 차례가 오지 않아 시작하지 않았습니다. 필요하면 다시 해 주세요.'
const CANCELLED = '시작하기 전에 취소되어 하지 않았습니다.'

/** Takes up to `limit` waiting items, oldest job first. Two processes that ask at once get different ones. */
export async function takeItems(db: Db, claim: Claim, lane: string, limit: number): Promise<Item[]> {
  const { runner, shards, now } = claim
  const { rows } = await sql<Item>`
    with taken as (
      select i.job_id, i.user_id, j.kind, j.by_user, j.by_email from job_item i join job j on j.id = i.job_id
      where i.state = 'waiting' and i.lane = ${lane} and i.shard = any(${shards}::bigint[])
        and j.cancelled_at is null and j.begin_by > ${now}
      order by i.job_id, i.position limit ${limit} for update of i skip locked)
    update job_item i set state = 'running', runner = ${runner}, started_at = ${now}, attempts = i.attempts + 1
    from taken t where i.job_id = t.job_id and i.user_id = t.user_id
    returning i.job_id as "jobId", i.user_id as "userId", t.kind, t.by_user as "byUser", t.by_email as "byEmail",
      i.attempts as attempt`.execute(db)
  return rows
}

/** Whether an item may go to the next process, told by its job `j`. */
const mayAgain = ({ repeatable, now }: Claim) =>
  sql`(j.kind = any(${repeatable}::text[]) and j.cancelled_at is null and j.begin_by > ${now})`

/** Each of them ends once: what another process has taken over meanwhile is its. */
export async function endItems(db: Db, claim: Claim, ends: readonly (Item & { ended: Ended })[]): Promise<void> {
  const rows = ends.map(({ jobId, userId, ended }) => ({
    job_id: jobId,
    user_id: userId,
    state: ended.state,
    result: ended.state === 'leftOff' ? NOT_SURE : ended.result,
  }))
  const again = sql`(e.state = 'leftOff' and ${mayAgain(claim)})`
  await sql`
    update job_item i set
      state = case when ${again} then 'waiting' when e.state = 'leftOff' then 'failed' else e.state end,
      result = case when ${again} then null else e.result end,
      finished_at = case when ${again} then null else ${claim.now}::bigint end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (job_id bigint, user_id text, state text, result text)
      join job j on j.id = e.job_id
    where i.job_id = e.job_id and i.user_id = e.user_id and i.state = 'running' and i.runner = ${claim.runner}`.execute(
    db,
  )
}

/** What processes that are gone were working on: it waits again, or its end says that nobody knows. */
export async function takeOverItems(db: Db, claim: Claim): Promise<void> {
  const again = mayAgain(claim)
  await sql`
    update job_item i set
      state = case when ${again} then 'waiting' else 'failed' end,
      result = case when ${again} then null else ${NOT_SURE} end,
      finished_at = case when ${again} then null else ${claim.now}::bigint end
    from job j
    where j.id = i.job_id and j.finished_at is null and i.state = 'running' and i.runner <> ${claim.runner}
      and i.shard = any(${claim.shards}::bigint[])`.execute(db)
}

/** What waits in a job whose time is over, or that was cancelled in the very moment in which an item was given back. */
export async function endLateItems(db: Db, { shards, now }: Claim): Promise<void> {
  await sql`
    update job_item i set
      state = case when j.cancelled_at is null then 'failed' else 'cancelled' end,
      result = case when j.cancelled_at is null then ${TOO_LATE} else ${CANCELLED} end,
      finished_at = ${now}
    from job j
    where j.id = i.job_id and j.finished_at is null and i.state = 'waiting'
      and i.shard = any(${shards}::bigint[]) and (j.begin_by <= ${now} or j.cancelled_at is not null)`.execute(db)
}

/**
 * Marks jobs as finished whose items have all ended, and returns them: each is returned to one process only. To be called after
 * what ended was committed, so that of two processes that end the last items the later one sees both.
 */
export async function finishJobs(db: Db, now: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update job j set finished_at = ${now}
    where j.finished_at is null
      and not exists (select from job_item i where i.job_id = j.id and i.state in ('waiting', 'running'))
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function hasOpenJobs(db: Db): Promise<boolean> {
  const { rows } = await sql`select from job where finished_at is null limit 1`.execute(db)
  return rows.length > 0
}
