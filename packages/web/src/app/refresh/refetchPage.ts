import type { QueryClient } from '@tanstack/react-query'
import { asProblem, type Problem } from '../../api/problem.ts'

/** Reads anew what is on the screen, and has the rest read when it is seen next. The first failure, or null. */
export async function refetchPage(client: QueryClient): Promise<Problem | null> {
  await client.invalidateQueries()
  const failed = client
    .getQueryCache()
    .findAll({ type: 'active' })
    .find(({ state }) => state.status === 'error')
  return failed ? asProblem(failed.state.error) : null
}
