import {
  type Bus,
  type CallOutcome,
  ClusterCounters,
  NoAnswerError,
  NobodyThereError,
  type Owners,
} from '@digger/cluster'
import { type CallName, OutcomeUnknown, paths, Refused } from '@digger/contract'
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
/** An account that nobody has is taken over within seconds: a call waits for its new owner, ms. */
const OWNER_MS = 8_000
const LOOK_MS = 100

export interface ForwardParts {
  readonly bus: Bus
  readonly owners: Owners
  readonly counters?: ClusterCounters
}

/** Sends calls to the worker that has the account, and its replies on as they come. */
export class CallForwarder {
  readonly #bus: Bus
  readonly #owners: Owners
  readonly #counters: Record<CallOutcome, number>

  constructor({ bus, owners, counters = new ClusterCounters() }: ForwardParts) {
    this.#counters = counters.calls
    this.#bus = bus
    this.#owners = owners
  }

  /**
   * Throws Refused BUSY where no worker has the account, OutcomeUnknown where it may have been done. A call that certainly was not
   * done goes to the account's next owner.
   */
  async forward(request: FastifyRequest, reply: FastifyReply, granted: Granted): Promise<FastifyReply> {
    const message = messageOf(request, granted)
    const until = performance.now() + OWNER_MS
    for (;;) {
      const answer = await this.#ask(granted.userId, message, request.method === 'GET')
      if (answer !== null) {
        this.#counters.done += 1
        return replyWith(reply, answer)
      }
      if (performance.now() > until) {
        this.#counters.nobody += 1
        throw new Refused('BUSY', NOBODY)
      }
      this.#counters.again += 1
      await delay(LOOK_MS)
      await this.#owners.read()
    }
  }

  /** Null: it was not done, and may be asked of somebody else. */
  async #ask(userId: string, message: Buffer, isRead: boolean): Promise<Uint8Array | null> {
    const worker = await this.#owners.of(userId)
    if (worker === null) return null
    try {
      const answer = await this.#bus.request(callSubject(worker), message, ANSWER_MS)
      return statusOf(answer) === MOVED ? null : answer
    } catch (error) {
      if (error instanceof NobodyThereError) return null
      if (!(error instanceof NoAnswerError)) throw error
      if (isRead) return null
      this.#counters.unknown += 1
      throw new OutcomeUnknown(NO_ANSWER, 'BUSY')
    }
  }
}

function messageOf(request: FastifyRequest, { caller, userId }: Granted): Buffer {
  const headers = REQUEST_HEADERS.flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const { method, url, ip: address, body } = request
  const head = ForwardedCall.parse({ method, url, headers: Object.fromEntries(headers), address, caller, userId })
  return pack(head, body === undefined || body === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)))
}

const statusOf = (answer: Uint8Array): number => ForwardedReply.parse(unpack(answer).head).status

function replyWith(reply: FastifyReply, answer: Uint8Array): FastifyReply {
  const { head, body } = unpack(answer)
  const { status, headers } = ForwardedReply.parse(head)
  return reply.code(status).headers(headers).send(body)
}

const NOBODY = '계좌를 맡은 서버가 바뀌는 중입니다. 몇 초 뒤에 다시 해 주세요.'
const NO_ANSWER =
  '계좌를 맡은 서버가 답하지 않아 되었는지 모릅니다. 화면을 새로 고쳐 되어 있는지 보고, 아니면 다시 해 주세요.'
