import { randomUUID } from 'node:crypto'
import { type Bus, NoAnswerError, NobodyThereError, type Owners } from '@digger/cluster'
import { type CallName, isKeyed, isServerStop, KEY_HEADER, OutcomeUnknown, paths, Refused } from '@digger/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { setTimeout as delay } from 'node:timers/promises'
import type { Granted } from '../http/access.ts'
import { callSubject, ForwardedCall, ForwardedReply, MOVED, REQUEST_HEADERS } from './forwarded-call.ts'
import { pack, unpack } from './frame.ts'

/** Calls about an account that need nothing of it but the tables, or a person's cookies or password. */
const AT_THE_GATEWAY: ReadonlySet<CallName> = new Set([
  'adminUser',
  'audit',
  'changePassword',
  'createUserKey',
  'deleteUserKey',
  'events',
])

/** Whether a call is carried out by whoever has the account. */
export const isForwarded = (name: CallName): boolean => paths[name][1].includes('{userId}') && !AT_THE_GATEWAY.has(name)

/** As long as the slowest call answers in one process, and a little more for the way, ms. */
const ANSWER_MS = 40_000
/** The answer to a command may have been lost: its owner is asked again, which joins it where it is still under way, ms. */
const LOST_AFTER_MS = 20_000
/** An account that nobody has is taken over within seconds: a call waits for its new owner, ms. */
const OWNER_MS = 8_000
const LOOK_MS = 100
/** While an answer is awaited: whether the account has another owner by now, ms. */
const OWNER_LOOK_MS = 500

export interface ForwardParts {
  readonly bus: Bus
  readonly owners: Pick<Owners, 'of' | 'read'>
  readonly lostAfterMs?: number
}

/** How a call stands to being asked again when nobody knows whether it was done. */
type Repeat = 'read' | 'keyed' | 'harmless' | 'never'

interface Sent {
  readonly userId: string
  readonly message: Buffer
  readonly repeat: Repeat
}

/** `notDone`: it may be asked of somebody else. `unknown`: it may have been done. */
type Answer = Uint8Array | 'notDone' | 'unknown'

/** Sends calls to the worker that has the account, and its replies on as they come. */
export class CallForwarder {
  readonly #bus: Bus
  readonly #owners: ForwardParts['owners']
  readonly #lostAfterMs: number

  constructor({ bus, owners, lostAfterMs = LOST_AFTER_MS }: ForwardParts) {
    this.#bus = bus
    this.#owners = owners
    this.#lostAfterMs = lostAfterMs
  }

  /**
   * A call that certainly was not done goes to the account's next owner; one that may have been is asked once more, with its key.
   * Throws Refused BUSY where no worker has the account, OutcomeUnknown where nobody knows even then whether it was done.
   */
  async forward(name: CallName, request: FastifyRequest, reply: FastifyReply, granted: Granted): Promise<FastifyReply> {
    const sent = { userId: granted.userId, message: messageOf(request, granted), repeat: repeatOf(name, request) }
    const end = performance.now() + ANSWER_MS
    let until = performance.now() + OWNER_MS
    let isRepeated = false
    for (;;) {
      const left = end - performance.now()
      const answer = await this.#ask(sent, sent.repeat === 'keyed' && !isRepeated ? this.#lostAfterMs : left)
      if (answer instanceof Uint8Array) return replyWith(reply, answer)
      if (answer === 'unknown' && sent.repeat !== 'read') {
        if (isRepeated || sent.repeat === 'never') throw new OutcomeUnknown(NO_ANSWER, 'BUSY')
        isRepeated = true
        until = performance.now() + OWNER_MS
      }
      if (performance.now() > Math.min(until, end)) {
        if (isRepeated) throw new OutcomeUnknown(NO_ANSWER, 'BUSY')
        throw new Refused('BUSY', NOBODY)
      }
      await delay(LOOK_MS)
      await this.#owners.read()
    }
  }

  async #ask(sent: Sent, ms: number): Promise<Answer> {
    const worker = await this.#owners.of(sent.userId)
    if (worker === null) return 'notDone'
    const watch = { isOver: false }
    try {
      return await Promise.race([this.#answer(worker, sent, ms), this.#takenOver(worker, sent.userId, watch)])
    } finally {
      watch.isOver = true
    }
  }

  async #answer(worker: string, { message }: Sent, ms: number): Promise<Answer> {
    try {
      const answer = await this.#bus.request(callSubject(worker), message, ms)
      const { status, isLost } = ForwardedReply.parse(unpack(answer).head)
      if (isLost) return 'unknown'
      return status === MOVED ? 'notDone' : answer
    } catch (error) {
      if (error instanceof NobodyThereError) return 'notDone'
      if (error instanceof NoAnswerError) return 'unknown'
      throw error
    }
  }

  /** Ends once somebody else has the account: a worker that has died does not answer, and needs not be waited for. */
  async #takenOver(worker: string, userId: string, watch: { readonly isOver: boolean }): Promise<Answer> {
    for (;;) {
      await delay(OWNER_LOOK_MS, undefined, { ref: false })
      if (watch.isOver) return 'unknown'
      // A database that is away says nothing of the worker.
      const now = await this.#owners.of(userId).catch(() => worker)
      if (now !== null && now !== worker) return 'unknown'
    }
  }
}

function repeatOf(name: CallName, { method, body }: FastifyRequest): Repeat {
  if (method === 'GET') return 'read'
  if (isKeyed(name, body)) return 'keyed'
  return isServerStop(name, body) ? 'never' : 'harmless'
}

function messageOf(request: FastifyRequest, { caller, userId }: Granted): Buffer {
  const headers = REQUEST_HEADERS.flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const { method, url, ip: address, body } = request
  const key = method === 'GET' ? {} : { [KEY_HEADER]: String(request.headers[KEY_HEADER] ?? randomUUID()) }
  const head = ForwardedCall.parse({
    method,
    url,
    headers: { ...Object.fromEntries(headers), ...key },
    address,
    caller,
    userId,
  })
  return pack(head, body === undefined || body === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)))
}

function replyWith(reply: FastifyReply, answer: Uint8Array): FastifyReply {
  const { head, body } = unpack(answer)
  const { status, headers } = ForwardedReply.parse(head)
  return reply.code(status).headers(headers).send(body)
}

const NOBODY = '계좌를 맡은 서버가 바뀌는 중입니다. 몇 초 뒤에 다시 해 주세요.'
const NO_ANSWER =
  '계좌를 맡은 서버가 답하지 않아 되었는지 모릅니다. 화면을 새로 고쳐 되어 있는지 보고, 아니면 다시 해 주세요.'
