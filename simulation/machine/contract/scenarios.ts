import { createServer as createHttp, type Server as HttpServer } from 'node:http'
import { connect, createServer, type Server, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

/** Where the two programs of a scenario run: in this Node process both, or in two processes of a simulation. */
export interface Place {
  asServer<T>(run: () => T): T
  asClient<T>(run: () => T): T
}

/** What each side saw, in its order; between the two there is none. */
export interface Seen {
  readonly server: string[]
  readonly client: string[]
}

/** Long enough for everything at hand to happen on a loaded machine, ms. */
const SETTLED_MS = 400

function note(log: string[], socket: Socket, read = true): Socket {
  socket.on('error', (error: NodeJS.ErrnoException) => log.push(`error ${error.code ?? error.message}`))
  if (read) socket.on('data', (bytes) => log.push(bytes.length > 100 ? 'much data' : `data ${bytes.toString()}`))
  for (const event of ['connect', 'end', 'finish', 'timeout']) socket.on(event, () => log.push(event))
  socket.on('close', (hadError) => log.push(`close ${hadError}`))
  return socket
}

const portOf = (server: Server | HttpServer): number => {
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

interface Pair {
  readonly seen: Seen
  readonly client: Socket
  readonly taken: Socket[]
}

type Act = (pair: Pair) => void | Promise<void>

interface Setting {
  readonly allowHalfOpen?: boolean
  readonly serverReads?: boolean
  readonly taken?: (socket: Socket) => void
}

/** A server and one client; `act` runs once they are connected. */
const pair =
  (act: Act, { allowHalfOpen = false, serverReads = true, taken }: Setting = {}): Scenario =>
  async (place, port) => {
    const seen: Seen = { server: [], client: [] }
    const sockets: Socket[] = []
    const server = place.asServer(() =>
      createServer({ allowHalfOpen }, (socket) => {
        sockets.push(note(seen.server, socket, serverReads))
        taken?.(socket)
      }).listen(port, '127.0.0.1'),
    )
    await wait(SETTLED_MS)
    const client = place.asClient(() => note(seen.client, connect({ port: portOf(server), host: '127.0.0.1' })))
    await wait(SETTLED_MS)
    await act({ seen, client, taken: sockets })
    await wait(SETTLED_MS)
    const done = { server: [...seen.server], client: [...seen.client] }
    for (const socket of [client, ...sockets]) socket.destroy()
    server.close()
    return done
  }

export type Scenario = (place: Place, port: number) => Promise<Seen>

const echo = (socket: Socket): void => void socket.on('data', (bytes) => socket.write(bytes))

async function refusedConnection(place: Place): Promise<Seen> {
  const client: string[] = []
  // Nobody listens at the port of echo (RFC 862).
  const socket = place.asClient(() => note(client, connect({ port: 7, host: '127.0.0.1' })))
  client.push(`connecting ${socket.connecting} ${socket.pending} ${socket.readyState}`)
  await wait(SETTLED_MS)
  return { server: [], client }
}

async function goneWhileConnecting(place: Place, port: number): Promise<Seen> {
  return pair(async ({ client, seen }) => {
    const again = { port: client.remotePort ?? 0, host: '127.0.0.1' }
    const second = place.asClient(() => note(seen.client, connect(again)))
    second.write('never', (error) => seen.client.push(`not written: ${error instanceof Error}`))
    second.destroy()
  })(place, port)
}

/** Two requests over one connection, then the server ends it. */
async function httpKeepAlive(place: Place, port: number): Promise<Seen> {
  const seen: Seen = { server: [], client: [] }
  const server = place.asServer(() =>
    createHttp((request, response) => {
      seen.server.push(`${request.method} ${request.url}`)
      request.resume().on('end', () => {
        if (request.url === '/gone') request.socket.destroy()
        else if (request.url !== '/silent') response.end(`answer to ${request.url}`)
      })
    }).listen(port, '127.0.0.1'),
  )
  server.on('connection', () => seen.server.push('connection'))
  await wait(SETTLED_MS)
  const pool = place.asClient(
    () => new Pool(`http://127.0.0.1:${portOf(server)}`, { connections: 1, headersTimeout: 1_500 }),
  )
  const ask = async (path: string): Promise<void> => {
    try {
      const { statusCode, body } = await place.asClient(() => pool.request({ path, method: 'POST', body: 'x' }))
      seen.client.push(`${statusCode} ${await body.text()}`)
    } catch (error) {
      seen.client.push(error instanceof Error && 'code' in error ? String(error.code) : String(error))
    }
  }
  await ask('/one')
  await ask('/two')
  await ask('/gone')
  await ask('/silent')
  await pool.destroy()
  server.closeAllConnections()
  server.close(() => seen.server.push('closed'))
  await wait(SETTLED_MS)
  return seen
}

const textOf = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString() : '')

const webSocket =
  (end: 'close' | 'terminate'): Scenario =>
  async (place, port) => {
    const seen: Seen = { server: [], client: [] }
    const http = place.asServer(() => createHttp().listen(port, '127.0.0.1'))
    place.asServer(() =>
      new WebSocketServer({ server: http }).on('connection', (socket) => {
        socket.on('message', (data) => socket.send(`heard ${textOf(data)}`))
        socket.on('error', (error) => seen.server.push(`error ${error.message}`))
        socket.on('close', (code) => seen.server.push(`close ${code}`))
      }),
    )
    await wait(SETTLED_MS)
    const socket = place.asClient(() => new WebSocket(`ws://127.0.0.1:${portOf(http)}`))
    socket.on('open', () => socket.send('hello'))
    socket.on('message', (data) => seen.client.push(textOf(data)))
    socket.on('close', (code) => seen.client.push(`close ${code}`))
    // A busy machine opens it late.
    for (let tries = 0; tries < 100 && seen.client.length === 0; tries += 1) await wait(2 * SETTLED_MS)
    socket[end]()
    await wait(SETTLED_MS)
    http.closeAllConnections()
    http.close()
    return seen
  }

/** The order line of the product: given up, and the reset that the broker sees (decision 019). */
async function orderGivenUp(place: Place, port: number): Promise<Seen> {
  const seen: Seen = { server: [], client: [] }
  const { Http } = await import(new URL('../../../packages/kis/src/transport/http.ts', import.meta.url).href)
  const server = place.asServer(() =>
    createHttp((request, response) => {
      seen.server.push(request.url ?? '')
      if (request.url === '/quick') response.end('{}')
    }).listen(port, '127.0.0.1'),
  )
  server.on('connection', (socket: Socket) => {
    socket.on('error', (error: NodeJS.ErrnoException) => seen.server.push(`error ${error.code}`))
    socket.on('end', () => seen.server.push('end'))
    socket.on('close', (hadError) => seen.server.push(`close ${hadError}`))
  })
  await wait(SETTLED_MS)
  const client = place.asClient(
    () => new Http(`http://127.0.0.1:${portOf(server)}`, { connectMs: 2_000, totalMs: 500, closeMs: 100 }),
  )
  for (const path of ['/quick', '/order', '/quick']) {
    const order = { method: 'POST', path, headers: {}, body: '{"PDNO":"005930"}' }
    const sent: Promise<{ text: string }> = place.asClient(() => client.send(order, 'order'))
    seen.client.push(
      await sent.then(
        ({ text }) => text,
        (error) => `written ${error.written}`,
      ),
    )
  }
  await client.close()
  await wait(SETTLED_MS)
  server.close()
  return seen
}

const MUCH = Buffer.alloc(30_000_000)

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'echo, then the end': pair(({ client }) => void client.end('hello'), { taken: echo }),
  'destroyed with bytes just written': pair(({ client }) => {
    client.write('hello')
    client.destroy()
  }),
  'destroyed with an error': pair(({ client }) => void client.destroy(new Error('enough'))),
  'reset with bytes just written': pair(({ client }) => {
    client.write('hello')
    client.resetAndDestroy()
  }),
  'half closed, answered afterwards': pair(({ client }) => void client.end('question'), {
    allowHalfOpen: true,
    taken: (socket) => socket.on('end', () => socket.end('answer')),
  }),
  'written to after it was closed': pair(
    async ({ client, taken }) => {
      client.destroy()
      await wait(SETTLED_MS)
      taken[0]?.write('into the void')
      await wait(SETTLED_MS)
      taken[0]?.write('again')
    },
    { allowHalfOpen: true },
  ),
  'closed with something unread': pair(
    async ({ client, taken }) => {
      client.write('unread')
      await wait(SETTLED_MS)
      taken[0]?.destroy()
    },
    { serverReads: false, taken: (socket) => socket.pause() },
  ),
  'closed with much unread': pair(
    async ({ client, taken }) => {
      client.write(Buffer.alloc(500_000))
      await wait(SETTLED_MS)
      taken[0]?.destroy()
    },
    { serverReads: false, taken: (socket) => socket.pause() },
  ),
  'a writer waits for a reader': pair(
    async ({ client, taken, seen }) => {
      client.on('drain', () => seen.client.push('drain'))
      seen.client.push(`room ${client.write(MUCH)}`)
      await wait(SETTLED_MS)
      seen.client.push('nobody reads')
      let read = 0
      taken[0]?.on('data', (bytes: Buffer) => (read += bytes.length))
      for (let tries = 0; tries < 40 && read < MUCH.length; tries++) await wait(SETTLED_MS)
      seen.server.push(`read ${read}`)
    },
    { serverReads: false },
  ),
  'silent for too long': pair(async ({ client }) => {
    client.setTimeout(40, () => client.destroy(new Error('silent')))
    await wait(SETTLED_MS)
  }),
  'an end while bytes are on their way': pair(({ client, taken }) => {
    taken[0]?.write('to the client')
    client.end('to the server')
  }),
  refused: refusedConnection,
  'given up while connecting': goneWhileConnecting,
  'HTTP over one connection': httpKeepAlive,
  'a web socket is closed': webSocket('close'),
  'a web socket is cut': webSocket('terminate'),
  'an order is given up': orderGivenUp,
}
