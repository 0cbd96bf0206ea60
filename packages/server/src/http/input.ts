import { type Call, type CallName, calls, Refused } from '@digger/contract'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Inputs } from './handler.ts'
import { fieldMessage } from '../outcome/messages.ts'

type RawInput = Pick<FastifyRequest, 'params' | 'query' | 'body'>

/** Checks a request against the contract. Throws Refused INVALID naming the field. */
export function readInput<N extends CallName>(name: N, request: RawInput): Inputs<N>
export function readInput(name: CallName, request: RawInput): unknown {
  const call: Call = calls[name]
  return {
    params: call.params && read(call.params, request.params),
    query: call.query && read(call.query, request.query),
    body: call.body && read(call.body, request.body),
  }
}

function read(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value, { error: fieldMessage })
  if (result.success) return result.data
  throw new Refused('INVALID', refusal(result.error.issues[0]))
}

function refusal(issue: z.core.$ZodIssue | undefined): string {
  const field = issue?.path.join('.')
  return field
    ? `${field}: ${issue?.message}`
    : '요청 내용(JSON)이 없거나 읽을 수 없습니다. 내용을 채워 다시 보내 주세요.'
}
