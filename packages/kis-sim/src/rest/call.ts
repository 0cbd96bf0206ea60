import { ENDPOINTS, type Endpoint, type EndpointName } from '@digger/kis'
import type { Refusal } from '../exchange/refusals.ts'
import type { Account } from '../ledger/account.ts'
import type { Broker } from '../broker/broker.ts'
import { OVERSEAS } from './overseas-calls.ts'

/** The client's table, one call it does not use, and those of other countries. */
export const CALLS = {
  ...ENDPOINTS,
  ...OVERSEAS,
  margin: {
    method: 'GET',
    path: '/uapi/domestic-stock/v1/trading/intgr-margin',
    real: 'TTTC0869R',
    paper: null,
    realOld: null,
    paperOld: null,
  },
} as const satisfies Record<string, Endpoint>

export type CallName = EndpointName | 'margin' | keyof typeof OVERSEAS

const isCall = (name: string): name is CallName => name in CALLS
export const CALL_NAMES: readonly CallName[] = Object.keys(CALLS).filter(isCall)

/** A business call that passed the gateway. */
export interface Call {
  readonly broker: Broker
  readonly account: Account
  readonly name: CallName
  /** Query or body by lower-case name: of a query both cases are in use. */
  readonly params: ReadonlyMap<string, string>
  /** Header tr_cont was N: the client asks for the next page. */
  readonly next: boolean
  /** An id from before NXT: KRX only. */
  readonly old: boolean
}

export interface Reply {
  readonly status: number
  readonly body: unknown
  /** Response header tr_cont. */
  readonly cont?: string
}

export type Handler = (call: Call) => Reply

/** Field of a call, trimmed; empty when absent. */
export const field = (call: Pick<Call, 'params'>, name: string): string =>
  (call.params.get(name.toLowerCase()) ?? '').trim()

/** Texts come padded to 80 characters. */
const TEXT_WIDTH = 80
export const padded = (text: string): string => text.padEnd(TEXT_WIDTH)

export const success = (code: string, text: string, payload: object, cont = ''): Reply => ({
  status: 200,
  cont,
  body: { ...payload, rt_cd: '0', msg_cd: code, msg1: padded(text) },
})

export const quotation = (payload: object, cont = ''): Reply =>
  success('MCA00000', '정상처리 되었습니다.', payload, cont)

/** Reply of an account query: one code when there is something to show and nothing follows, others when not. */
export function ledgerReply(call: Call, payload: object, how: { empty?: boolean; more?: boolean } = {}): Reply {
  const cont = how.more ? (call.next ? 'M' : 'F') : call.next ? 'E' : 'D'
  if (call.account.env === 'paper') return success('20310000', '모의투자 조회가 완료되었습니다.', payload, cont)
  if (how.empty) return success('KIOK0560', '조회할 내용이 없습니다', payload, cont)
  return how.more
    ? success('KIOK0500', '조회가 계속됩니다..다음버튼을 Click 하십시오.', payload, cont)
    : success('KIOK0510', '조회가 완료되었습니다', payload, cont)
}

export function refused({ account }: Pick<Call, 'account'>, refusal: Refusal): Reply {
  const [code, text, rtCd = '1'] = account.env === 'paper' ? refusal.paper : refusal.real
  return { status: 200, body: { rt_cd: rtCd, msg_cd: code, msg1: padded(text) } }
}

/** The query server did not understand the input. */
export const badInput = (code: string, text: string): Reply => ({
  status: 200,
  body: { rt_cd: '2', msg_cd: code, msg1: padded(text) },
})

export const badField = (name: string): Reply => badInput('OPSQ2001', `ERROR : INPUT INVALID_CHECK_${name}`)

export const missingField = (name: string): Reply => badInput('OPSQ2001', `ERROR : INPUT FIELD NOT FOUND [${name}]`)
