import { useQuery } from '@tanstack/react-query'
import { read } from '../api/read.ts'
import { ME, usePathUser } from '../url/user.ts'
import { useOthersPage } from './viewer.ts'

/** `waiting`: another's page, before the server has said whether it may be seen. */
type Access = 'open' | 'waiting' | 'refused'

/** Whether the account of the path may be seen at all: an ordinary user sees only their own, nobody sees one that is not there. */
export function useAccess(): Access {
  const others = useOthersPage()
  const userId = usePathUser()
  const { data, error } = useQuery({ ...read('me', { params: { userId } }), enabled: others })
  if (!others || userId === ME || data !== undefined) return 'open'
  if (error === null) return 'waiting'
  // Any other failure says nothing of the account: its pages report it.
  return error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND' ? 'refused' : 'open'
}

/** Whose pages the links of a frame lead to: the path's user, or one's own where that may not be seen. */
export function useLinkUser(): string {
  const user = usePathUser()
  return useAccess() === 'refused' ? ME : user
}
