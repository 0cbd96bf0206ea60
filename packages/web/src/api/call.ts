import type { Input, Reply } from '@digger/contract'
import { paths, type CallName } from '@digger/contract/paths'
import { takePrefetched } from './prefetch.ts'
import { Problem, problemOf } from './problem.ts'
import { withProgress } from './progress.ts'

/** The parts of a request that its call has: params, query, body. */
export type CallInput<N extends CallName> = {
  [K in keyof Input<N> as Input<N>[K] extends undefined ? never : K]: Input<N>[K]
}
export type Part = Record<string, string | number | undefined>
type Loose = { params?: Part; query?: Part; body?: unknown }

interface CallOptions {
  signal?: AbortSignal
  /** Shows the page-wide progress; off for what happens in the background. */
  progress?: boolean
}

/** One call of the contract. Throws `Problem`. */
export async function call<N extends CallName>(
  name: N,
  given: CallInput<N>,
  { signal, progress = true }: CallOptions = {},
): Promise<Reply<N>> {
  const [method, path] = paths[name]
  const { params = {}, query = {}, body }: Loose = given
  const init: RequestInit = { method, credentials: 'same-origin', ...(signal && { signal }) }
  if (body !== undefined) {
    init.headers = { 'content-type': 'application/json' }
    init.body = JSON.stringify(body)
  }
  const task = () => request<Reply<N>>(urlOf(path, params, query), init)
  return progress ? withProgress(task) : task()
}

export function urlOf(path: string, params: Part, query: Part = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_all, key: string) => encodeURIComponent(String(params[key])))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(key, String(value))
  return search.size > 0 ? `${filled}?${search}` : filled
}

/** The contract types the reply; the server checks it against the same schema before sending. */
async function request<T>(url: string, init: RequestInit): Promise<T> {
  const asked = (init.method === 'GET' && takePrefetched(url)) || fetch(url, init)
  const response = await asked.catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause
    throw new Problem('OFFLINE', '서버에 연결할 수 없습니다. 인터넷 연결을 확인해 주세요.', { cause })
  })
  if (!response.ok) throw await problemOf(response)
  const reply: T = await response.json()
  return reply
}
