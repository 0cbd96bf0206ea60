import {
  CREDENTIAL_CODES,
  GATEWAY,
  LIST_REFUSAL,
  NO_VERDICT_CODES,
  NOT_OFFERED_CODES,
  TOKEN_CODES,
} from '../wire/codes.ts'
import { orderVerdict } from '../wire/verdicts.ts'
import type { HttpResponse } from './http.ts'

/** A readable reply, good or bad: keys lower-cased at every depth, the message trimmed of its padding. */
export interface ApiReply {
  readonly status: number
  readonly ok: boolean
  readonly code: string
  readonly message: string
  readonly cont: string | null
  readonly rtCd: string
  readonly body: Readonly<Record<string, unknown>>
}

/** A reply, and when its request left: epoch ms. */
export interface TimedReply extends ApiReply {
  readonly leftAt: number
}

type OrderFailure = 'token' | 'throttled' | 'ledgerBusy' | 'notOffered' | 'noVerdict' | 'refused'
type Failure = OrderFailure | 'noData' | 'daysRefused' | 'listChanged'

/** Null when the body is not the broker's envelope (maintenance pages, cut or empty bodies). */
export function readReply(response: Pick<HttpResponse, 'status' | 'cont' | 'text'>): ApiReply | null {
  const body = parseObject(response.text)
  if (body === null) return null
  // The token endpoint names its errors differently: error_code and error_description, without rt_cd.
  const code = textOf(body['msg_cd']) || textOf(body['error_code'])
  const rtCd = textOf(body['rt_cd'])
  if (rtCd === '' && code === '') return null
  const message = textOf(body['msg1']) || textOf(body['error_description'])
  return { status: response.status, ok: rtCd === '0', code, message, cont: response.cont, rtCd, body }
}

export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value = lowerKeys(JSON.parse(text))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Order answers come in upper case, others in lower case, single keys in both (`excg_id_dvsn_Cd`). */
function lowerKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerKeys)
  if (typeof value !== 'object' || value === null) return value
  const lowered: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    const name = key.toLowerCase()
    // It would not become a field.
    if (name !== '__proto__') lowered[name] = lowerKeys(inner)
  }
  return lowered
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Codes that are a verdict on a query whatever the HTTP status. */
const VERDICT = /^(APBK|APTR|KIOK|KIER|IGW|4\d{7}$|90070000$|OPSQ2|OPSQ99|EGW00(1\d\d|20[5-9]|21[0-2]|30[34]|310)$)/

/** The query server failed behind the gateway (MCI send and receive, resources, sessions), or paper's "service delayed". */
const TROUBLE = /^(OPSQ[013]|EGW|90020000$)/

const DELAYED = /타임\s?아웃|time-?\s?out|서비스.{0,6}지연/i

/** What a failed query means. The code speaks before the status: the same error comes with 200 and with 500. */
export function failureOf(reply: ApiReply): Failure {
  const { code, status, message, rtCd } = reply
  if (code === LIST_REFUSAL.days) return 'daysRefused'
  if (code === LIST_REFUSAL.changed) return 'listChanged'
  if (rtCd === '7') return 'noData'
  if (TOKEN_CODES.includes(code)) return 'token'
  if (code === GATEWAY.callsPerSecond) return 'throttled'
  if (code === GATEWAY.ledgerBusy) return 'ledgerBusy'
  if (NOT_OFFERED_CODES.includes(code)) return 'notOffered'
  if (code === '' || NO_VERDICT_CODES.includes(code) || DELAYED.test(message)) return 'noVerdict'
  if (CREDENTIAL_CODES.includes(code) || VERDICT.test(code)) return 'refused'
  return status >= 500 || TROUBLE.test(code) ? 'noVerdict' : 'refused'
}

/** What a failed order means. Whatever is not listed is no verdict: the order may exist. */
export function orderFailureOf({ code, message }: ApiReply): OrderFailure {
  if (TOKEN_CODES.includes(code)) return 'token'
  if (code === GATEWAY.callsPerSecond) return 'throttled'
  if (code === GATEWAY.ledgerBusy) return 'ledgerBusy'
  return orderVerdict(code, message) ?? 'noVerdict'
}
