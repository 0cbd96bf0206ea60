import { type ErrorCode, STATUS_OF } from '@digger/contract'
import { KisError, NotOfferedError, RefusedError, ThrottledError, TokenError } from '@digger/kis'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../accounts/port.ts'

export interface Problem {
  readonly code: ErrorCode
  readonly message: string
}

/** Every failure of a call becomes `{ code, message }`. What nobody foresaw is logged and says nothing of the inside. */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof Refused) return { code: error.code, message: error.message }
  if (error instanceof KisError) return brokerProblem(error)
  if (isClientError(error)) return { code: 'INVALID', message: '요청을 읽을 수 없습니다. 본문과 주소를 확인해 주세요.' }
  return null
}

function brokerProblem(error: KisError): Problem {
  if (error instanceof ThrottledError)
    return { code: 'BUSY', message: '증권사 호출이 많습니다. 잠시 뒤 다시 해 주세요.' }
  if (error instanceof RefusedError || error instanceof NotOfferedError) {
    return { code: 'REJECTED', message: `증권사가 거절했습니다: ${error.message}` }
  }
  if (error instanceof TokenError) {
    return {
      code: 'BROKER_UNREACHABLE',
      message: '증권사에 로그인하지 못했습니다. appKey와 appSecret을 확인해 주세요.',
    }
  }
  return { code: 'BROKER_UNREACHABLE', message: '증권사에 연결하지 못했습니다. 잠시 뒤 다시 해 주세요.' }
}

/** Unreadable JSON, a body too large or of another type, a bad URL. */
const isClientError = (error: unknown): error is FastifyError =>
  error instanceof Error && 'statusCode' in error && Number(error.statusCode) >= 400 && Number(error.statusCode) < 500

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply.code(STATUS_OF[problem.code]).type('application/json; charset=utf-8').send(JSON.stringify(problem))
}

export function onError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error)
  if (problem) return sendProblem(reply, problem)
  request.log.error({ reqId: request.id, err: error }, 'call failed')
  const message = `서버에서 문제가 생겼습니다. 잠시 뒤 다시 해 주세요. (번호 ${request.id})`
  return sendProblem(reply, { code: 'INTERNAL', message })
}
