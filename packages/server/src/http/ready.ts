import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Of all kept replies together; the oldest go first. */
const MOST_BYTES = 32 * 2 ** 20
/** Each holds on to the account as it was. */
const MOST_KEPT = 1_000
/** Longer addresses are nobody's habit. */
export const LONGEST_URL = 200
/** Smaller than a packet: nothing to gain. */
const WORTH_BYTES = 1_024

type Encoding = 'br' | 'gzip'

const SHRINK: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: promisify(gzip),
}

/** One reply as bytes, and what it was made from. */
export class Ready {
  readonly marks: readonly unknown[]
  readonly body: Buffer
  readonly #shrunk = new Map<Encoding, Promise<Buffer>>()
  #etag: string | null = null

  constructor(marks: readonly unknown[], body: Buffer) {
    this.marks = marks
    this.body = body
  }

  /** Weak: the same for the body as it is and shrunk. */
  get etag(): string {
    return (this.#etag ??= `W/"${hash('sha256', this.body, 'base64url').slice(0, 22)}"`)
  }

  shrunk(encoding: Encoding): Promise<Buffer> {
    const known = this.#shrunk.get(encoding) ?? SHRINK[encoding](this.body)
    this.#shrunk.set(encoding, known)
    return known
  }
}

/**
 * Replies kept as bytes while nothing in them can have changed. Each is kept with the marks it was made from, read before
 * it was made; it is sent again only where the marks of now are the very same, so a change that nobody foresaw costs a
 * new reply and never an old one.
 */
export class ReadyReplies {
  readonly #kept = new Map<string, Ready>()
  #bytes = 0

  find(key: string, marks: readonly unknown[]): Ready | null {
    const ready = this.#kept.get(key)
    return ready && sameMarks(ready.marks, marks) ? ready : null
  }

  keep(key: string, marks: readonly unknown[], text: string | Buffer | ArrayBuffer): Ready {
    const ready = new Ready(marks, typeof text === 'string' ? Buffer.from(text) : Buffer.from(new Uint8Array(text)))
    this.#drop(key)
    if (key.length <= LONGEST_URL) {
      this.#kept.set(key, ready)
      this.#bytes += ready.body.length
    }
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MOST_BYTES && this.#kept.size <= MOST_KEPT) break
      this.#drop(oldest)
    }
    return ready
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.body.length ?? 0
    this.#kept.delete(key)
  }
}

export function sameMarks(a: readonly unknown[], b: readonly unknown[]): boolean {
  for (let at = 0; at < b.length; at++) if (a[at] !== b[at]) return false
  return a.length === b.length
}

/** As it is, shrunk as the browser takes it, or only the word that nothing changed. `sent` is told of the bytes. */
export function sendReady(
  request: FastifyRequest,
  reply: FastifyReply,
  ready: Ready,
  sent: (body: Buffer) => void,
): FastifyReply | Promise<FastifyReply> {
  const { 'if-none-match': known, 'accept-encoding': accepted } = request.headers
  reply.header('etag', ready.etag)
  if (known === ready.etag) return reply.code(304).send()
  reply.header('content-type', 'application/json; charset=utf-8')
  const send = (body: Buffer): FastifyReply => {
    sent(body)
    return reply.send(body)
  }
  if (ready.body.length < WORTH_BYTES) return send(ready.body)
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`)
  const encoding = accepted === undefined ? null : encodingOf(accepted)
  if (encoding === null) return send(ready.body)
  return ready.shrunk(encoding).then((body) => {
    reply.header('content-encoding', encoding)
    return send(body)
  })
}

/** The better one of those the browser names; one it weighs with 0 it does not want. */
function encodingOf(accepted: string): Encoding | null {
  const wanted = accepted.split(',').filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
  const names = new Set(wanted.map((one) => one.split(';', 1)[0]?.trim()))
  return names.has('br') ? 'br' : names.has('gzip') ? 'gzip' : null
}
