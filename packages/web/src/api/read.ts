import type { Reply } from '@digger/contract'
import { paths, type CallName } from '@digger/contract/paths'
import { QueryClient, queryOptions } from '@tanstack/react-query'
import { call, urlOf, type CallInput, type Part } from './call.ts'
import { hasPrefetched, takePrefetchedText } from './prefetch.ts'
import { asProblem, type Problem } from './problem.ts'
import { report } from './send.ts'
import { shareEqual } from './sharing.ts'

/** The key of a reply in the query cache: call, path parameters, query. */
export type ReadKey = readonly [call: CallName, params: Part, query: Part]

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: ReadKey
    defaultError: Problem
  }
}

/** Query options of a reading call. Its failure is shown by the page (a handler of its own), not as an alert. */
export function read<N extends CallName>(name: N, given: CallInput<N>) {
  const { params = {}, query = {} }: { params?: Part; query?: Part } = given
  const queryKey: ReadKey = [name, params, query]
  const prefetched = hasPrefetched() ? takePrefetchedText(urlOf(paths[name][1], params, query)) : undefined
  return queryOptions<Reply<N>, Problem, Reply<N>>({
    queryKey,
    ...(prefetched && { initialData: replyIn<N>(prefetched.text), initialDataUpdatedAt: prefetched.at }),
    queryFn: ({ client, signal }) =>
      call(name, given, { signal, progress: client.getQueryData(queryKey) === undefined }).catch((error: unknown) => {
        report(error, leaveToPage)
        throw asProblem(error)
      }),
  })
}

function replyIn<N extends CallName>(text: string): Reply<N> {
  const reply: Reply<N> = JSON.parse(text)
  return reply
}

const leaveToPage = () => undefined
const RETRYABLE = new Set<Problem['code']>(['OFFLINE', 'BROKER_UNREACHABLE', 'BUSY'])

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Live events keep the cache fresh; this only covers what no event reports.
        staleTime: 10_000,
        structuralSharing: shareEqual,
        gcTime: 5 * 60_000,
        retry: (failures, error) => failures < 2 && RETRYABLE.has(error.code),
        retryDelay: (failures) => 700 * 2 ** failures,
        // The browser's own idea of being online is often wrong on phones.
        networkMode: 'always',
      },
    },
  })
}
