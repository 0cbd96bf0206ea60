import type { Reply } from '@digger/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { putReply } from '../../api/putReply.ts'
import { read } from '../../api/read.ts'
import { usePathUser } from '../../url/user.ts'

type Tokens = Reply<'apiTokens'>

/** The tokens of the user in the path. */
export function useTokens() {
  const userId = usePathUser()
  return useQuery(read('apiTokens', { params: { userId } }))
}

/** Puts what a change has left in the place of what was shown. */
export function usePutTokens(): (change: (tokens: Tokens) => Tokens) => void {
  const userId = usePathUser()
  const client = useQueryClient()
  return (change) =>
    putReply<Tokens>(client, read('apiTokens', { params: { userId } }).queryKey, (tokens) => change(tokens ?? []))
}
