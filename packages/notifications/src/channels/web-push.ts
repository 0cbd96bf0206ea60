import { createHash, ECDH, createECDH } from 'node:crypto'
import webPush from 'web-push'
import { again, type Channel, dead, type Outgoing, type Sent } from './channel.ts'
import { AllowedTargets } from './allowed-targets.ts'
import { fitLines, titleLine } from './fit-text.ts'
import { outcomeOfStatus, refusedMessage, unansweredOutcome } from './http-outcome.ts'
import { pinnedRequest, type PinnedRequest, type Reply } from './pinned-request.ts'
import { type FurtherHosts, isPushEndpoint } from './push-endpoint.ts'

/** A push service must take 4,096 bytes of ciphertext (RFC 8030, 7.2); some take less in practice. */
const MAX_PAYLOAD_BYTES = 3_000
/** A longer one would leave no room for the text: the push then opens the first page, bytes. */
const MAX_URL_BYTES = 1_000
/** What happened yesterday is on the page, seconds. */
const TTL_SECONDS = 86_400

/** As the browser gave it. */
export interface PushAddress {
  readonly endpoint: string
  /** Key of the browser, base64url. */
  readonly p256dh: string
  /** Secret shared with the browser, base64url. */
  readonly auth: string
}

/** With these a push service sees that whoever sends is the one who subscribed; with others every subscription is void. Base64url. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

export const makeVapidKeys = (): VapidKeys => webPush.generateVAPIDKeys()

export interface WebPushOptions {
  readonly keys: VapidKeys
  /** Whom a push service can ask, `mailto:` or `https:`. Apple refuses everything from a host it cannot find, as localhost. */
  readonly subject: string
  readonly now: () => number
  /** Push services of one's own, which may be in the own network. */
  readonly also?: FurtherHosts
  /** Signers of certificates in the place of the public ones, PEM. */
  readonly ca?: string
  readonly timeoutMs?: number
}

const NOT_PUSH = '브라우저의 알림 서버가 아닌 주소입니다. 이 기기에서 알림을 다시 켜 주세요.'
const BAD_KEYS = '이 기기의 알림 키를 읽을 수 없습니다. 이 기기에서 알림을 다시 켜 주세요.'
const UNSUBSCRIBED = '이 기기가 알림을 더 받지 않습니다. 받으려면 이 기기에서 알림을 다시 켜 주세요.'
const OTHER_KEY = '서버의 알림 키가 등록할 때와 다릅니다. 이 기기에서 알림을 다시 켜 주세요.'
const BAD_SIGNATURE = '알림 서버가 서명을 받지 않았습니다. 운영자가 서버 시계와 VAPID 연락처를 확인해야 합니다.'
const TOO_LARGE = '알림이 너무 길어 알림 서버가 받지 않았습니다. 내용은 Digger 화면에서 확인해 주세요.'

/** To a browser, by way of its maker's push service, which cannot read it (RFC 8030, 8291, 8292). */
export class WebPushChannel implements Channel<PushAddress> {
  readonly #options: WebPushOptions
  readonly #allowed: AllowedTargets

  /** Throws where keys or subject could never be used. */
  constructor(options: WebPushOptions) {
    const { keys, subject, also = [] } = options
    webPush.getVapidHeaders('https://fcm.googleapis.com', subject, keys.publicKey, keys.privateKey, 'aes128gcm')
    if (!areOnePair(keys)) throw new Error('the public VAPID key is not the one of the private key')
    this.#options = options
    this.#allowed = new AllowedTargets(also.map((host) => host.replace(/:\d+$/, '')))
  }

  async send(address: PushAddress, outgoing: Outgoing): Promise<Sent> {
    const { also, ca, timeoutMs, now } = this.#options
    if (!isPushEndpoint(address.endpoint, also)) return dead(NOT_PUSH)
    const request = this.#requestOf(address, outgoing)
    if (request === null) return dead(BAD_KEYS)
    const exchange = await pinnedRequest(request, {
      allowed: this.#allowed,
      ...(ca !== undefined && { ca }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    })
    return exchange.kind === 'reply' ? outcomeOf(exchange, now()) : unansweredOutcome(exchange.cause)
  }

  /** Null: nothing can be encrypted for this address. */
  #requestOf({ endpoint, p256dh, auth }: PushAddress, outgoing: Outgoing): PinnedRequest | null {
    const { keys, subject } = this.#options
    // The library reads addresses by older rules: it gets this one as the newer ones write it.
    const url = new URL(endpoint).href
    try {
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint: url, keys: { p256dh, auth } },
        payloadOf(outgoing),
        {
          vapidDetails: { subject, ...keys },
          TTL: TTL_SECONDS,
          urgency: outgoing.silent ? 'low' : 'high',
          topic: topicOf(outgoing.id),
        },
      )
      return { url, headers, body }
    } catch {
      return null
    }
  }
}

function areOnePair({ publicKey, privateKey }: VapidKeys): boolean {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(privateKey, 'base64url')
  const own = ECDH.convertKey(publicKey, 'prime256v1', 'base64url', 'base64url', 'uncompressed')
  return curve.getPublicKey('base64url') === own
}

/** What the service worker shows. */
function payloadOf({ id, title, lines, url, silent }: Outgoing): string {
  const link = url !== null && Buffer.byteLength(JSON.stringify(url)) <= MAX_URL_BYTES ? url : null
  const head = titleLine(title)
  const payload = (shown: readonly string[]): string =>
    JSON.stringify({ id, title: head, body: shown.join('\n'), url: link, silent })
  return payload(fitLines(lines, (shown) => Buffer.byteLength(payload(shown)) <= MAX_PAYLOAD_BYTES))
}

/**
 * A later try takes the place of an earlier one that still waits. Of 24 bytes, so 32 characters: Apple decodes it, and
 * refuses what is no base64 of whole bytes (BadWebPushTopic).
 */
const topicOf = (id: string): string => createHash('sha256').update(id).digest().subarray(0, 24).toString('base64url')

/** Google and Mozilla say it in words, Apple by a code. */
const SAYS_OTHER_KEY = /not correspond|mismatch/i
/** Apple's BadJwtToken and ExpiredJwtToken, Google's "invalid JWT provided": a wrong clock, or a subject that cannot be asked. */
const SAYS_BAD_SIGNATURE = /jwt|token|expired/i

function outcomeOf(reply: Reply, now: number): Sent {
  const { status, text } = reply
  const plain = outcomeOfStatus(reply, now)
  if (plain !== null) return plain
  if (status === 404 || status === 410) return dead(UNSUBSCRIBED)
  if (SAYS_OTHER_KEY.test(text)) return dead(OTHER_KEY)
  // All devices would be lost at once by what the operator can mend.
  if ((status === 401 || status === 403) && SAYS_BAD_SIGNATURE.test(text)) return again(BAD_SIGNATURE)
  if (status === 401 || status === 403) return dead(OTHER_KEY)
  return status === 413 ? again(TOO_LARGE) : refusedMessage(reply, now)
}
