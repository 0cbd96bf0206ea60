import { createServer } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { request } from 'undici'

export interface Listener {
  readonly url: string
  /** Access tokens and approval keys the broker handed out. */
  readonly handedOut: Set<string>
  close(): void
}

/** Stands between server and broker, passes everything on, and remembers what only they should know. */
export async function listenTo(broker: string): Promise<Listener> {
  const handedOut = new Set<string>()
  const server = createServer((asked, answer) => {
    void (async () => {
      const { host: _host, connection: _connection, ...headers } = asked.headers
      const body = await text(asked)
      const method = asked.method === 'POST' ? 'POST' : 'GET'
      const reply = await request(broker + asked.url, { method, headers, ...(body === '' ? {} : { body }) })
      const sent = await reply.body.text()
      for (const [, , key] of sent.matchAll(/"(access_token|approval_key)"\s*:\s*"([^"]+)"/g)) handedOut.add(key ?? '')
      const { 'transfer-encoding': _encoding, 'content-length': _length, ...rest } = reply.headers
      answer.writeHead(reply.statusCode, rest).end(sent)
    })().catch(() => answer.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    handedOut,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
