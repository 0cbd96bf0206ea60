import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http'
import type { Stage } from '../crash/stage.ts'
import { startTrading, type FaultContext } from './fault-injection.ts'

/** One REST call as it passes. */
export interface BrokerCall {
  readonly path: string
  readonly trId: string
  readonly body: string
}

export interface BrokerReply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Handles a call instead of forwarding it and its reply. `pass` may be called never, once or more often. */
export type Interceptor = (call: BrokerCall, pass: () => Promise<BrokerReply>) => Promise<BrokerReply>

/** Node's default drops idle connections after 5 s, in the middle of a client's next request. */
const KEEP_ALIVE_MS = 75_000

/** Stands between a server and the broker's REST port, on a socket of its own. The price socket does not pass here. */
export class BrokerProxy {
  readonly url: string
  intercept: Interceptor | null = null
  readonly #server: Server
  readonly #agent = new Agent({ keepAlive: true })

  private constructor(server: Server, url: string) {
    this.#server = server
    this.url = url
  }

  static async before(stage: Stage): Promise<BrokerProxy> {
    const { url: target } = addressesOf(stage)
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const proxy = new BrokerProxy(server, `http://127.0.0.1:${port}`)
    server.on('request', (incoming, response) => {
      const answered = async (): Promise<void> => {
        const body = await textOf(incoming)
        const pass = (): Promise<BrokerReply> => proxy.#pass(target, incoming, body)
        const call = { path: incoming.url ?? '/', trId: String(incoming.headers['tr_id'] ?? ''), body }
        const reply = await (proxy.intercept === null ? pass() : proxy.intercept(call, pass))
        const { 'transfer-encoding': _, 'content-length': __, connection: ___, ...headers } = reply.headers
        const bytes = Buffer.from(reply.body)
        response.writeHead(reply.status, { ...headers, 'content-length': bytes.length })
        response.end(bytes)
      }
      answered().catch(() => incoming.socket.destroy())
    })
    return proxy
  }

  async #pass(target: string, { method, url, headers }: IncomingMessage, body: string): Promise<BrokerReply> {
    const out = request(new URL(url ?? '/', target), {
      method: method ?? 'GET',
      headers: { ...headers, host: new URL(target).host, connection: 'keep-alive' },
      agent: this.#agent,
    })
    out.end(body === '' ? undefined : body)
    const [reply]: IncomingMessage[] = await once(out, 'response')
    if (reply === undefined) throw new Error('no reply')
    return { status: reply.statusCode ?? 502, headers: reply.headers, body: await textOf(reply) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy()
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

/** Starts a server whose REST calls to the broker pass through a proxy. */
export async function beginBehindProxy(open: FaultContext['open']) {
  const stage = await open()
  await using cleanup = new AsyncDisposableStack()
  const proxy = cleanup.use(await BrokerProxy.before(stage))
  const server = await startTrading(stage, { KIS_REST_URL: proxy.url })
  const rest = cleanup.move()
  return { stage, proxy, server, [Symbol.asyncDispose]: () => rest.disposeAsync() }
}

/** Where the pretend broker of a stage listens: it prints it as its first line. */
export function addressesOf({ market }: Stage): { url: string; wsUrl: string } {
  const line = /\{.*\}/.exec(market.output)?.[0]
  if (line === undefined) throw new Error('the pretend broker has not printed its address')
  return JSON.parse(line)
}

/** A body must be read whole before it is forwarded. */
async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** An order as it leaves; null for every other call. */
export interface SentOrder {
  readonly account: string
  readonly code: string
  readonly side: 'buy' | 'sell'
  readonly count: number
  readonly price: number
}

export function orderIn({ path, trId, body }: BrokerCall): SentOrder | null {
  if (!path.endsWith('/order-cash')) return null
  const { CANO, ACNT_PRDT_CD, PDNO, ORD_QTY, ORD_UNPR }: Record<string, string> = JSON.parse(body)
  return {
    account: `${CANO}${ACNT_PRDT_CD}`,
    code: String(PDNO),
    side: trId.endsWith('12U') ? 'buy' : 'sell',
    count: Number(ORD_QTY),
    price: Number(ORD_UNPR),
  }
}

/** The number the broker gave an order, ten digits; null when it was not accepted. */
export function numberIn({ body }: BrokerReply): string | null {
  const { rt_cd: verdict, output }: { rt_cd?: string; output?: { ODNO?: string } } = JSON.parse(body)
  const odno = output?.ODNO
  return verdict === '0' && odno !== undefined ? odno.trim().padStart(10, '0') : null
}
