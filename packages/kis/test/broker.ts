import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { createKis, UNLIMITED } from '../src/index.ts'
import type { KisEnv, KisOptions, KisRest, StoredToken } from '../src/index.ts'

export interface Seen {
  readonly method: string
  readonly path: string
  readonly trId: string
  readonly query: Record<string, string>
  readonly body: Record<string, string>
  readonly headers: Record<string, string | string[] | undefined>
}

/** `hang`: no answer; `reset`: the connection is cut after the request was read. */
export type Reply = 'hang' | 'reset' | { status?: number; cont?: string; body: unknown }
export type Answering = (seen: Seen, nth: number) => Reply | undefined

export interface Broker extends AsyncDisposable {
  readonly url: string
  /** Business calls, without token and approval. */
  readonly seen: Seen[]
  readonly tokens: string[]
  answer: Answering
  /** Bytes of all connections so far. */
  bytes(): number
}

const Fields = z.record(z.string(), z.string())
const OK_TOKEN = { token_type: 'Bearer', expires_in: 86_400, access_token_token_expired: '2099-01-01 00:00:00' }

/** An HTTP server that answers what a test tells it to. */
export async function startBroker(answer: Answering): Promise<Broker> {
  const seen: Seen[] = []
  const tokens: string[] = []
  const server = createServer((request, response) => void handle(request, response))
  const bytes = countBytes(server)

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const call: Seen = {
      method: request.method ?? '',
      path: url.pathname,
      trId: String(request.headers['tr_id'] ?? ''),
      query: Object.fromEntries(url.searchParams),
      body: Fields.parse(body === '' ? {} : JSON.parse(body)),
      headers: request.headers,
    }
    const reply = broker.answer(call, seen.filter((other) => other.path === call.path).length + 1)
    if (call.path.startsWith('/oauth2/')) {
      if (reply === undefined) {
        tokens.push(`token${tokens.length + 1}`)
        send(response, { body: { ...OK_TOKEN, access_token: tokens.at(-1), approval_key: 'approval' } })
      } else send(response, reply)
      return
    }
    seen.push(call)
    send(response, reply ?? { status: 404, body: '<html>nothing here</html>' })
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const broker: Broker = {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    seen,
    tokens,
    answer,
    bytes,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
  return broker
}

function countBytes(server: Server): () => number {
  let bytes = 0
  server.on('connection', (socket) => {
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
  })
  return () => bytes
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return
  if (reply === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  if (reply.cont !== undefined) response.setHeader('tr_cont', reply.cont)
  response.statusCode = reply.status ?? 200
  response.setHeader('Content-Type', 'application/json')
  response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
}

export const CREDENTIALS = {
  appKey: 'PSabcdefghijklmnopqrstuvwxyz01234567',
  appSecret: 'secret',
  accountNumber: '12345678-01',
  htsId: 'tester01',
}

/** 2026-11-16 10:00:00 KST, a Monday. */
export const NOW = Date.parse('2026-11-16T01:00:00Z')

/** A client of that server, with nothing to wait for. */
export function clientOf(url: string, options: Partial<KisOptions> = {}) {
  const stored = new Map<string, StoredToken>()
  return createKis({
    env: 'real',
    restUrl: url,
    wsUrl: 'ws://127.0.0.1:9',
    credentials: CREDENTIALS,
    tokens: {
      load: async (id) => stored.get(id) ?? null,
      save: async (id, token) => void stored.set(id, token),
    },
    now: () => NOW,
    limits: UNLIMITED,
    retries: { attempts: 3, pauseMs: 1 },
    timeouts: { totalMs: 10_000, connectMs: 5_000 },
    tokenTimes: { spacingMs: 0, backOffMs: 0 },
    ...options,
  })
}

export const ok = (output: Record<string, unknown>, code = 'KIOK0510') => ({
  rt_cd: '0',
  msg_cd: code,
  msg1: '조회가 완료되었습니다',
  ...output,
})
export const bad = (code: string, message = '', rtCd = '1') => ({ rt_cd: rtCd, msg_cd: code, msg1: message.padEnd(80) })

/** One call to a broker that answers every business call this way, the token calls aside. */
export async function asking<T>(
  answer: (seen: Seen, nth: number) => Reply,
  ask: (rest: KisRest) => Promise<T>,
  env: KisEnv = 'real',
  options: Partial<KisOptions> = {},
) {
  await using broker = await startBroker((seen, nth) =>
    seen.path.startsWith('/oauth2/') ? undefined : answer(seen, nth),
  )
  const { rest } = clientOf(broker.url, { env, ...options })
  const result = await ask(rest).then(
    (value) => ({ value, error: null }),
    (error: unknown) => ({ value: null, error }),
  )
  await rest.close()
  return { ...result, seen: broker.seen }
}
