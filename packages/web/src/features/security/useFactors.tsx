import type { Reply } from '@digger/contract'
import { useQueryClient } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { ask } from '../../ask/ask.ts'
import { usePathUser } from '../../url/user.ts'
import { NewCodes } from './NewCodes.tsx'

export type FactorsView = Reply<'factors'>

/** Shows what the server says there is now. */
export function usePutFactors(): (factors: FactorsView) => Promise<unknown> {
  const client = useQueryClient()
  const userId = usePathUser()
  return async (factors) => {
    client.setQueryData(read('factors', { params: { userId } }).queryKey, factors)
    // Every query may have been refused for want of a factor.
    await client.invalidateQueries()
  }
}

/** Ten codes are there for this moment only: the dialog closes when its person says that they have them. */
export const showCodes = (codes: readonly string[], first: boolean): Promise<unknown> =>
  ask.panel((close) => <NewCodes codes={codes} first={first} onClose={close} />)
