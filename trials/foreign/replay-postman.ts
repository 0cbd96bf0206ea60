import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { KisCredentials } from '@digger/kis'
import { judged, type Outcome, type CallReport } from './outcome.ts'
import { KNOWN } from './known.ts'
import { filled, type PostmanCollection, type PostmanRequest } from './postman.ts'

/** Which variables of the collection's environment stand for what. */
export interface PostmanEnvironment {
  /** Host, and the prefix of its keys, as in PROD, PROD_APPKEY, PROD_APPSECRET. */
  readonly host: string
  readonly stocks: string
  readonly futures: string
  readonly account: string
}

export const REAL: PostmanEnvironment = { host: 'PROD', stocks: 'PROD', futures: 'PROT', account: 'CANO_REAL' }
export const PAPER: PostmanEnvironment = { host: 'VTS', stocks: 'VTS', futures: 'VTT', account: 'CANO' }

interface Owners {
  readonly stocks: KisCredentials
  readonly futures: KisCredentials
}

const Reply = z.looseObject({
  rt_cd: z.string().optional(),
  msg_cd: z.string().optional(),
  msg1: z.string().optional(),
  error_code: z.string().optional(),
})

/** Under the broker's 18 calls a second. */
const PAUSE_MS = 70
const REVOKES = /revokeP/

export interface Replay {
  readonly client: string
  readonly url: string
  readonly environment: PostmanEnvironment
  readonly owners: Owners
}

/** Sends every request of a collection, headers and bodies as they stand in it, and revokes tokens last. */
export async function replayCollection({ requests }: PostmanCollection, replay: Replay): Promise<Outcome[]> {
  const variables = variablesOf(replay)
  const inOrder = [
    ...requests.filter(({ url }) => !REVOKES.test(url)),
    ...requests.filter(({ url }) => REVOKES.test(url)),
  ]
  const outcomes: Outcome[] = []
  const context: Context = { url: replay.url, variables, resting: null }
  for (const request of inOrder) {
    outcomes.push(judged(replay.client, await send(request, context), KNOWN))
    await sleep(PAUSE_MS)
  }
  return outcomes
}

function variablesOf({ url, environment, owners }: Replay): Map<string, string> {
  const { host, stocks, futures, account } = environment
  return new Map([
    [host, url],
    [`${stocks}_APPKEY`, owners.stocks.appKey],
    [`${stocks}_APPSECRET`, owners.stocks.appSecret],
    [`${futures}_APPKEY`, owners.futures.appKey],
    [`${futures}_APPSECRET`, owners.futures.appSecret],
    [account, owners.stocks.accountNumber.slice(0, 8)],
    [`${account}_T`, owners.futures.accountNumber.slice(0, 8)],
  ])
}

interface Context {
  readonly url: string
  readonly variables: Map<string, string>
  /** The order of the collection that rests, for the cancellation that follows it. */
  resting: { readonly odno: string; readonly branch: string } | null
}

const Order = z.object({ output: z.object({ ODNO: z.string(), KRX_FWDG_ORD_ORGNO: z.string() }) })

/** A person who replays the collection puts the number of an order of his into the cancellation. */
const withRestingOrder = (body: string, resting: Context['resting']): string =>
  resting === null
    ? body
    : body
        .replace(/("ORGN_ODNO"\s*:\s*")[^"]*"/, `$1${resting.odno}"`)
        .replace(/("KRX_FWDG_ORD_ORGNO"\s*:\s*")[^"]*"/, `$1${resting.branch}"`)

async function send(request: PostmanRequest, context: Context): Promise<CallReport> {
  const { variables } = context
  const body = request.body === null ? null : withRestingOrder(filled(request.body, variables), context.resting)
  if (request.hashInto !== null && body !== null) {
    const hash = await hashOf(body, request, context)
    variables.set(request.hashInto, hash)
  }
  const headers = request.headers.map(([name, value]) => [name, filled(value, variables).trim()] as [string, string])
  const response = await fetch(filled(request.url, variables), {
    method: request.method,
    headers,
    ...(body !== null && { body }),
  })
  const reply = Reply.parse(await response.json())
  for (const [variable, field] of request.sets) {
    const value = reply[field]
    if (typeof value === 'string') variables.set(variable, value)
  }
  const order = Order.safeParse(reply)
  if (order.success && /order-cash/.test(request.url))
    context.resting = { odno: order.data.output.ODNO, branch: order.data.output.KRX_FWDG_ORD_ORGNO }
  const { rt_cd, msg_cd, error_code, msg1 = '' } = reply
  const detail = [response.status, msg_cd ?? error_code ?? '', msg1.trim()].join(' ').trim()
  return { call: request.name, ok: response.status === 200 && (rt_cd ?? '0') === '0', detail }
}

async function hashOf(body: string, request: PostmanRequest, { url, variables }: Context): Promise<string> {
  const keys = request.headers.filter(([name]) => /^app(key|secret)$/i.test(name))
  const headers = keys.map(([name, value]) => [name, filled(value, variables)] as [string, string])
  const response = await fetch(`${url}/uapi/hashkey`, { method: 'POST', headers, body })
  return z.object({ HASH: z.string() }).parse(await response.json()).HASH
}
