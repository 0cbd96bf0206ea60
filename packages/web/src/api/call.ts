import type { Input, Reply } from '@digger/contract'
import { isKeyed, KEY_HEADER, LOST_HEADER, paths, type CallName } from '@digger/contract/paths'
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
  const headers: Record<string, string> = {}
  const init: RequestInit = { method, headers, credentials: 'same-origin', ...(signal && { signal }) }
  if (body !== undefined) {
    headers['content-type'] = 'application/json'
    init.body = JSON.stringify(body)
  }
  const keyed = isKeyed(name, body)
  // The same whenever this press is sent again, so that it is done once.
  if (keyed) headers[KEY_HEADER] = newKey()
  const task = () => request<Reply<N>>(urlOf(path, params, query), init, keyed ? REPEATS : 0)
  const run = () => (progress ? withProgress(task) : task())
  try {
    return await run()
  } catch (error) {
    // Refused before anything was done: sent again under the same key.
    if (!(error instanceof Problem) || error.code !== 'STEP_UP' || !(await proveAgain())) throw error
    return run()
  }
}

let proveAgain: () => Promise<boolean> = () => Promise.resolve(false)

/** Sets how its person proves who they are where the server wants to be sure; resolves to whether they did. */
export function onStepUp(prove: () => Promise<boolean>): void {
  proveAgain = prove
}

export function urlOf(path: string, params: Part, query: Part = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_all, key: string) => encodeURIComponent(String(params[key])))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(key, String(value))
  return search.size > 0 ? `${filled}?${search}` : filled
}

/** How often a press whose reply was lost is sent again. */
const REPEATS = 2
const REPEAT_MS = 700

/** Random, and also where a page that came without TLS has no `randomUUID`. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

/** The contract types the reply; the server checks it against the same schema before sending. */
async function request<T>(url: string, init: RequestInit, repeats: number, wait = REPEAT_MS): Promise<T> {
  const again = async (): Promise<T> => {
    await new Promise((resolve) => setTimeout(resolve, wait))
    return request<T>(url, init, repeats - 1, wait * 2)
  }
  let response: Response
  try {
    response = await ((init.method === 'GET' && takePrefetched(url)) || fetch(url, init))
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    if (repeats > 0) return again()
    throw new Problem('OFFLINE', '서버에 연결할 수 없습니다. 인터넷 연결을 확인해 주세요.', { cause })
  }
  if (repeats > 0 && response.headers.has(LOST_HEADER)) return again()
  if (!response.ok) throw await problemOf(response)
  const reply: T = await response.json()
  return reply
}
