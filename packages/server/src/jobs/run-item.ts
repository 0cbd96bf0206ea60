import { BulkKind, JobKind, LostAnswer } from '@digger/contract'
import { background, type Database, shardOf } from '@digger/database'
import type { Ended, Item } from '@digger/jobs'
import { FencedError } from '@digger/storage'
import { type AuditLine, beginLine, failureDetail, lineAtEnd, problemOf } from '@digger/http'
import { KINDS, type KindOfWork, type WorkDeps } from './kinds.ts'

export interface RunDeps extends WorkDeps {
  readonly database: Pick<Database, 'db' | 'owned'>
  /** Those whose accounts are here, with their keys, and stay. */
  readonly shards: () => readonly number[]
}

/** Does one user's part of a job, with its line in the account's log. One user's failure is that user's line. */
export async function runItem(deps: RunDeps, item: Item): Promise<Ended> {
  const { userId } = item
  const kind = KINDS[JobKind.parse(item.kind)]
  try {
    // Taking risk away waits for nothing; what else is done for everybody gives way to orders.
    if (kind.lane !== 'urgent') await background.own()
    await openAccount(deps, userId)
    const line = await openLine(deps, item, kind)
    const [ended, detail] = await attempt(deps, item, kind)
    await line.end(detail)
    return ended
  } catch (error) {
    return failure(deps, userId, error)
  }
}

/** A user who signed up since has an account that nobody has loaded. */
async function openAccount({ accounts }: RunDeps, userId: string): Promise<void> {
  if (!accounts.has(userId)) await accounts.open(userId)
}

const NO_LINE: AuditLine = { end: async () => undefined }

async function openLine({ database, clock, log }: RunDeps, item: Item, kind: KindOfWork): Promise<AuditLine> {
  const { userId, byEmail } = item
  const isBulk = BulkKind.safeParse(item.kind).success
  const entry = {
    at: clock.now(),
    user_id: userId,
    by_email: byEmail,
    action: isBulk ? `일괄 ${kind.name}` : kind.name,
    detail: '',
  }
  const deps = { db: database.db, log }
  if (kind.audit === 'none') return NO_LINE
  return kind.audit === 'after' ? lineAtEnd(deps, entry) : beginLine(deps, entry)
}

async function attempt(
  deps: RunDeps,
  { userId, jobId }: Item,
  { work }: KindOfWork,
): Promise<readonly [ended: Ended, detail: string]> {
  try {
    const result = await work(deps, userId, jobId)
    // Without its account there may have been nothing to do it with.
    if (!isHere(deps, userId)) return [{ state: 'leftOff' }, result]
    return [{ state: 'done', result }, result]
  } catch (error) {
    return [failure(deps, userId, error), failureDetail(error)]
  }
}

/** Neither with another process nor on its way to one. */
const isHere = ({ shards }: RunDeps, userId: string): boolean => shards().includes(shardOf(userId))

/** Where the account has gone to another process meanwhile, that one decides what becomes of it. */
function failure(deps: RunDeps, userId: string, error: unknown): Ended {
  if (error instanceof FencedError || error instanceof LostAnswer || !isHere(deps, userId)) return { state: 'leftOff' }
  const problem = problemOf(error)
  if (problem === null) deps.log.error({ err: error, userId }, 'bulk call failed')
  return { state: 'failed', result: problem?.message ?? '서버에서 문제가 생겼습니다. 잠시 뒤 다시 해 주세요.' }
}
