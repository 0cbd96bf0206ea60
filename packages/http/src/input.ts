import { type Call, type CallName, calls, fieldMessage, isKeyed, KEY_HEADER, Refused } from '@digger/contract'
import type { CommandKey } from '@digger/engine'
import { aboutField } from '@digger/screens'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Inputs } from './handler.ts'

type RawInput = Pick<FastifyRequest, 'params' | 'query' | 'body'>

/** Checks a request against the contract. Throws Refused INVALID naming the fields as people do. */
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
  throw new Refused('INVALID', refusal(result.error.issues))
}

/** More are not said at once: a person mends a few fields, a program reads the document. */
const MAX_FIELDS = 12

/** Every field with what is wrong about it, a line each. */
function refusal(issues: readonly z.core.$ZodIssue[]): string {
  // The first of a field is enough: no day is in no calendar either.
  const first = new Map(issues.toReversed().map((issue) => [issue.path.join('.'), issue]))
  const fields = [...first.values()].toReversed().filter(({ path }) => path.length > 0)
  return fields.length > 0
    ? fields
        .slice(0, MAX_FIELDS)
        .map(({ path, message }) => aboutField(path, message))
        .join('\n')
    : '요청 내용(JSON)이 없거나 읽을 수 없습니다. 내용을 채워 다시 보내 주세요.'
}

/** As it is, or in quotes as the header's draft standard (draft-ietf-httpapi-idempotency-key-header) has it. */
const KEY = /^(?:([\w.:-]{16,64})|"([\w.:-]{16,64})")$/
export const KEY_PATTERN = KEY.source

const BAD_KEY = 'Idempotency-Key: 영문, 숫자, -, _, ., : 로 된 16–64자를 넣어 주세요.'

/**
 * What the call is known by, so that it is done once: its key stands for this call with this input. Undefined where it has none.
 * Throws Refused INVALID.
 */
export function commandKeyOf<N extends CallName>(
  name: N,
  request: Pick<FastifyRequest, 'headers'>,
  { params, query, body }: Inputs<N>,
): CommandKey | undefined {
  const header = request.headers[KEY_HEADER]
  if (header === undefined || !isKeyed(name, body)) return undefined
  const found = KEY.exec(String(header))
  const key = found?.[1] ?? found?.[2]
  if (key === undefined) throw new Refused('INVALID', BAD_KEY)
  // Keys are each account's own, whichever of its names the path has.
  const place = Object.entries(params ?? {}).filter(([part]) => part !== 'userId')
  return { key, call: JSON.stringify([name, place, query, body]) }
}
