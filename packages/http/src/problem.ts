import { isNotConnected } from '@digger/database'
import {
  asSentence,
  type ErrorCode,
  FactorNeeded,
  LOST_HEADER,
  LostAnswer,
  type ProofWays,
  STATUS_OF,
  Refused,
} from '@digger/contract'
import {
  HtsIdError,
  KisError,
  NotOfferedError,
  ProtocolError,
  RefusedError,
  ThrottledError,
  TokenError,
} from '@digger/kis'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

export interface Problem {
  readonly code: ErrorCode
  readonly message: string
  readonly ways?: ProofWays
}

/** An earlier statement of the same call may have been done, so the person looks first. */
const NO_DATABASE =
  '데이터베이스에 연결하지 못했습니다. 잠시 뒤 화면을 새로 고쳐 되어 있는지 보고, 아니면 다시 해 주세요.'

/** Every failure of a call becomes `{ code, message }`, with SECOND_FACTOR how to go on. Null for what nobody foresaw: its text is of the inside and only logged. */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof FactorNeeded) return { code: error.code, message: error.message, ways: error.ways }
  if (error instanceof Refused) return { code: error.code, message: error.message }
  if (error instanceof KisError) return brokerProblem(error)
  if (isNotConnected(error)) return { code: 'BUSY', message: NO_DATABASE }
  if (isClientError(error)) return { code: 'INVALID', message: '요청을 읽을 수 없습니다. 본문과 주소를 확인해 주세요.' }
  return null
}

const WRONG_HTS_ID =
  'HTS ID: 증권사가 모르는 아이디입니다. 한국투자 홈페이지나 앱에 로그인할 때 쓰는 아이디를 넣어 주세요.'

/** The broker's own message wherever it answered (it gave a code), ours where nobody did. */
function brokerProblem(error: KisError): Problem {
  if (error instanceof HtsIdError) return { code: 'INVALID', message: WRONG_HTS_ID }
  const reason = asSentence(error.message)
  if (error instanceof ThrottledError) {
    return { code: 'BUSY', message: `증권사가 호출을 더 받지 않습니다: ${reason} 잠시 뒤 다시 해 주세요.` }
  }
  if (error instanceof RefusedError || error instanceof NotOfferedError) {
    return { code: 'REJECTED', message: `증권사가 거절했습니다: ${reason}` }
  }
  if (error instanceof TokenError && error.code !== null) {
    const message = `증권사에 로그인하지 못했습니다: ${reason} appKey와 appSecret을 확인해 주세요.`
    return { code: 'REJECTED', message }
  }
  if (error instanceof ProtocolError) {
    return { code: 'BROKER_UNREACHABLE', message: '증권사의 답을 읽지 못했습니다. 잠시 뒤 다시 해 주세요.' }
  }
  if (error.code !== null) {
    const message = `증권사에서 처리하지 못했습니다: ${reason} 잠시 뒤 다시 해 주세요.`
    return { code: 'BROKER_UNREACHABLE', message }
  }
  return { code: 'BROKER_UNREACHABLE', message: `증권사에 연결하지 못했습니다: ${reason} 잠시 뒤 다시 해 주세요.` }
}

/** The framework's own refusals: unreadable JSON, a body too large or of another type, a bad URL. */
const isClientError = (error: unknown): error is FastifyError =>
  error instanceof Error && 'statusCode' in error && Number(error.statusCode) >= 400 && Number(error.statusCode) < 500

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply.code(STATUS_OF[problem.code]).type('application/json; charset=utf-8').send(JSON.stringify(problem))
}

export function onError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error)
  if (error instanceof LostAnswer) reply.header(LOST_HEADER, '1')
  if (problem) return sendProblem(reply, problem)
  request.log.error({ reqId: request.id, err: error }, 'call failed')
  const message = `서버에서 문제가 생겼습니다. 잠시 뒤 다시 해 주세요. (번호 ${request.id})`
  return sendProblem(reply, { code: 'INTERNAL', message })
}
