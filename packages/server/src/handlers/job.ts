import { BulkKind, type Job, JobKind, Refused } from '@digger/contract'
import { kstIso } from '@digger/core'
import { cancelJob, countsOf, itemsOf, jobOf, type JobView, openJobOf, recentJobs } from '@digger/jobs'
import type { Handlers } from '@digger/http'
import { previewOf } from './job-preview.ts'
import type { Session } from '@digger/identity'
import { needProof } from './prove.ts'
import { KINDS } from '../jobs/kinds.ts'
import type { Services } from '../services.ts'

export type JobCalls = 'previewJob' | 'jobs' | 'startJob' | 'job' | 'cancelJob' | 'retryJob'

export function jobHandlers(services: Services): Pick<Handlers, JobCalls> {
  const { jobs, wall } = services
  const { db } = services.database
  return {
    previewJob: ({ params: { kind } }) => previewOf(services, kind),
    jobs: async () => (await recentJobs(db, JobKind.options, 30)).map(viewOf),
    async startJob({ body: { kind }, caller }) {
      await needProofOf(services, caller, kind)
      await refuseSecond(services, kind)
      return { jobId: await jobs.begin(kind, caller) }
    },
    async job({ params: { jobId }, query: { state, offset, limit } }) {
      const job = await existing(services, jobId)
      const items = await itemsOf(db, jobId, {
        failuresFirst: true,
        offset,
        limit,
        ...(state === undefined ? {} : { states: [state] }),
      })
      const lines = items.map(({ userId, email, state: own, result }) => ({
        userId,
        email,
        state: own,
        message: result,
      }))
      return { ...viewOf(job), items: lines, offset }
    },
    async cancelJob({ params: { jobId } }) {
      await existing(services, jobId)
      if (await cancelJob(db, jobId, wall.now())) jobs.changed(jobId)
      return viewOf(await existing(services, jobId))
    },
    async retryJob({ params: { jobId }, caller }) {
      const kind = bulkKind(await existing(services, jobId))
      await needProofOf(services, caller, kind)
      await refuseSecond(services, kind)
      const left = await itemsOf(db, jobId, { states: ['failed', 'cancelled'] })
      if (left.length === 0) throw new Refused('CONFLICT', '다시 할 사용자가 없습니다. 결과를 확인해 주세요.')
      const users = left.map(({ userId }) => userId)
      return { jobId: await jobs.begin(kind, caller, users) }
    },
  }
}

/** What sells for everybody. */
export async function needProofOf(services: Services, caller: Session, kind: BulkKind): Promise<void> {
  if (kind === 'sell') await needProof(services, caller)
}

async function existing({ database }: Services, jobId: number): Promise<JobView> {
  const job = await jobOf(database.db, jobId)
  if (job === null) throw new Refused('NOT_FOUND', '그런 작업이 없습니다. 작업 목록에서 다시 골라 주세요.')
  return job
}

/** Two of a kind would only do everything twice. */
async function refuseSecond({ database }: Services, kind: BulkKind): Promise<void> {
  if ((await openJobOf(database.db, kind)) === null) return
  const text = `${KINDS[kind].name} 작업이 이미 진행되고 있습니다. 끝나기를 기다리거나 그 작업을 멈춘 뒤 다시 해 주세요.`
  throw new Refused('CONFLICT', text)
}

function bulkKind({ kind }: JobView): BulkKind {
  const known = BulkKind.safeParse(kind)
  if (known.success) return known.data
  throw new Refused('CONFLICT', '모든 사용자에게 하는 작업이 아니라 여기서는 다시 할 수 없습니다.')
}

function viewOf(job: JobView): Job {
  const kind = JobKind.parse(job.kind)
  return {
    id: job.id,
    kind,
    name: KINDS[kind].name,
    by: job.byUser === null ? null : job.byEmail,
    at: kstIso(job.at),
    cancelledAt: job.cancelledAt === null ? null : kstIso(job.cancelledAt),
    finishedAt: job.finishedAt === null ? null : kstIso(job.finishedAt),
    total: countsOf(job).total,
    counts: job.counts,
  }
}
