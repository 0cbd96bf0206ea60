import type { Bus } from '@digger/cluster'
import { LOST_HEADER } from '@digger/contract'
import type { Clock } from '@digger/database'
import type { KeyPair } from '@digger/identity'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isForTheNext } from './call-places.ts'
import { callSubject, ForwardedCall, GATEWAY_ADDRESS, MOVED, sealedCallSubject } from './forwarded-call.ts'
import { pack, unpack } from './frame.ts'
import type { ForwardedGrants } from './grants.ts'
import { openCall } from './sealed-call.ts'
import { assertTimely, TakenCalls } from './taken-calls.ts'

/** A gateway asks again for some 40 s, ms. */
const KEPT_MS = 45_000

export interface AnswerParts {
  readonly bus: Bus
  readonly app: FastifyInstance
  /** Of the database: the same for gateways. */
  readonly clock: Pick<Clock, 'now'>
  readonly grants: ForwardedGrants
  /** What gateways seal passwords for. */
  readonly pair: KeyPair
  /** Whether the user's account is here. */
  readonly has: (userId: string) => Promise<boolean>
  /** Whether it would be here, whoever that is. */
  readonly isOwn: (place: string) => boolean
  /** Whether it goes to another worker just now. */
  readonly isLeaving: (place: string) => boolean
}

/** A worker answers the calls of its accounts with the very routes that serve them in one process. Returns the way to end it. */
export function answerCalls(worker: string, parts: AnswerParts): () => void {
  const answers = new Answers(parts)
  const ends = [
    parts.bus.answer(callSubject(worker), (message) => answers.to(message)),
    parts.bus.answer(sealedCallSubject(worker), async (message) => {
      const { call, sealAnswer } = await openCall(worker, parts.pair.privateKey, message)
      return sealAnswer(await answers.to(call))
    }),
  ]
  return () => ends.forEach((end) => end())
}

/**
 * Answers to changes are kept for as long as a gateway may ask again: somebody who can write to the bus can make it believe that
 * nobody was there, while the call was carried out. Whoever has a recording, and the secret of the bus, can have none of it done again.
 */
class Answers {
  readonly #parts: AnswerParts
  readonly #taken = new TakenCalls()
  readonly #kept = new LRUCache<string, Promise<Carried>>({ max: 10_000, ttl: KEPT_MS })

  constructor(parts: AnswerParts) {
    this.#parts = parts
  }

  async to(message: Uint8Array): Promise<Buffer> {
    const { head, body } = unpack(message)
    const call = ForwardedCall.parse(head)
    assertTimely(call, this.#parts.clock.now())
    if (!(await this.#isHere(call))) return pack({ status: MOVED, headers: {} }, Buffer.alloc(0))
    if (call.method === 'GET') return (await carryOut(call, body, this.#parts)).answer
    const { answer, isLost } = await (this.#kept.get(call.id) ?? this.#begin(call, body))
    // Whoever asks again may find the account here once more.
    if (isLost) {
      this.#kept.delete(call.id)
      this.#taken.forget(call.id)
    }
    return answer
  }

  async #isHere({ name, method, place, needsAccount, id }: ForwardedCall): Promise<boolean> {
    const { has, isOwn, isLeaving } = this.#parts
    if (!(needsAccount ? await has(place) : isOwn(place))) return false
    // One that is under way is joined, not done by two.
    return !isLeaving(place) || this.#kept.has(id) || !isForTheNext(name, method)
  }

  #begin(call: ForwardedCall, body: Buffer): Promise<Carried> {
    this.#taken.take(call.id)
    const carried = carryOut(call, body, this.#parts)
    this.#kept.set(call.id, carried)
    return carried
  }
}

interface Carried {
  readonly answer: Buffer
  /** The account went to another process meanwhile, and nobody knows whether the call was done. */
  readonly isLost: boolean
}

async function carryOut(forwarded: ForwardedCall, body: Buffer, parts: AnswerParts): Promise<Carried> {
  const { app, grants } = parts
  const { name, caller, userId, address, protocol, ...call } = forwarded
  const granted = grants.give({ name, caller, userId })
  const { statusCode, headers, rawPayload } = await app.inject({
    method: call.method,
    url: call.url,
    headers: {
      ...call.headers,
      ...granted,
      'x-forwarded-for': address,
      'x-forwarded-proto': protocol,
    },
    remoteAddress: GATEWAY_ADDRESS,
    ...(body.length === 0 ? {} : { payload: body }),
  })
  grants.end(granted)
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !OWN_HEADERS.has(name))
  const isLost =
    headers[LOST_HEADER] !== undefined || (statusCode >= 400 && (await isGone(forwarded, statusCode, parts)))
  return { answer: pack({ status: statusCode, headers: Object.fromEntries(kept), isLost }, rawPayload), isLost }
}

/**
 * Whether a refusal may be of the account's having left. Whoever lost it meanwhile may say so in many ways; a database that is away has
 * lost none. What needs no account is refused for its own reasons, unless it failed: as when this process ends, with its database closed.
 */
async function isGone(
  { place, needsAccount }: Pick<ForwardedCall, 'place' | 'needsAccount'>,
  status: number,
  { has, isOwn }: Pick<AnswerParts, 'has' | 'isOwn'>,
): Promise<boolean> {
  if (!needsAccount) return status >= 500 && !isOwn(place)
  return !(await has(place).catch(() => true))
}

/** What the gateway's own answer has, and the length that it counts itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-security-policy',
  'date',
  'keep-alive',
  'permissions-policy',
  'referrer-policy',
  'strict-transport-security',
  'transfer-encoding',
  'x-content-type-options',
  'x-frame-options',
])
