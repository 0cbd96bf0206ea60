import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { read } from '../../api/read.ts'
import { useServerProgress } from '../../live/useLive.ts'
import { isRunning } from './jobText.ts'

/** While a job goes on it is read again after this time, ms; an event of its progress is faster. */
const RUNNING_INTERVAL_MS = 1_000
/** What others begin comes without an event. */
const IDLE_INTERVAL_MS = 10_000
const PAGE = 100

/** The last jobs, newest first. */
export function useJobs() {
  const query = useQuery({
    ...read('jobs', {}),
    refetchInterval: ({ state: { data = [] } }) => (data.some(isRunning) ? RUNNING_INTERVAL_MS : IDLE_INTERVAL_MS),
  })
  useRefetchOnProgress()
  return query
}

/** One job with the first of its users, failures first. */
export function useJob(jobId: number, pages: number) {
  const query = { offset: '0', limit: String(Math.min(pages * PAGE, 500)) }
  return useQuery({
    ...read('job', { params: { jobId: String(jobId) }, query }),
    // The list grows in place: no flash of another page.
    placeholderData: (before) => (before?.id === jobId ? before : undefined),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isRunning(data) ? RUNNING_INTERVAL_MS : false),
  })
}

export function useRefreshJobs(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ predicate: ({ queryKey: [name] }) => name === 'jobs' || name === 'job' })
}

function useRefetchOnProgress(): void {
  const progress = useServerProgress()
  const client = useQueryClient()
  useEffect(() => {
    if (progress !== null)
      void client.invalidateQueries({ predicate: ({ queryKey: [name] }) => name === 'jobs' || name === 'job' })
  }, [client, progress])
}
