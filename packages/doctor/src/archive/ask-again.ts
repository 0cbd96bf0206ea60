import { ENDPOINTS, type Endpoint, type KisCredentials } from '@digger/kis'
import { callOf, isRow, type Row } from '../reply.ts'
import type { FiledReply } from './filed-reply.ts'
import { Redaction } from './redaction.ts'
import type { ReplyPair } from './shapes.ts'

/** The pretended broker, and an account of it. */
export interface Pretended {
  readonly url: string
  readonly credentials: KisCredentials
  /** Its market's time becomes this, epoch ms; never backwards. */
  readonly advanceTo: (at: number) => Promise<void>
}

/**
 * Asks the pretended broker what an archive's broker was asked, in the same order and at the same times, of another account. Its
 * replies are written as those of an archive are. Only what is asked by GET and has a place in the client's table is asked.
 */
export async function askAgain(archive: readonly FiledReply[], pretended: Pretended): Promise<ReplyPair[]> {
  const redaction = new Redaction(pretended.credentials)
  const token = await tokenOf(pretended)
  const lastBodies = new Map<string, Row>()
  const pairs: ReplyPair[] = []
  for (const archived of archive) {
    const endpoint = endpointOf(archived)
    if (endpoint === undefined) {
      pairs.push({ archived, pretended: null })
      continue
    }
    await pretended.advanceTo(archived.at)
    const params = paramsOf(archived, pretended.credentials, lastBodies.get(archived.trId))
    const reply = await ask(endpoint, { ...archived, params }, pretended, token)
    if (isRow(reply.body)) lastBodies.set(archived.trId, reply.body)
    pairs.push({ archived, pretended: redaction.of(reply) })
  }
  return pairs
}

const endpointOf = ({ trId, call }: FiledReply): Endpoint | undefined =>
  Object.values(ENDPOINTS).find(
    (one: Endpoint) => one.method === 'GET' && callOf(one) === call && (one.real === trId || one.paper === trId),
  )

/** Of the pretended account; a cursor is that of the page before, which an archive does not hold. */
function paramsOf(
  { params, cont }: FiledReply,
  { accountNumber }: KisCredentials,
  last: Row | undefined,
): Record<string, string> {
  const valueOf = (name: string, value: string): string => {
    if (name === 'CANO') return accountNumber.slice(0, 8)
    if (name === 'ACNT_PRDT_CD') return accountNumber.slice(8)
    if (!name.startsWith('CTX_AREA_') || cont === '') return value
    const cursor = last?.[name.toLowerCase()]
    return typeof cursor === 'string' ? cursor : ''
  }
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, valueOf(name, value)]))
}

async function ask(
  { path }: Endpoint,
  question: FiledReply,
  { url, credentials }: Pretended,
  token: string,
): Promise<FiledReply> {
  const { trId, params, cont } = question
  const { appKey: appkey, appSecret: appsecret } = credentials
  const headers = { authorization: `Bearer ${token}`, appkey, appsecret, custtype: 'P', tr_id: trId, tr_cont: cont }
  const reply = await fetch(`${url}${path}?${new URLSearchParams(params).toString()}`, { headers })
  return { ...question, status: reply.status, headers: [...reply.headers], body: bodyOf(await reply.text()) }
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function tokenOf({ url, credentials: { appKey: appkey, appSecret: appsecret } }: Pretended): Promise<string> {
  const body = JSON.stringify({ grant_type: 'client_credentials', appkey, appsecret })
  const reply = await fetch(`${url}/oauth2/tokenP`, { method: 'POST', body })
  const read: unknown = await reply.json()
  const token = isRow(read) ? read['access_token'] : undefined
  if (typeof token !== 'string') throw new Error('the pretended broker gives no token')
  return token
}
