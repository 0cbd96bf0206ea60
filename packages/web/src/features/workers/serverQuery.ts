import type { ServerState } from '@digger/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNow } from '../../clock/now.ts'
import { read } from '../../api/read.ts'

const POLL_INTERVAL_MS = 2_000
/** After a first read that failed: whoever presses the button is faster. */
const FAILED_INTERVAL_MS = 10_000
/** So old is what is shown when a few polls in a row had no answer, ms. */
export const LATE_MS = 8_000

/** Who is there, read again and again while the page is in sight. */
export function useServer() {
  const query = useQuery({
    ...read('adminServer', {}),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data === undefined ? FAILED_INTERVAL_MS : POLL_INTERVAL_MS),
  })
  const { dataUpdatedAt } = query
  const isLate = useNow((now) => dataUpdatedAt > 0 && now - dataUpdatedAt > LATE_MS)
  return { query, isLate: isLate && query.error === null }
}

export function usePutServer(): (state: ServerState) => void {
  const client = useQueryClient()
  return (state) => void client.setQueryData(read('adminServer', {}).queryKey, state)
}
