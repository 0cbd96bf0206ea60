import type { ErrorCode, ProofWays } from '@digger/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'

/** A call that failed. `OFFLINE`: no answer at all. The message is Korean and meant for the person. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ErrorCode | 'OFFLINE'
  /** With SECOND_FACTOR: by what the log-in can go on. */
  readonly ways: ProofWays | undefined

  constructor(code: Problem['code'], message: string, options?: ErrorOptions & { ways?: ProofWays | undefined }) {
    super(message, options)
    this.code = code
    this.ways = options?.ways
  }
}

const UNREADABLE = '서버가 알 수 없는 답을 보냈습니다. 잠시 뒤에 다시 시도해 주세요.'

/** Reads `{ code, message }` of a refused call; a gateway's HTML page becomes a plain sentence. */
export async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null)
  if (isProblemBody(body)) return new Problem(body.code, body.message, { ways: body.ways })
  return new Problem('INTERNAL', `${UNREADABLE} (${response.status})`)
}

function isProblemBody(body: unknown): body is { code: ErrorCode; message: string; ways?: ProofWays } {
  if (typeof body !== 'object' || body === null) return false
  return 'code' in body && typeof body.code === 'string' && 'message' in body && typeof body.message === 'string'
}

export const asProblem = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : new Problem('INTERNAL', '화면에 문제가 생겼습니다. 새로 고침해 주세요.', { cause: error })

/**
 * Why a read has failed. With nothing read before it stays while it is asked again, which every live event may do: what stands
 * on the page because of it, a dialog with all that was typed, must not go with it.
 */
export function useFailure({ data, error, errorUpdateCount }: UseQueryResult): Problem | null {
  const [last, setLast] = useState(error)
  if (error !== null && error !== last) setLast(error)
  return error ?? (data === undefined && errorUpdateCount > 0 ? last : null)
}
