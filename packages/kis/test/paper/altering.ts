import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/** The reply as it shall come; undefined: as it came. `address`: path and parameters of the request. */
export type Alteration = (address: string, body: Record<string, unknown>) => unknown

export interface Altering extends AsyncDisposable {
  readonly url: string
  /** Requests that write: method and path. */
  readonly writes: readonly string[]
}

/** Stands between the client and the pretend broker, and may alter replies. */
export async function alteringProxy(target: string, alter: Alteration = () => undefined): Promise<Altering> {
  const writes: string[] = []
  const server = createServer((incoming, response) => {
    if (incoming.method !== 'GET' && incoming.url?.startsWith('/oauth2/') !== true) writes.push(incoming.url ?? '')
    pass(incoming, response, target, alter).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : new Error(String(error))),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    writes,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** What the connection is about, and what fetch sets by itself. */
const OF_THE_LINE = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding', 'date'])

const passedOn = (headers: Iterable<readonly [string, string]>): [string, string][] =>
  [...headers].flatMap(([name, value]) => (OF_THE_LINE.has(name.toLowerCase()) ? [] : [[name, value]]))

async function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  target: string,
  alter: Alteration,
): Promise<void> {
  const sent = await text(incoming)
  const { method = 'GET', url = '/' } = incoming
  const headers = passedOn(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const))
  const reply = await fetch(`${target}${url}`, { method, headers, ...(method !== 'GET' && { body: sent }) })
  const came = await reply.text()
  const altered = came.startsWith('{') ? alter(url, JSON.parse(came)) : undefined
  response.writeHead(reply.status, Object.fromEntries(passedOn(reply.headers)))
  response.end(altered === undefined ? came : JSON.stringify(altered))
}
