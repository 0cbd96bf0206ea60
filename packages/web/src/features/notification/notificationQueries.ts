import type { Reply } from '@digger/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { putReply } from '../../api/putReply.ts'
import { read } from '../../api/read.ts'
import { usePathUser } from '../../url/user.ts'

/** No event says that something was delivered, ms. */
const REFETCH_INTERVAL_MS = 10_000
/** While somebody waits for it, ms. */
export const WAITING_INTERVAL_MS = 1_500

/** The settings and channels of the user in the path. */
export function useSetup(refetchInterval = REFETCH_INTERVAL_MS) {
  const userId = usePathUser()
  return useQuery({ ...read('notificationSetup', { params: { userId } }), refetchInterval })
}

/** The last hundred notifications, read more often while somebody waits for what becomes of one. */
export function useMessages(isWaiting?: (messages: Reply<'notifications'>) => boolean) {
  const userId = usePathUser()
  return useQuery({
    ...read('notifications', { params: { userId } }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isWaiting?.(data) ? WAITING_INTERVAL_MS : REFETCH_INTERVAL_MS,
  })
}

/** Every change is answered by the whole setup, which all parts of the page then show. */
export function usePutSetup(): (setup: Reply<'notificationSetup'>) => void {
  const userId = usePathUser()
  const client = useQueryClient()
  return (setup) => putReply(client, read('notificationSetup', { params: { userId } }).queryKey, setup)
}
