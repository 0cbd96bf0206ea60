import { createServer } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { KisOptions, KisSocket, SocketState } from '../src/index.ts'
import { clientOf } from './broker.ts'

const Registration = z.object({
  header: z.object({ approval_key: z.string(), tr_type: z.string() }),
  body: z.object({ input: z.object({ tr_id: z.string(), tr_key: z.string() }) }),
})

export interface Asked {
  readonly type: string
  readonly trId: string
  readonly trKey: string
  readonly approval: string
}

export const NOTICE_KEY = { key: 'kq3n7v0c9x2m5b8w1z4t6y0r2p5s8d1f', iv: '9f1c3a5e7b2d4068' }

/** A socket server that acknowledges everything unless told otherwise. */
export class Stream implements AsyncDisposable {
  readonly asked: Asked[] = []
  readonly connections: WebSocket[] = []
  readonly paths: string[] = []
  /** Texts that are no registrations. */
  readonly texts: string[] = []
  approvals = 0
  /** Null: no answer. */
  answer: (asked: Asked, connection: number) => object | string | null = ack
  readonly #http = createServer((request, response) => {
    void text(request).then(() => {
      this.approvals += 1
      response.setHeader('Content-Type', 'application/json')
      return response.end(JSON.stringify({ approval_key: `approval${this.approvals}` }))
    })
  })
  readonly #ws = new WebSocketServer({ server: this.#http })

  async listen(): Promise<this> {
    this.#ws.on('connection', (socket, request) => {
      const connection = this.connections.push(socket)
      this.paths.push(request.url ?? '')
      socket.on('error', () => socket.terminate())
      socket.on('message', (data: Buffer) => this.#message(socket, data.toString('utf8'), connection))
    })
    this.#http.listen(0, '127.0.0.1')
    await once(this.#http, 'listening')
    return this
  }

  get host(): string {
    const address = this.#http.address()
    return `127.0.0.1:${address !== null && typeof address === 'object' ? address.port : ''}`
  }

  send(frame: string | object): void {
    this.connections.at(-1)?.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  #message(socket: WebSocket, message: string, connection: number): void {
    const parsed = Registration.safeParse(JSON.parse(message))
    if (!parsed.success) {
      this.texts.push(message)
      return
    }
    const { header, body } = parsed.data
    const asked = {
      type: header.tr_type,
      trId: body.input.tr_id,
      trKey: body.input.tr_key,
      approval: header.approval_key,
    }
    this.asked.push(asked)
    const answer = this.answer(asked, connection)
    if (answer !== null) socket.send(typeof answer === 'string' ? answer : JSON.stringify(answer))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.connections) socket.terminate()
    this.#ws.close()
    this.#http.closeAllConnections()
    this.#http.close()
    await once(this.#http, 'close')
  }
}

export const ack = ({ type, trId, trKey }: Asked): object => ({
  header: { tr_id: trId, tr_key: trKey, encrypt: trId.startsWith('H0STCNI') ? 'Y' : 'N' },
  body:
    type === '1'
      ? { rt_cd: '0', msg_cd: 'OPSP0000', msg1: 'SUBSCRIBE SUCCESS', output: NOTICE_KEY }
      : { rt_cd: '0', msg_cd: 'OPSP0001', msg1: 'UNSUBSCRIBE SUCCESS' },
})

export const nack = (code: string, message = '', asked: Partial<Asked> = {}, rtCd = '1'): object => ({
  header: { tr_id: asked.trId ?? '(null)', tr_key: asked.trKey ?? '', encrypt: 'N' },
  body: { rt_cd: rtCd, msg_cd: code, msg1: message },
})

/** Times short enough for a test. */
export const TIMES = {
  openMs: 2_000,
  ackMs: 2_000,
  idleTimeoutMs: 60_000,
  backOffMs: 20,
  backOffMaxMs: 100,
  stableMs: 60_000,
  attemptsPerHour: 1_000,
  inUseWaitMs: 60,
  releaseMs: 60_000,
  refusedWaitMs: 600_000,
}

export function socketOf(stream: Stream, options: Partial<KisOptions> = {}) {
  const { rest, socket } = clientOf(`http://${stream.host}`, {
    wsUrl: `ws://${stream.host}`,
    ...options,
    socketTimes: { ...TIMES, ...options.socketTimes },
  })
  const states: [SocketState, string][] = []
  const problems: Error[] = []
  socket.observe({
    stateChanged: (state, why) => states.push([state, why]),
    problemFound: (error) => problems.push(error),
  })
  return {
    socket,
    states,
    problems,
    async [Symbol.asyncDispose](): Promise<void> {
      await socket.close()
      await rest.close()
    },
  }
}

/** Resolves at the next change to this state. */
export const nextState = (socket: KisSocket, wanted: SocketState): Promise<string> =>
  new Promise((resolve) => {
    socket.observe({
      stateChanged: (state, why) => {
        if (state === wanted) resolve(why)
      },
    })
  })
