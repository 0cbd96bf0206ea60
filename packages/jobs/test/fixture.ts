import { type Db, realClock } from '@digger/database'
import { ALL_SHARDS } from '@digger/database/testing'
import { createJob, type NewJob } from '../src/create.ts'
import type { Ended, Item } from '../src/items.ts'
import { JobRunner, type RunnerParts } from '../src/runner.ts'

/** In their order: sixteen letters, as every user's id. */
export const userId = (n: number): string =>
  Array.from(String(n).padStart(16, '0'), (digit) => 'abcdefghij'.charAt(Number(digit))).join('')

/** Users without anything but a row. */
export async function addUsers(db: Db, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => userId(n))
  const rows = ids.map((id, n) => ({
    id,
    email: `${id}@digger.test`,
    password_hash: 'x',
    digger_admin: false,
    account_masked: '****1234',
    account_mark: Buffer.from(id),
    bank_balance: 0,
    created_at: n,
    password_ends_at: null,
  }))
  for (let at = 0; at < rows.length; at += 1_000)
    await db
      .insertInto('users')
      .values(rows.slice(at, at + 1_000))
      .execute()
  return ids
}

/** A job for everybody, made by the first user. */
export async function makeJob(db: Db, more: Partial<NewJob> = {}): Promise<number> {
  const at = Date.now()
  const job = { kind: 'again', lane: 'bulk', key: null, byUser: userId(0), byEmail: 'boss@digger.test', at }
  const id = await createJob(db, { ...job, beginBy: at + 3_600_000, users: 'all', ...more })
  if (id === null) throw new Error('there is one with this key')
  return id
}

export interface Watched {
  readonly runner: JobRunner
  readonly problems: unknown[]
  readonly progressed: number[]
  /** Resolves when the job is over. */
  readonly finished: (jobId: number) => Promise<void>
}

/** A runner that works on each item by `work`; of the kind `again` what nobody knows is done again. */
export function runnerOf(db: Db, work: (item: Item) => Promise<Ended>, more: Partial<RunnerParts> = {}): Watched {
  const problems: unknown[] = []
  const progressed: number[] = []
  const over = new Map<number, PromiseWithResolvers<void>>()
  const end = (jobId: number): PromiseWithResolvers<void> => {
    const known = over.get(jobId) ?? Promise.withResolvers<void>()
    over.set(jobId, known)
    return known
  }
  const runner = new JobRunner({
    db,
    clock: realClock,
    shards: () => ALL_SHARDS,
    lanes: { urgent: 4, bulk: 4 },
    repeatable: ['again'],
    work,
    progressed: (jobs) => progressed.push(...jobs),
    finished: (jobId) => end(jobId).resolve(),
    problem: (error) => problems.push(error),
    ...more,
  })
  return { runner, problems, progressed, finished: (jobId) => end(jobId).promise }
}

export const done = (result = '했습니다.'): Ended => ({ state: 'done', result })
export const failed = (result = '못 했습니다.'): Ended => ({ state: 'failed', result })
