import { AsyncLocalStorage } from 'node:async_hooks'

/** A reply to a query, as it came. Of the request only what holds no secret of the key; parameters name the account. */
export interface RawReply {
  readonly trId: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  /** Request header `tr_cont`. */
  readonly cont: string
  readonly status: number
  /** In the order and spelling of the wire. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly text: string
}

/** Of what is sent and comes back, as far as it is looked at here. */
interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}
type Came = Pick<RawReply, 'status' | 'headers' | 'text'>

/** A reply to a request for a token or an approval key, in which no value is left that could open anything. */
export interface KeyReply {
  readonly path: string
  readonly status: number
  /** Null: no JSON object. A text that is not shown is `***`, so that one sees that it is there. */
  readonly body: Readonly<Record<string, unknown>> | null
}

export interface Inspector {
  replyReceived(reply: RawReply): void
  keyReceived?(reply: KeyReply): void
}

const inspectors = new AsyncLocalStorage<Inspector | undefined>()

/**
 * Shows the inspector every reply to what `work` asks, of whichever client, and only that: what others ask of the same client
 * meanwhile is not seen. Whoever inspects can only read: an order from inside `work` is refused before it leaves.
 */
export const inspect = <T>(inspector: Inspector, work: () => Promise<T>): Promise<T> => inspectors.run(inspector, work)

/**
 * Does work that belongs to no inspection, wherever it is called: a connection that was opened from inside one calls back in its name,
 * for everybody's replies and as long as it lasts.
 */
export const outsideInspection = <T>(work: () => T): T => inspectors.run(undefined, work)

/** Ids of the broker's writing calls end in U, of reading ones in R or a number (kis-protocol 4.1). */
const isWriting = ({ method, headers }: Sent): boolean => method !== 'GET' || /U$/i.test(headers['tr_id'] ?? '')

/** Whether the request comes from an inspection and could change something at the broker. Requests for keys change nothing. */
export const isForbidden = (request: Sent, kind: 'query' | 'order' | 'key'): boolean =>
  inspectors.getStore() !== undefined && (kind === 'order' || (kind === 'query' && isWriting(request)))

/** What of such a reply says how long and what for a key is; whatever else is in it, under whatever name, may be the key. */
const HARMLESS: ReadonlySet<string> = new Set(['access_token_token_expired', 'expires_in', 'token_type'])

function hidden(value: unknown): unknown {
  if (typeof value === 'string') return value.trim() === '' ? '' : '***'
  return typeof value === 'object' && value !== null ? {} : null
}

/** Takes the reply as it came. */
export function showKeyReply({ body, ...reply }: KeyReply): void {
  const shown = Object.entries(body ?? {}).map(([name, value]) => [name, HARMLESS.has(name) ? value : hidden(value)])
  inspectors.getStore()?.keyReceived?.({ ...reply, body: body && Object.fromEntries(shown) })
}

export function showReply({ path, headers }: Sent, response: Came): void {
  const inspector = inspectors.getStore()
  if (inspector === undefined) return
  const [name = '', search = ''] = path.split('?', 2)
  inspector.replyReceived({
    trId: headers['tr_id'] ?? '',
    path: name,
    params: Object.fromEntries(new URLSearchParams(search)),
    cont: headers['tr_cont'] ?? '',
    status: response.status,
    headers: response.headers,
    text: response.text,
  })
}
