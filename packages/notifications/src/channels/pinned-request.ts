import { lookup as resolveHost } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { AllowedTargets, isPublicAddress } from './allowed-targets.ts'

/** From the question for the address to the end of the reply, ms. */
const TIMEOUT_MS = 10_000
/** So much of a reply is read; the rest is not waited for, bytes. */
const MAX_REPLY_BYTES = 65_536

export interface Network {
  readonly allowed?: AllowedTargets
  /** All addresses of a host; the machine's resolver where none is given. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
  /** Signers of certificates in the place of the public ones, PEM. */
  readonly ca?: string
  readonly timeoutMs?: number
}

export interface PinnedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

export interface Reply {
  readonly kind: 'reply'
  readonly status: number
  readonly retryAfter: string | null
  /** At most 64 kB, and only what came in time. */
  readonly text: string
}

/** Why there is no reply. The first four: nothing was sent, and nothing was connected to. */
export type NoReply =
  | 'malformed'
  | 'notHttps'
  | 'notPublic'
  | 'resolvesToPrivate'
  | 'notFound'
  | 'certificate'
  | 'timeout'
  | 'cut'
export type Exchange = Reply | { readonly kind: 'noReply'; readonly cause: NoReply }

interface Target {
  readonly url: URL
  readonly addresses: readonly string[]
}

const none = (cause: NoReply): Exchange => ({ kind: 'noReply', cause })

/**
 * Posts to an address that a person gave, without lending them our place in the network: the host is resolved once, every one of
 * its addresses is judged, and the connection goes to one of those, so that a name cannot change its answer in between. No proxy,
 * no redirect, no connection of another request. Never rejects, and says nothing of the address in what it returns.
 */
export async function pinnedRequest(request: PinnedRequest, network: Network = {}): Promise<Exchange> {
  const signal = AbortSignal.timeout(network.timeoutMs ?? TIMEOUT_MS)
  // A question for an address cannot be taken back, only left alone.
  const late = new Promise<'timeout'>((resolve) => {
    signal.addEventListener('abort', () => resolve('timeout'), { once: true })
  })
  const target = await Promise.race([targetOf(request.url, network), late])
  return typeof target === 'string' ? none(target) : post(target, request, network, signal)
}

/** What is wrong with an address before anyone is asked where it is; null: nothing. */
export function targetProblem(text: string, allowed: AllowedTargets = new AllowedTargets()): NoReply | null {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || credentialsOf(url) === null) return 'malformed'
  const host = hostOf(url)
  if (isIP(host) === 0) return null
  if (!isPublicAddress(host)) return allowed.has(host, host) ? null : 'notPublic'
  return url.protocol === 'https:' ? null : 'notHttps'
}

async function targetOf(text: string, network: Network): Promise<Target | NoReply> {
  const { allowed = new AllowedTargets(), resolve = addressesOf } = network
  const problem = targetProblem(text, allowed)
  if (problem !== null) return problem
  const url = new URL(text)
  const host = hostOf(url)
  const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host]
  if (addresses.length === 0) return 'notFound'
  const hidden = addresses.filter((address) => !isPublicAddress(address))
  if (hidden.some((address) => !allowed.has(host, address))) return 'resolvesToPrivate'
  // Without TLS only inside of a network that the operator named.
  if (url.protocol === 'http:' && hidden.length < addresses.length) return 'notHttps'
  return { url, addresses }
}

const addressesOf = async (host: string): Promise<readonly string[]> =>
  (await resolveHost(host, { all: true })).map(({ address }) => address)

/** As the URL standard wrote it: 0x7f.1, 2130706433 and 127.1 are 127.0.0.1 by now. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1')

/** `user:password` of the address, as a header carries it; null: it cannot be read. */
function credentialsOf({ username, password }: URL): string | null {
  try {
    return Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  } catch {
    return null
  }
}

function optionsOf({ url, addresses }: Target, { headers, body }: PinnedRequest, signal: AbortSignal): RequestOptions {
  const known = addresses.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_host, { all }, callback) => {
    const [first] = known
    if (all === true || first === undefined) callback(null, known)
    else callback(null, first.address, first.family)
  }
  return {
    method: 'POST',
    host: hostOf(url),
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: {
      'user-agent': 'Digger',
      'content-length': String(Buffer.byteLength(body)),
      ...(url.username + url.password !== '' && { authorization: `Basic ${credentialsOf(url) ?? ''}` }),
      ...headers,
    },
    lookup,
    // A connection that is kept was made for what the host was then.
    agent: false,
    signal,
  }
}

function post(target: Target, request: PinnedRequest, { ca }: Network, signal: AbortSignal): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>()
  const options = optionsOf(target, request, signal)
  const call =
    target.url.protocol === 'https:'
      ? requestHttps({ ...options, ...(ca !== undefined && { ca }) })
      : requestHttp(options)
  const failed = (cause: NoReply): void => resolve(none(signal.aborted ? 'timeout' : cause))
  call.once('response', (response) => {
    const reply = readReply(response)
    // From here on the outcome is the reply's: a cut while it is read changes nothing.
    resolve(reply)
    void reply.finally(() => call.destroy())
  })
  call.on('error', (error) => failed(causeOf(error)))
  call.once('close', () => failed('cut'))
  call.end(request.body)
  return promise
}

/** The status stands, however its body ends. */
function readReply(response: IncomingMessage): Promise<Reply> {
  const { promise, resolve } = Promise.withResolvers<Reply>()
  const chunks: Buffer[] = []
  let size = 0
  const end = (): void =>
    resolve({
      kind: 'reply',
      status: response.statusCode ?? 0,
      retryAfter: response.headers['retry-after'] ?? null,
      text: Buffer.concat(chunks).subarray(0, MAX_REPLY_BYTES).toString('utf8'),
    })
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MAX_REPLY_BYTES) end()
  })
  response.once('end', end)
  response.once('close', end)
  response.on('error', end)
  return promise
}

/** OpenSSL's codes for a certificate that does not prove who answers. */
const CERTIFICATE = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY/

const causeOf = (error: Error): NoReply =>
  'code' in error && CERTIFICATE.test(String(error.code)) ? 'certificate' : 'cut'
