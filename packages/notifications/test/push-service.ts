import { createECDH, createPublicKey, type ECDH, randomBytes, verify } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as ece from 'http_ece'
import { type Certificate, makeCertificate } from './certificate.ts'
import { bodyOf, LocalServer } from './local-server.ts'

export interface ReceivedPush {
  /** What the service worker of the browser gets. */
  readonly payload: unknown
  readonly payloadBytes: number
  readonly ttl: number
  readonly urgency: string
  readonly topic: string
  /** Of the VAPID token whose signature was checked. */
  readonly claims: Readonly<Record<string, unknown>>
}

export interface PushSubscription {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

interface Browser {
  readonly keys: ECDH
  readonly auth: string
  /** With which the page subscribed. */
  readonly vapidKey: string
}

/** Another answer than the service would give. */
export interface PushAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A push service with its browsers, as strict as Apple's, on a loopback port with TLS (RFC 8030, 8291, 8292). */
export class PushService implements AsyncDisposable {
  readonly #certificate: Certificate
  readonly #browsers = new Map<string, Browser>()
  readonly server: LocalServer
  readonly received: ReceivedPush[] = []
  answer: PushAnswer | null = null

  constructor(certificate: Certificate) {
    this.#certificate = certificate
    this.server = new LocalServer((request, response) => void this.#take(request, response), certificate)
  }

  static async start(certificate = makeCertificate()): Promise<PushService> {
    const service = new PushService(certificate)
    await service.server.listen()
    return service
  }

  /** Options of the channel with which it reaches this service. */
  get options(): { readonly also: readonly string[]; readonly ca: string } {
    return { also: [`localhost:${this.server.port}`], ca: this.#certificate.cert }
  }

  /** A browser asks for notifications, as its page does with the server's public key. */
  subscribe(vapidKey: string): PushSubscription {
    const keys = createECDH('prime256v1')
    const p256dh = keys.generateKeys('base64url')
    const auth = randomBytes(16).toString('base64url')
    const path = `/push/${randomBytes(12).toString('base64url')}`
    this.#browsers.set(path, { keys, auth, vapidKey })
    return { endpoint: this.server.url(path), p256dh, auth }
  }

  /** The person blocks it, or the browser is gone. */
  unsubscribe({ endpoint }: PushSubscription): void {
    this.#browsers.delete(new URL(endpoint).pathname)
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    const { status, headers = {}, body: text = '' } = this.answer ?? this.#judge(request, body)
    response.writeHead(status, headers)
    response.end(text)
  }

  #judge(request: IncomingMessage, body: Buffer): PushAnswer {
    const browser = this.#browsers.get(request.url ?? '')
    if (browser === undefined) return refusal(410, 'Unregistered')
    const { ttl, urgency, topic, authorization, 'content-encoding': encoding } = request.headers
    if (request.method !== 'POST' || encoding !== 'aes128gcm') return refusal(400, 'BadEncoding')
    if (typeof ttl !== 'string' || !/^\d+$/.test(ttl)) return refusal(400, 'BadTtl')
    if (typeof topic !== 'string' || !isWholeBase64(topic)) return refusal(400, 'BadWebPushTopic')
    if (body.length > 4_096) return refusal(413, 'PayloadTooLarge')
    const claims = claimsOf(authorization ?? '', browser.vapidKey, this.server.url('').replace(/\/$/, ''))
    if (typeof claims === 'string') return refusal(403, claims)
    const text = ece.decrypt(body, { version: 'aes128gcm', privateKey: browser.keys, authSecret: browser.auth })
    this.received.push({
      payload: JSON.parse(text.toString('utf8')),
      payloadBytes: text.length,
      ttl: Number(ttl),
      urgency: String(urgency),
      topic,
      claims,
    })
    return { status: 201 }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]()
  }
}

const refusal = (status: number, reason: string): PushAnswer => ({ status, body: JSON.stringify({ reason }) })

/** Four characters are three bytes, so that one character alone at the end is none. */
const isWholeBase64 = (topic: string): boolean => /^[\w-]{1,32}$/.test(topic) && topic.length % 4 !== 1

/** What the token says, or why it is refused. */
function claimsOf(authorization: string, vapidKey: string, origin: string): Readonly<Record<string, unknown>> | string {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(\S+)$/.exec(authorization) ?? []
  const [head = '', body = '', signature = ''] = token.split('.')
  if (key !== vapidKey) return 'VapidPkHashMismatch'
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  const signed = Buffer.from(`${head}.${body}`)
  const isOurs = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isOurs) return 'BadJwtToken'
  const claims: Record<string, unknown> = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))
  const seconds = Number(claims['exp']) - Date.now() / 1_000
  if (claims['aud'] !== origin || !(seconds > 0 && seconds <= 86_400)) return 'BadJwtToken'
  return claims
}
