import type { BulkKind } from '@digger/contract'
import { type ItemView, itemsOf } from '@digger/jobs'
import type { Given, Handlers } from '@digger/http'
import type { Services } from '../services.ts'
import { type JobCalls, jobHandlers, needProofOf } from './job.ts'

type BulkCalls = 'bulkLogin' | 'bulkCancel' | 'bulkSell' | 'bulkCheck' | 'bulkFix'

/**
 * Who asks is answered within this, ms: longer than any account takes by itself, shorter than what the proxies in between
 * allow (a minute is usual). The job goes on: it is shown, and can be stopped.
 */
const BULK_ANSWER_MS = 50_000

/** One call, one answer with a line for each user; and the calls about jobs that go on. */
export function bulkHandlers(services: Services): Pick<Handlers, BulkCalls | JobCalls> {
  const { jobs, database } = services
  const bulk =
    (kind: BulkKind) =>
    async ({ caller }: Given<BulkCalls>) => {
      await needProofOf(services, caller, kind)
      const jobId = await jobs.begin(kind, caller)
      await jobs.wait(jobId, BULK_ANSWER_MS)
      return { results: (await itemsOf(database.db, jobId)).map(resultOf), jobId }
    }
  return {
    ...jobHandlers(services),
    bulkLogin: bulk('login'),
    bulkCancel: bulk('cancel'),
    bulkSell: bulk('sell'),
    bulkCheck: bulk('check'),
    bulkFix: bulk('fix'),
  }
}

const resultOf = ({ userId, email, state, result }: ItemView) => ({
  userId,
  email,
  ok: state === 'done',
  message: result ?? (state === 'running' ? RUNNING : WAITING),
})

const RUNNING = '아직 하고 있습니다. 작업 화면에서 결과를 확인해 주세요.'
const WAITING = '아직 차례가 오지 않았습니다. 뒤에서 이어서 하며, 작업 화면에서 결과를 보거나 멈출 수 있습니다.'
