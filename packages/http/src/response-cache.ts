import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { background } from '@digger/database'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

/** Bytes of all cached bodies together. */
const MAX_BYTES = 32 * 2 ** 20
/** Each cached response holds on to the account as it was when it was made. */
const MAX_RESPONSES = 1_000
/** No screen asks for a longer address; caching them would let callers choose the size of the keys. */
const MAX_KEY_LENGTH = 200
/** A smaller body fits into one packet either way. */
const MIN_COMPRESS_BYTES = 1_024

type Body = string | Buffer | ArrayBuffer
type Encoding = 'br' | 'gzip'

/** Up to this size compressing costs less than handing the body to another thread and back. */
const SHORT_BODY_BYTES = 16_384
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const SHORT: Readonly<Record<Encoding, (body: Buffer) => Buffer>> = {
  br: (body) => brotliCompressSync(body, BROTLI),
  gzip: (body) => gzipSync(body),
}
const LONG: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => promisify(brotliCompress)(body, BROTLI),
  gzip: promisify(gzip),
}

/** What a reply was made from. Two lists are the same when each part is the very same thing (`===`). */
export type Validators = readonly unknown[]

/** One reply as bytes, and what it was made from. */
export class CachedResponse {
  readonly validators: Validators
  readonly body: Buffer
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()
  #etag: string | null = null

  constructor(validators: Validators, body: Buffer) {
    this.validators = validators
    this.body = body
  }

  /** A weak validator: it names the plain and the compressed body alike. */
  get etag(): string {
    return (this.#etag ??= `W/"${hash('sha256', this.body, 'base64url').slice(0, 22)}"`)
  }

  /** Compressed once, when a browser first asks for this encoding. */
  compressed(encoding: Encoding): Promise<Buffer> {
    const known = this.#compressed.get(encoding)
    if (known !== undefined) return known
    const { body } = this
    const made = body.length > SHORT_BODY_BYTES ? LONG[encoding](body) : Promise.resolve(SHORT[encoding](body))
    this.#compressed.set(encoding, made)
    return made
  }
}

/**
 * Replies cached as bytes while nothing in them can have changed. Each is stored with its validators, read before it was
 * made; it is sent again only where the validators of now are the very same, so a change that nobody foresaw costs a new
 * reply and never an old one.
 */
export class ResponseCache {
  readonly #responses = new LRUCache<string, CachedResponse>({
    max: MAX_RESPONSES,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }) => Math.max(1, body.length),
  })
  #hits = 0

  /** How many replies were found here since the start. */
  get hits(): number {
    return this.#hits
  }

  find(key: string, validators: Validators): CachedResponse | null {
    const response = this.#responses.get(key)
    if (response === undefined || !sameValidators(response.validators, validators)) return null
    this.#hits += 1
    return response
  }

  /** Makes a reply when it is its turn, unless somebody else has made it by then: no order waits for all that are asked for. */
  async make(key: string, validatorsNow: () => Validators, make: () => Promise<Body>): Promise<CachedResponse> {
    await background.own()
    const validators = validatorsNow()
    return this.find(key, validators) ?? this.store(key, validators, await make())
  }

  store(key: string, validators: Validators, text: Body): CachedResponse {
    const body = typeof text === 'string' ? Buffer.from(text) : Buffer.from(new Uint8Array(text))
    const response = new CachedResponse(validators, body)
    if (key.length <= MAX_KEY_LENGTH) this.#responses.set(key, response)
    return response
  }
}

function sameValidators(a: Validators, b: Validators): boolean {
  for (let at = 0; at < b.length; at++) if (a[at] !== b[at]) return false
  return a.length === b.length
}

/** Sends the body plain, or compressed as the browser accepts it, or 304 to a browser that has it. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  response: CachedResponse,
): FastifyReply | Promise<FastifyReply> {
  const { 'if-none-match': known, 'accept-encoding': accepted } = request.headers
  reply.header('etag', response.etag)
  if (known === response.etag) return reply.code(304).send()
  reply.header('content-type', 'application/json; charset=utf-8')
  if (response.body.length < MIN_COMPRESS_BYTES) return reply.send(response.body)
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`)
  const encoding = accepted === undefined ? null : preferredEncoding(accepted)
  if (encoding === null) return reply.send(response.body)
  return response.compressed(encoding).then((body) => reply.header('content-encoding', encoding).send(body))
}

/** The better of the encodings the browser names; one it weighs with 0 is refused. */
export function preferredEncoding(accepted: string): Encoding | null {
  const wanted = accepted.split(',').filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
  const names = new Set(wanted.map((one) => one.split(';', 1)[0]?.trim()))
  return names.has('br') ? 'br' : names.has('gzip') ? 'gzip' : null
}
