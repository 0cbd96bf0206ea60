import { createHash } from 'node:crypto'
import { GATEWAY } from '@digger/kis'
import type { Account } from '../ledger/account.ts'
import { NEW_CUSTOMER } from '../broker/assumptions.ts'
import type { Broker } from '../broker/broker.ts'
import { badInput, CALL_NAMES, CALLS, missingField, type Reply, type Call, type CallName } from './call.ts'
import { wrongMarket } from './market.ts'
import type { Keys } from './keys.ts'

/** A request as it came in. */
export interface Request {
  readonly method: string
  readonly path: string
  /** Values by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly query: ReadonlyMap<string, string>
  readonly body: string
}

/** Counts since the start: calls admitted, refused by the rate per second (EGW00201), refused by the ledger (EGW00215). */
export interface Traffic {
  readonly admitted: number
  readonly tooMany: number
  readonly ledgerBusy: number
}

const TEXTS: Readonly<Record<string, string>> = {
  EGW00001: '일시적 오류가 발생했습니다.',
  EGW00002: '서버 에러가 발생했습니다.',
  EGW00101: '유효하지 않은 요청입니다.',
  EGW00103: '유효하지 않은 AppKey입니다.',
  EGW00105: '유효하지 않은 AppSecret입니다.',
  EGW00121: '유효하지 않은 token 입니다.',
  EGW00122: '확인 할 수 없는 token 입니다.',
  EGW00123: '기간이 만료된 token 입니다.',
  EGW00131: '유효하지 않은 hashkey 입니다.',
  EGW00132: '유효하지 않은 Content-Type 입니다.',
  EGW00201: '초당 거래건수를 초과하였습니다.',
  EGW00202: 'GW라우팅 중 오류가 발생했습니다.',
  EGW00203: 'OPS라우팅 중 오류가 발생했습니다.',
  EGW00204: '내부 라우팅 중 오류가 발생했습니다.',
  EGW00205: 'credentials_type이 유효하지 않습니다.(Bearer)',
  EGW00208: '유효하지 않은 custtype 입니다.',
  EGW00213: '모의투자 TR 이 아닙니다.',
  EGW00215: '원장에서 허용 가능한 초당 거래건수를 초과하였습니다.',
  EGW00300: '라우팅 중 오류가 발생했습니다.',
  EGW00301: '연결 시간이 초과되었습니다. 직전 거래를 반드시 확인하십시오.',
  EGW00302: '거래시간이 초과되었습니다. 직전 거래를 반드시 확인하십시오.',
  EGW02004: '실전투자 도메인은 모의투자 앱키로 호출하실 수 없습니다.',
  EGW02006: '모의투자 TR 이 아닙니다.',
  EGW02007: '모의투자 도메인은 실전투자 앱키로 호출하실 수 없습니다.',
}

export const gatewayReply = (code: string, status = 500): Reply => ({
  status,
  body: {
    rt_cd: '1',
    msg1: TEXTS[code] ?? '오류가 발생했습니다.',
    msg_cd: code,
    // Measured on the broker: this refusal alone names its code twice.
    ...(code === GATEWAY.callsPerSecond && { message: code }),
  },
})

/** Status and code are the broker's for a path it cannot route; the text tells a gap of this program from a trouble of KIS. */
export const notImitated = ({ method, path }: Pick<Request, 'method' | 'path'>): Reply => ({
  status: 404,
  body: { rt_cd: '1', msg_cd: GATEWAY.opsRouting, msg1: `pretend KIS does not imitate ${method} ${path}` },
})

/** Calls that read or write the account's ledger. */
const LEDGER: ReadonlySet<CallName> = new Set([
  'executions',
  'executionsOlder',
  'openOrders',
  'buyable',
  'sellable',
  'balance',
  'balanceRealised',
  'accountBalance',
  'margin',
])

const FEWEST = { callsPerSecond: NEW_CUSTOMER.callsPerSecond, ledgerCallsPerSecond: { real: 1, paper: 1 } } as const

/** KIS's API gateway (its EGW codes): everything between the wire and the broker's order and query systems. */
export class Gateway {
  readonly #broker: Broker
  readonly #keys: Keys
  readonly #calls = new Map<string, number[]>()
  readonly traffic = { admitted: 0, tooMany: 0, ledgerBusy: 0 }

  constructor(broker: Broker, keys: Keys) {
    this.#broker = broker
    this.#keys = keys
  }

  /** Returns the call, or the reply that refuses it. */
  admit(request: Request): Call | Reply {
    const onPath = CALL_NAMES.filter(
      (name) => CALLS[name].path === request.path && CALLS[name].method === request.method,
    )
    if (onPath.length === 0) return notImitated(request)
    const account = this.#authorised(request)
    if ('status' in account) return account
    if (request.method === 'POST') {
      const wrong = wrongPost(request)
      if (wrong) return wrong
    }
    if (this.#tooMany('callsPerSecond', account)) {
      this.traffic.tooMany += 1
      return gatewayReply(GATEWAY.callsPerSecond)
    }
    const named = nameOf(onPath, request.headers['tr_id'] ?? '', account)
    if ('status' in named) return named
    const params = paramsOf(request)
    if ('status' in params) return params
    const { name, old } = named
    const call: Call = { broker: this.#broker, account, name, params, next: request.headers['tr_cont'] === 'N', old }
    const busy = this.#ledgerBusy(call)
    this.traffic[busy === null ? 'admitted' : 'ledgerBusy'] += 1
    return busy ?? wrongAccount(call) ?? wrongMarket(call) ?? call
  }

  #authorised({ headers }: Request): Account | Reply {
    const account = this.#keys.account(headers['appkey'] ?? '')
    if (!account) return gatewayReply(GATEWAY.badAppKey)
    const { appKey, appSecret } = account.spec.credentials
    if (headers['appsecret'] !== appSecret) return gatewayReply(GATEWAY.badAppSecret)
    const [type, token = ''] = (headers['authorization'] ?? '').split(' ')
    if (type !== 'Bearer') return gatewayReply('EGW00205')
    const state = this.#keys.state(token, appKey)
    if (state === 'unknown') return gatewayReply(GATEWAY.tokenInvalid)
    return state === 'valid' ? account : gatewayReply(GATEWAY.tokenExpired)
  }

  #ledgerBusy(call: Call): Reply | null {
    const isBusy = LEDGER.has(call.name) && this.#tooMany('ledgerCallsPerSecond', call.account)
    return isBusy ? gatewayReply(GATEWAY.ledgerBusy) : null
  }

  /** Counts the calls of the last second; refused ones do not count. */
  #tooMany(what: 'callsPerSecond' | 'ledgerCallsPerSecond', { env, spec: { credentials } }: Account): boolean {
    const { clock, timeScale, assumed, limits } = this.#broker
    if (limits === 'off') return false
    const key = `${what} ${what === 'callsPerSecond' ? credentials.appKey : credentials.accountNumber}`
    const now = clock.now()
    const since = now - 1_000 * timeScale()
    const calls = (this.#calls.get(key) ?? []).filter((at) => at > since)
    this.#calls.set(key, calls)
    const answer = assumed.answers[what]
    const most = typeof answer === 'number' ? answer : answer[env]
    const limit = most === 0 ? Infinity : most
    // Below the fewest that are known to be refused every answer lets a call in.
    if (calls.length >= Math.min(limit, FEWEST[what][env])) assumed.decide(what)
    if (calls.length >= limit) return true
    calls.push(now)
    return false
  }
}

function wrongPost({ headers, body }: Request): Reply | null {
  // A chunked body has no length; the broker's gateway loses its way with one.
  if (headers['content-length'] === undefined) return gatewayReply(GATEWAY.gatewayRouting)
  if (!(headers['content-type'] ?? '').includes('application/json')) return gatewayReply('EGW00132')
  // The broker's own sample collections send orders without a customer type, and theirs are taken.
  if (!['P', 'B'].includes(headers['custtype'] ?? 'P')) return gatewayReply('EGW00208')
  const hash = headers['hashkey']
  return hash && hash !== hashOf(body) ? gatewayReply('EGW00131') : null
}

function nameOf(names: readonly CallName[], trId: string, { env }: Account): { name: CallName; old: boolean } | Reply {
  if (trId === '') return badInput('OPSQ9999', 'ERROR : tr_id NOT FOUND')
  for (const name of names) {
    const call = CALLS[name]
    const [id, oldId] = env === 'real' ? [call.real, call.realOld] : [call.paper, call.paperOld]
    if (trId === id || trId === oldId) return { name, old: trId === oldId && trId !== id }
    const otherEnv: readonly (string | null)[] =
      env === 'real' ? [call.paper, call.paperOld] : [call.real, call.realOld]
    if (otherEnv.includes(trId)) return gatewayReply(env === 'real' ? GATEWAY.realKeyOnPaper : GATEWAY.notOnPaper)
  }
  return { status: 500, body: { rt_cd: '1', msg_cd: GATEWAY.noSuchService, msg1: '없는 서비스 코드 입니다.' } }
}

function paramsOf({ method, query, body }: Request): ReadonlyMap<string, string> | Reply {
  if (method === 'GET') return query
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed !== 'object' || parsed === null) throw new TypeError('no object')
    // Only text is a value here: a bare number does not reach the order system. Nor does a name that is not in capitals
    // (the broker's samples: "POST API의 경우 BODY값의 key값들을 대문자로 작성하셔야 합니다").
    const texts = Object.entries(parsed).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] === entry[0].toUpperCase(),
    )
    return new Map(texts.map(([name, value]) => [name.toLowerCase(), value]))
  } catch {
    return badInput('OPSQ9997', 'ERROR : INVALID JSON')
  }
}

/** Calls of these folders name no account. */
const WITHOUT_ACCOUNT = ['/v1/quotations/', '/v1/ksdinfo/']

function wrongAccount({ account, params, name }: Call): Reply | null {
  const { path, method } = CALLS[name]
  if (WITHOUT_ACCOUNT.some((folder) => path.includes(folder))) return null
  if (method === 'POST' && !params.has('cano')) return missingField('CANO')
  if (`${params.get('cano') ?? ''}${params.get('acnt_prdt_cd') ?? ''}` === account.number) return null
  return method === 'POST'
    ? badInput('IGW00002', '인증 시점의 계좌번호와 요청 계좌번호가 일치하지 않습니다.')
    : badInput(GATEWAY.badAccount, 'ERROR : INPUT INVALID_CHECK_ACNO')
}

/** The hash /uapi/hashkey gives for a body. */
export const hashOf = (body: string): string => createHash('sha256').update(body).digest('hex')
