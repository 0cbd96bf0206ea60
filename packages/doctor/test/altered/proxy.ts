import { once } from 'node:events'
import { createServer, request as requestOf, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/** A reply to the nth business call, counted from 0. */
export interface Passing {
  readonly nth: number
  readonly path: string
  readonly body: unknown
}

export interface Proxy extends AsyncDisposable {
  readonly url: string
  /** What the next calls' replies become; the body as it came where it returns undefined. Begins to count anew. */
  watch(change: (passing: Passing) => unknown): void
  /** What replies to requests for tokens and approval keys become; null: as they came. */
  changeKeys: ((path: string, body: unknown) => unknown) | null
  /** POST requests other than for keys that came through. */
  readonly posts: string[]
}

const asItCame = (): undefined => undefined

/** Between a client and the pretend broker: passes everything on, spelling of headers included, and may change a reply. */
export async function proxyOf(target: string): Promise<Proxy> {
  let change: (passing: Passing) => unknown = asItCame
  let calls = 0
  const posts: string[] = []
  const proxy: Pick<Proxy, 'changeKeys'> = { changeKeys: null }
  const server = createServer((incoming, response) => {
    const nth = incoming.method === 'GET' ? calls++ : -1
    if (incoming.method !== 'GET' && incoming.url?.startsWith('/oauth2/') !== true) posts.push(incoming.url ?? '')
    pass(incoming, response, target, (body) =>
      nth < 0 ? proxy.changeKeys?.(incoming.url ?? '', body) : change({ nth, path: incoming.url ?? '', body }),
    ).catch((error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    watch(next: (passing: Passing) => unknown) {
      change = next
      calls = 0
    },
    posts,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

async function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  target: string,
  change: (body: unknown) => unknown,
): Promise<void> {
  const sent = await text(incoming)
  const { method, headers } = incoming
  const onward = requestOf(`${target}${incoming.url ?? '/'}`, { method, headers })
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  onward.on('response', resolve).on('error', reject)
  onward.end(sent)
  const reply = await promise
  const came = await text(reply)
  const isJson = came.startsWith('{')
  const other = isJson ? change(JSON.parse(came)) : undefined
  const bytes = Buffer.from(other === undefined ? came : JSON.stringify(other))
  const names = reply.rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, reply.rawHeaders[at + 1] ?? ''] as const] : [],
  )
  response.sendDate = false
  for (const [name, value] of names)
    response.setHeader(name, name.toLowerCase() === 'content-length' ? String(bytes.length) : value)
  response.statusCode = reply.statusCode ?? 200
  response.end(bytes)
}
