import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { randomBytes } from 'node:crypto'
import { GATEWAY } from '@digger/kis'
import { FIRST_PHANTOM_NUMBER, type CallFault } from '../faults/faults.ts'
import type { Broker } from '../broker/broker.ts'
import { authAccount, authReply } from './auth.ts'
import type { Reply, Call } from './call.ts'
import type { ReplyArchive } from './archive.ts'
import { Gateway, gatewayReply, notImitated, type Request, type Traffic } from './gateway.ts'
import { HANDLERS } from './handlers.ts'
import { receipt } from './orders.ts'
import type { Keys } from './keys.ts'

/** Serves `/sim/…`, which is no part of the broker's own wire. */
export type Control = (request: Request) => Promise<Reply | null>

/** The execution notices, as far as a call needs them: notices of an account wait until the returned function runs. */
interface NoticeHold {
  hold(account: string): () => void
}

const MAX_BODY_BYTES = 1_000_000

const isOrder = ({ name }: Call): boolean => name === 'orderBuy' || name === 'orderSell' || name === 'orderRevise'

interface PlannedReply {
  readonly reply: Reply
  /** Ms before the reply goes out. */
  readonly wait: number
  readonly lose: 'reset' | 'hang' | null
  readonly trId: string
  /** Runs when the reply has gone out, or would have. */
  readonly after: () => void
}

export class RestServer {
  readonly http: Server
  readonly #broker: Broker
  readonly #keys: Keys
  readonly #gateway: Gateway
  readonly #notices: NoticeHold
  readonly #control: Control
  readonly #archive: ReplyArchive | null

  constructor(broker: Broker, keys: Keys, notices: NoticeHold, control: Control, archive: ReplyArchive | null) {
    this.#broker = broker
    this.#keys = keys
    this.#gateway = new Gateway(broker, keys)
    this.#notices = notices
    this.#control = control
    this.#archive = archive
    // Node's default drops idle connections after 5 s, in the middle of a client's next request.
    const keepAliveTimeout = broker.assumed.answers.idleConnectionMs
    this.http = createServer({ keepAliveTimeout }, (request, response) => {
      response.sendDate = broker.assumed.answers.replyTime === 'dated'
      this.#serve(request, response).catch((error: unknown) => {
        // This program made the mistake, not the caller: the reply names it, and serving goes on.
        const body = { rt_cd: '1', msg_cd: GATEWAY.serverError, msg1: `pretend KIS: ${String(error)}` }
        if (response.headersSent) response.destroy()
        else write(response, { status: 500, body }, '')
      })
    })
  }

  get traffic(): Traffic {
    return this.#gateway.traffic
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // Leaving a body half read takes the socket from its request, so it is taken down here.
    const { socket } = incoming
    const asSent = await read(incoming)
    if (!asSent) {
      socket.destroy()
      return
    }
    const isTaken = !SLASHES.test(asSent.path) || this.#broker.assumed.decide('doubledSlash') === 'taken'
    const request = isTaken ? withSingleSlashes(asSent) : asSent
    if (request.path === '/sim' || request.path.startsWith('/sim/')) {
      write(response, (await this.#control(request)) ?? notImitated(request), '')
      return
    }
    const planned = this.#auth(request) ?? (await this.#admitted(request))
    const send = (): void => {
      if (planned.lose === 'reset') incoming.socket.destroy()
      else if (planned.lose === null) write(response, planned.reply, planned.trId)
      planned.after()
    }
    if (planned.wait === 0) send()
    else this.#broker.clock.after(planned.wait * this.#broker.timeScale(), send)
  }

  #auth(request: Request): PlannedReply | null {
    const name = { '/oauth2/tokenP': 'token', '/oauth2/Approval': 'approval' }[request.path] ?? request.path
    if (!request.path.startsWith('/oauth2/') && request.path !== '/uapi/hashkey') return null
    const account = authAccount(this.#keys, request)
    const fault = this.#broker.faults.call(account?.number ?? null, name)
    const carryOut = (): Reply => authReply(this.#keys, request) ?? notImitated(request)
    return { ...this.#applyFault(fault, carryOut), trId: '', after: () => undefined }
  }

  async #admitted(request: Request): Promise<PlannedReply> {
    const { pace } = this.#broker
    if (pace === null) return this.#business(request)
    const text = request.body === '' ? [...request.query].join('&') : request.body
    await pace.enter({ appKey: request.headers['appkey'] ?? '', path: request.path, text })
    const planned = this.#business(request)
    return { ...planned, after: () => void pace.replied().then(planned.after) }
  }

  #business(request: Request): PlannedReply {
    const trId = request.headers['tr_id'] ?? ''
    const call = this.#gateway.admit(request)
    if ('status' in call) return { reply: call, wait: 0, lose: null, trId, after: () => undefined }
    const { calls } = this.#broker
    calls.set(call.name, (calls.get(call.name) ?? 0) + 1)
    const fault = this.#broker.faults.call(call.account.number, call.name)
    // The reply goes before the notices of what it did, unless a fault turns that round.
    const release = fault?.kind === 'noticeFirst' ? () => undefined : this.#notices.hold(call.account.number)
    const carryOut = (): Reply => this.#archive?.replyTo(call) ?? HANDLERS[call.name](call)
    const planned = this.#applyFault(fault, carryOut, isOrder(call) ? call : null)
    return { ...planned, wait: planned.wait + this.#latency(call), trId, after: release }
  }

  /** Carries a call out as the fault in force allows, or not at all. */
  #applyFault(
    fault: CallFault | null,
    carryOut: () => Reply,
    order: Call | null = null,
  ): Pick<PlannedReply, 'reply' | 'wait' | 'lose'> {
    const well = { wait: 0, lose: null }
    const { clock, faults } = this.#broker
    switch (fault?.kind) {
      case undefined:
        return { ...well, reply: carryOut() }
      case 'loseRequest':
        return { ...well, reply: gatewayReply('EGW00301'), lose: fault.how ?? 'reset' }
      case 'lateRequest':
        clock.after(fault.ms * this.#broker.timeScale(), () => faults.carryOut('lateRequest', carryOut))
        return { ...well, reply: gatewayReply('EGW00301'), lose: fault.how ?? 'reset' }
      case 'doubleRequest': {
        const reply = carryOut()
        faults.carryOut('doubleRequest', carryOut)
        return { ...well, reply }
      }
      case 'phantom':
        return { ...well, reply: order === null ? carryOut() : receipt(order, this.#phantom()) }
      case 'loseReply':
        return { ...well, reply: carryOut(), lose: fault.how ?? 'reset' }
      case 'delay':
        return { ...well, reply: carryOut(), wait: fault.ms }
      case 'noticeFirst':
        return { ...well, reply: carryOut(), wait: fault.ms ?? 50 }
      case 'refuse':
        return {
          ...well,
          reply: { status: 200, body: { rt_cd: '1', msg_cd: fault.code, msg1: fault.text.padEnd(80) } },
        }
      case 'code':
        if (fault.carriedOut) carryOut()
        return { ...well, reply: gatewayReply(fault.code, fault.status) }
      case 'broken':
        if (fault.carriedOut) carryOut()
        return { ...well, reply: { status: fault.status ?? 500, body: BROKEN_BODIES[fault.body ?? 'empty'] } }
    }
  }

  #latency(call: Call): number {
    const { latency, dice } = this.#broker
    return dice.within(isOrder(call) ? latency.orderReply : latency.reply)
  }

  /** A receipt of an order that never exists; its number is far above those of real orders. */
  #phantom(): { odno: string; at: number } {
    const odno = String(FIRST_PHANTOM_NUMBER + (this.#broker.faults.counts().phantom ?? 0))
    return { odno, at: this.#broker.clock.now() }
  }
}

const SLASHES = /\/{2,}/
const withSingleSlashes = (request: Request): Request => ({ ...request, path: request.path.replaceAll(/\/{2,}/g, '/') })

const BROKEN_BODIES = {
  empty: { rt_cd: '1', msg_cd: '', msg1: '' },
  html: '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>',
  blank: '',
} as const

async function read(incoming: IncomingMessage): Promise<Request | null> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_BODY_BYTES) return null
      chunks.push(chunk)
    }
  } catch {
    return null
  }
  const [path = '/', search = ''] = (incoming.url ?? '/').split('?', 2)
  const query = new Map([...new URLSearchParams(search)].map(([name, value]) => [name.toLowerCase(), value]))
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
  return {
    method: incoming.method ?? 'GET',
    path,
    headers,
    query,
    body: Buffer.concat(chunks).toString('utf8'),
  }
}

/**
 * Header names keep their case on the wire: those with a hyphen capitalised, the broker's own three in lower case. The
 * broker's Python client makes attributes of the lower-case ones and stumbles over any with a hyphen.
 */
function write(response: ServerResponse, { status, body, cont = '' }: Reply, trId: string): void {
  const html = typeof body === 'string'
  const bytes = Buffer.from(html ? body : JSON.stringify(body))
  const head = [
    'Content-Type',
    html ? 'text/html' : 'application/json; charset=utf-8',
    'Content-Length',
    String(bytes.length),
  ]
  if (trId !== '') head.push('tr_id', trId, 'tr_cont', cont, 'gt_uid', randomBytes(16).toString('hex'))
  response.writeHead(status, head)
  response.end(bytes)
}
