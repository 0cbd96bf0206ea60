import { randomUUID } from 'node:crypto'
import {
  type Bus,
  type CallOutcome,
  ClusterCounters,
  NoAnswerError,
  NobodyThereError,
  type AccountOwners,
  type ProvenKeys,
} from '@digger/cluster'
import { type CallName, isKeyed, isServerStop, KEY_HEADER, OutcomeUnknown, Refused } from '@digger/contract'
import type { Clock } from '@digger/database'
import type { FastifyRequest } from 'fastify'
import { setTimeout as delay } from 'node:timers/promises'
import type { Granted } from './granted.ts'
import { isSealed, needsAccount, placeOf, type UserIdOf } from './call-places.ts'
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
import { ANSWER_MS } from './taken-calls.ts'

/** The answer to a command may have been lost: its owner is asked again, which joins it where it is still under way, ms. */
const LOST_AFTER_MS = 20_000
/** An account that nobody has is taken over within seconds: a call waits for its new owner, ms. */
const OWNER_MS = 8_000
const LOOK_MS = 100
/** While an answer is awaited: whether the account has another owner by now, ms. */
const OWNER_LOOK_MS = 500

export interface ForwardParts {
  /** By e-mail; undefined where nobody has it. */
  readonly userIdOf: UserIdOf
  readonly bus: Bus
  readonly owners: AccountOwners
  /** What calls with a password in them are sealed for. */
  readonly workerKeys: Pick<ProvenKeys, 'of'>
  /** Of the database: the same for workers. */
  readonly clock: Pick<Clock, 'now'>
  /**
   * What there is now of stops: version of the server's where `userId` is null, else the account's newest journal row. A looser one
   * that is asked for now undoes none from after it.
   */
  readonly seenStop: (userId: string | null) => Promise<number>
  readonly counters?: ClusterCounters
  readonly lostAfterMs?: number
  readonly ownerMs?: number
}

/** A reply as the worker has made it. */
export interface Answered extends ForwardedReply {
  readonly body: Buffer
}

/** Asked a second time they would be refused, though they were done. */
const NOT_TWICE: ReadonlySet<CallName> = new Set([
  'signUp',
  'changePassword',
  'passkeyLogin',
  'stepUp',
  'addPasskey',
  'confirmTotp',
  'makeCodes',
])
/** A code or a passkey's answer is good once. */
const hasProof = (body: unknown): boolean => typeof body === 'object' && body !== null && 'proof' in body

/** How a call stands to being asked again when nobody knows whether it was done. */
type Repeat = 'read' | 'keyed' | 'harmless' | 'never'

interface Sent {
  /** Whose owner is asked. */
  readonly place: string
  readonly message: Buffer
  readonly isSealed: boolean
  readonly repeat: Repeat
}

/** `notDone`: it may be asked of somebody else. `unknown`: it may have been done. */
type Answer = Answered | 'notDone' | 'unknown'

/** Sends calls to the worker that has the account, and its replies on as they come. */
export class CallForwarder {
  readonly #parts: ForwardParts
  readonly #outcomes: Record<CallOutcome, number>

  constructor(parts: ForwardParts) {
    this.#parts = parts
    this.#outcomes = (parts.counters ?? new ClusterCounters()).calls
  }

  /**
   * A call that certainly was not done goes to the account's next owner; one that may have been is asked once more, with its key.
   * Throws Refused BUSY where no worker has the account, OutcomeUnknown where nobody knows even then whether it was done.
   */
  async forward(name: CallName, request: FastifyRequest, granted: Granted): Promise<Answered> {
    const sent = await this.#sentOf(name, request, granted)
    const { lostAfterMs = LOST_AFTER_MS, ownerMs = OWNER_MS } = this.#parts
    const end = performance.now() + ANSWER_MS
    let until = performance.now() + ownerMs
    let isRepeated = false
    for (;;) {
      const left = end - performance.now()
      const answer = await this.#ask(sent, sent.repeat === 'keyed' && !isRepeated ? lostAfterMs : left)
      if (typeof answer === 'object') {
        this.#outcomes.done += 1
        return answer
      }
      if (answer === 'unknown' && sent.repeat !== 'read') {
        if (isRepeated || sent.repeat === 'never') throw this.#unknown()
        isRepeated = true
        until = performance.now() + ownerMs
      }
      if (performance.now() > Math.min(until, end)) {
        if (isRepeated) throw this.#unknown()
        this.#outcomes.nobody += 1
        throw new Refused('BUSY', NOBODY)
      }
      this.#outcomes.again += 1
      await delay(LOOK_MS)
      await this.#parts.owners.read()
    }
  }

  async #sentOf(name: CallName, request: FastifyRequest, granted: Granted): Promise<Sent> {
    const place = await placeOf(this.#parts.userIdOf, name, request, granted)
    const until = this.#parts.clock.now() + ANSWER_MS
    const ifMatch = await this.#seenBy(name, request, { ...granted, place })
    const settled = { ...granted, name, place, until, ifMatch, needsAccount: needsAccount(name) }
    const message = messageOf(request, isSealed(name) ? BROWSER_HEADERS : [], settled)
    return { place, message, isSealed: isSealed(name), repeat: repeatOf(name, request) }
  }

  async #seenBy(
    name: CallName,
    { body }: FastifyRequest,
    { caller, place }: Pick<Granted, 'caller'> & { readonly place: string },
  ): Promise<object> {
    // There is nothing that a halt could loosen: it goes on its way without a question.
    if (name !== 'setStop' || isHalt(body)) return {}
    // Nothing was seen that a program might loosen.
    const seen = caller?.token ? 0 : await this.#parts.seenStop(isServerStop(name, body) ? null : place)
    return { 'if-match': `"${seen}"` }
  }

  #unknown(): OutcomeUnknown {
    this.#outcomes.unknown += 1
    return new OutcomeUnknown(NO_ANSWER, 'BUSY')
  }

  async #ask(sent: Sent, ms: number): Promise<Answer> {
    const worker = await this.#parts.owners.of(sent.place)
    if (worker === null) return 'notDone'
    const watch = { isOver: false }
    try {
      return await Promise.race([this.#answer(worker, sent, ms), this.#takenOver(worker, sent.place, watch)])
    } finally {
      watch.isOver = true
    }
  }

  async #answer(worker: string, sent: Sent, ms: number): Promise<Answer> {
    try {
      const answer = await this.#send(worker, sent, ms)
      return answer === null ? 'notDone' : answeredOf(answer)
    } catch (error) {
      if (error instanceof NobodyThereError) return 'notDone'
      if (error instanceof NoAnswerError) return 'unknown'
      throw error
    }
  }

  /** Null: the worker has no key to seal for that could be believed. */
  async #send(worker: string, { message, isSealed }: Sent, ms: number): Promise<Uint8Array | null> {
    const { bus, workerKeys } = this.#parts
    if (!isSealed) return bus.request(callSubject(worker), message, ms)
    const publicKey = await workerKeys.of(worker)
    if (publicKey === null) return null
    const { sealed, openAnswer } = await sealCall(worker, publicKey, message)
    return openAnswer(await bus.request(sealedCallSubject(worker), sealed, ms))
  }

  /** Ends once somebody else has the account: a worker that has died does not answer, and needs not be waited for. */
  async #takenOver(worker: string, place: string, watch: { readonly isOver: boolean }): Promise<Answer> {
    for (;;) {
      await delay(OWNER_LOOK_MS, undefined, { ref: false })
      if (watch.isOver) return 'unknown'
      // A database that is away says nothing of the worker.
      const now = await this.#parts.owners.of(place).catch(() => worker)
      if (now !== null && now !== worker) return 'unknown'
    }
  }
}

const isHalt = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'stop' in body && body.stop === 'halt'

function repeatOf(name: CallName, { method, body }: FastifyRequest): Repeat {
  if (method === 'GET') return 'read'
  if (isKeyed(name, body)) return 'keyed'
  const once = NOT_TWICE.has(name) || (name === 'login' && hasProof(body))
  return once || isServerStop(name, body) ? 'never' : 'harmless'
}

function messageOf(
  request: FastifyRequest,
  browserHeaders: readonly string[],
  {
    ifMatch,
    ...settled
  }: Granted & Pick<ForwardedCall, 'name' | 'place' | 'until' | 'needsAccount'> & { ifMatch: object },
): Buffer {
  const headers = [...REQUEST_HEADERS, ...browserHeaders].flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const { method, url, ip: address, protocol, body } = request
  const id = randomUUID()
  const key = method === 'GET' ? {} : { [KEY_HEADER]: String(request.headers[KEY_HEADER] ?? id) }
  const head = ForwardedCall.parse({
    id,
    method,
    url,
    headers: { ...Object.fromEntries(headers), ...key, ...ifMatch },
    address,
    protocol,
    ...settled,
  })
  return pack(head, body === undefined || body === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)))
}

/** What the worker has answered, where the account is its own. */
function answeredOf(answer: Uint8Array): Answer {
  const { head, body } = unpack(answer)
  const reply = ForwardedReply.parse(head)
  if (reply.isLost) return 'unknown'
  return reply.status === MOVED ? 'notDone' : { ...reply, body }
}

const NOBODY = '계좌를 맡은 서버가 바뀌는 중입니다. 몇 초 뒤에 다시 해 주세요.'
const NO_ANSWER =
  '계좌를 맡은 서버가 답하지 않아 되었는지 모릅니다. 화면을 새로 고쳐 되어 있는지 보고, 아니면 다시 해 주세요.'
