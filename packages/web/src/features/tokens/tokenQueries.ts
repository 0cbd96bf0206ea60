import type { Reply } from '@digger/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { usePathUser } from '../../url/user.ts'

type Tokens = Reply<'apiTokens'>

/** The tokens of the user in the path. */
export function useTokens() {
  const userId = usePathUser()
  return useQuery(read('apiTokens', { params: { userId } }))
}

/** Puts what a change has left in the place of what was shown. */
export function usePutTokens(): (change: (tokens: Tokens) => Tokens) => Promise<void> {
  const userId = usePathUser()
  const client = useQueryClient()
  return async (change) => {
    const { queryKey } = read('apiTokens', { params: { userId } })
    // A reading under way may be from before the change.
    await client.cancelQueries({ queryKey, exact: true })
    client.setQueryData<Tokens>(queryKey, (tokens) => change(tokens ?? []))
  }
}
