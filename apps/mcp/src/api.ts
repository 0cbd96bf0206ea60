import { type Calls, calls, type CallName, paths, Problem, type Reply } from '@digger/contract'
import type { Place } from './environment.ts'

/** Calls that a token may make which only reads. */
export type ReadCall = {
  [N in CallName]: Calls[N] extends { readonly tokens: 'read' } ? N : never
}[CallName]

/** Ten years of days are some 200 KB; what is far longer is no reply of ours. */
const MAX_BYTES = 8_000_000
const TIMEOUT_MS = 30_000

/** Why there is no answer: a sentence for whoever asked. It never contains the token. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
}

/** Parts of a path, and a query, as texts. */
interface Given {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
}

/** Reads the account of the token's owner. There is no way here to change anything. */
export class DiggerApi {
  readonly #place: Place

  constructor(place: Place) {
    this.#place = place
  }

  /** Throws ApiError. */
  async read<N extends ReadCall>(name: N, { params = {}, query = {} }: Given = {}): Promise<Reply<N>> {
    const [method, path] = paths[name]
    if (method !== 'GET') throw new ApiError(`${name}: 읽기만 합니다.`)
    const values: Given['params'] = { ...params, userId: 'user' }
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(values[part] ?? ''))
    const url = new URL(filled, this.#place.url)
    for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, value)
    return replyOf(name, await this.#ask(url))
  }

  async #ask(url: URL): Promise<unknown> {
    let reply: Response
    let text: string
    try {
      // Elsewhere the token has no business.
      const headers = { authorization: `Bearer ${this.#place.token}`, accept: 'application/json' }
      reply = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
      text = await textOf(reply)
    } catch (error) {
      if (error instanceof ApiError) throw error
      throw new ApiError(AWAY, { cause: error })
    }
    const body = parsed(text)
    if (reply.ok) return body
    const problem = Problem.safeParse(body).data
    if (problem?.code === 'LOGIN_REQUIRED') throw new ApiError(NO_TOKEN)
    throw new ApiError(problem === undefined ? `${AWAY} (HTTP ${reply.status})` : `Digger의 답: ${problem.message}`)
  }
}

/** As the contract has it: what a newer server adds is left out. */
function replyOf<N extends ReadCall>(name: N, body: unknown): Reply<N>
function replyOf(name: ReadCall, body: unknown): unknown {
  const { data, success } = calls[name].reply.safeParse(body)
  if (!success) throw new ApiError(OTHER_VERSION)
  return data
}

async function textOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    if (bytes > MAX_BYTES) throw new ApiError(TOO_LONG)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const AWAY = 'Digger 서버에 닿지 못했습니다. 서버가 켜져 있는지, DIGGER_URL이 맞는지 확인해 주세요.'
const NO_TOKEN =
  'Digger가 이 API 토큰을 받지 않습니다. 없앴거나 기한이 지났습니다. Digger의 API 토큰 화면에서 새로 만들어 바꿔 주세요.'
const OTHER_VERSION = 'Digger 서버의 답을 읽지 못했습니다. 서버와 MCP 서버를 같은 판으로 맞춰 주세요.'
const TOO_LONG = 'Digger 서버의 답이 너무 깁니다. 종목이나 기간을 줄여 다시 물어 주세요.'
