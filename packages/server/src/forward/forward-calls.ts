import { randomUUID } from 'node:crypto'
import {
  type Bus,
  type CallOutcome,
  ClusterCounters,
  NoAnswerError,
  NobodyThereError,
  type Owners,
  type ProvenKeys,
} from '@digger/cluster'
import { type CallName, OutcomeUnknown, Refused } from '@digger/contract'
import type { Db } from '@digger/database'
import type { FastifyRequest } from 'fastify'
import { setTimeout as delay } from 'node:timers/promises'
import type { Granted } from '../granted.ts'
import { isSealed, needsAccount, placeOf } from './call-places.ts'
import {
  BROWSER_HEADERS,
  callSubject,
  ForwardedCall,
  ForwardedReply,
  MOVED,
  REQUEST_HEADERS,
  sealedCallSubject,
} from './forwarded-call.ts'
import { pack, unpack } from './frame.ts'
import { sealCall } from './sealed-call.ts'

/** As long as the slowest call answers in one process, and a little more for the way, ms. */
const ANSWER_MS = 40_000
/** An account that nobody has is taken over within seconds: a call waits for its new owner, ms. */
const OWNER_MS = 8_000
const LOOK_MS = 100

export interface ForwardParts {
  readonly db: Db
  readonly bus: Bus
  readonly owners: Owners
  /** What calls with a password in them are sealed for. */
  readonly workerKeys: Pick<ProvenKeys, 'of'>
  readonly counters?: ClusterCounters
}

/** One call on its way. */
interface Sent {
  readonly place: string
  readonly message: Buffer
  readonly isRead: boolean
  readonly isSealed: boolean
}

/** A reply as the worker has made it. */
export interface Answered extends ForwardedReply {
  readonly body: Buffer
}

/** Sends calls to the worker that has the account, and its replies on as they come. */
export class CallForwarder {
  readonly #parts: ForwardParts
  readonly #outcomes: Record<CallOutcome, number>

  constructor(parts: ForwardParts) {
    this.#parts = parts
    this.#outcomes = (parts.counters ?? new ClusterCounters()).calls
  }

  /**
   * Throws Refused BUSY where no worker has the account, OutcomeUnknown where it may have been done. A call that certainly was not
   * done goes to the account's next owner.
   */
  async forward(name: CallName, request: FastifyRequest, granted: Granted): Promise<Answered> {
    const place = await placeOf(this.#parts.db, name, request, granted)
    const sent = {
      place,
      message: messageOf(request, isSealed(name) ? BROWSER_HEADERS : [], {
        ...granted,
        place,
        needsAccount: needsAccount(name),
      }),
      isRead: request.method === 'GET',
      isSealed: isSealed(name),
    }
    const until = performance.now() + OWNER_MS
    for (;;) {
      const answer = await this.#ask(sent)
      if (answer !== null) {
        this.#outcomes.done += 1
        return answer
      }
      if (performance.now() > until) {
        this.#outcomes.nobody += 1
        throw new Refused('BUSY', NOBODY)
      }
      this.#outcomes.again += 1
      await delay(LOOK_MS)
      await this.#parts.owners.read()
    }
  }

  /** Null: it was not done, and may be asked of somebody else. */
  async #ask(sent: Sent): Promise<Answered | null> {
    const worker = await this.#parts.owners.of(sent.place)
    if (worker === null) return null
    try {
      const answer = await this.#send(worker, sent)
      return answer && answeredOf(answer)
    } catch (error) {
      if (error instanceof NobodyThereError) return null
      if (!(error instanceof NoAnswerError)) throw error
      if (sent.isRead) return null
      this.#outcomes.unknown += 1
      throw new OutcomeUnknown(NO_ANSWER, 'BUSY')
    }
  }

  /** Null: the worker has no key to seal for that could be believed. */
  async #send(worker: string, { message, isSealed }: Sent): Promise<Uint8Array | null> {
    const { bus, workerKeys } = this.#parts
    if (!isSealed) return bus.request(callSubject(worker), message, ANSWER_MS)
    const publicKey = await workerKeys.of(worker)
    if (publicKey === null) return null
    const { sealed, openAnswer } = await sealCall(worker, publicKey, message)
    return openAnswer(await bus.request(sealedCallSubject(worker), sealed, ANSWER_MS))
  }
}

function messageOf(
  request: FastifyRequest,
  browserHeaders: readonly string[],
  settled: Granted & Pick<ForwardedCall, 'place' | 'needsAccount'>,
): Buffer {
  const headers = [...REQUEST_HEADERS, ...browserHeaders].flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const { method, url, ip: address, protocol, body } = request
  const id = randomUUID()
  const head = ForwardedCall.parse({
    id,
    method,
    url,
    headers: Object.fromEntries(headers),
    address,
    protocol,
    ...settled,
  })
  return pack(head, body === undefined || body === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)))
}

/** Null: the account is somebody else's. */
function answeredOf(answer: Uint8Array): Answered | null {
  const { head, body } = unpack(answer)
  const reply = ForwardedReply.parse(head)
  return reply.status === MOVED ? null : { ...reply, body }
}

const NOBODY = '계좌를 맡은 서버가 바뀌는 중입니다. 몇 초 뒤에 다시 해 주세요.'
const NO_ANSWER =
  '계좌를 맡은 서버가 답하지 않아 되었는지 모릅니다. 화면을 새로 고쳐 되어 있는지 보고, 아니면 다시 해 주세요.'
