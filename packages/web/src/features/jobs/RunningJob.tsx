import { useJobs } from './jobQueries.ts'
import { JobPanel } from './JobPanel.tsx'
import { isRunning } from './jobText.ts'

/** The bulk job that is going on, whoever began it and wherever: also after a reload. */
export function useRunningJob(): number | null {
  const { data: jobs = [] } = useJobs()
  return jobs.find((job) => isRunning(job) && job.kind !== 'dayClose')?.id ?? null
}

export const RunningJob = ({ jobId }: { jobId: number | null }) => jobId !== null && <JobPanel jobId={jobId} />
