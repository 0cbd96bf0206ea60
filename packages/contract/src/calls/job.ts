import { z } from 'zod'
import { BulkKind, Job, JobItemState, JobPage, JobPreview } from '../jobs.ts'
import type { Call } from './call.ts'
import { workerCalls } from './worker.ts'

const ofJob = z.object({ jobId: z.coerce.number().pipe(z.int().min(1)) })
const kind = z.object({ kind: BulkKind })
const started = z.object({ jobId: z.int() })
/** Items of one page. */
export const MAX_ITEMS = 500
const page = z.object({
  state: JobItemState.optional(),
  offset: z.coerce.number().pipe(z.int().min(0)).default(0),
  limit: z.coerce.number().pipe(z.int().min(1).max(MAX_ITEMS)).default(100),
})

/** Work for all users that goes on by itself, whatever becomes of who asked and of the process that began it. */
export const jobCalls = {
  ...workerCalls,
  previewJob: { summary: '일괄 작업 미리 보기', access: 'admin', params: kind, reply: JobPreview },
  jobs: { summary: '최근 작업', access: 'admin', reply: z.array(Job) },
  startJob: { summary: '일괄 작업 시작', access: 'admin', body: kind, reply: started },
  job: { summary: '작업 하나와 사용자별 결과', access: 'admin', params: ofJob, query: page, reply: JobPage },
  cancelJob: { summary: '작업 멈추기: 아직 시작하지 않은 것은 하지 않음', access: 'admin', params: ofJob, reply: Job },
  retryJob: { summary: '되지 않은 사용자만 다시 하기', access: 'admin', params: ofJob, reply: started },
} as const satisfies Record<string, Call>
