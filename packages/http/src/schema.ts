import { ADMIN_SEGMENT, type Call, type CallName, KEY_HEADER, KEYED, Problem, calls } from '@digger/contract'
import { type Serializer, SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { z } from 'zod'
import { KEY_PATTERN } from './input.ts'

type Schema = Readonly<Record<string, unknown>>

const made = new Map<CallName, Schema>()

/** The JSON schemas of one call, made once: they compile the reply's serialiser and make the API document. */
export function schemaOf(name: CallName): Schema {
  const schema = made.get(name) ?? makeSchema(name)
  made.set(name, schema)
  return schema
}

const compile = SerializerSelector()()
/** By their schemas, which are made once, too: to compile them is most of what a server does before it is ready. */
const serializers = new WeakMap<object, Serializer>()

/** What writes a reply of this schema. */
export function serializerOf({ schema, method, url, httpStatus = '' }: SerializedRoute): Serializer {
  const compiled = serializers.get(schema) ?? compile({ schema, method, url, httpStatus })
  serializers.set(schema, compiled)
  return compiled
}
interface SerializedRoute {
  readonly schema: object
  readonly method: string
  readonly url: string
  readonly httpStatus?: string
}

function makeSchema(name: CallName): Schema {
  const call: Call = calls[name]
  const schema: Record<string, unknown> = {
    summary: call.summary,
    operationId: name,
    tags: [tagOf(name, call)],
    response: { ...(name === 'events' ? {} : { 200: output(call.reply) }), '4xx': output(Problem) },
  }
  if (call.params) schema['params'] = input(call.params)
  if (call.query) schema['querystring'] = input(call.query)
  if (call.body) schema['body'] = input(call.body)
  if (KEYED.has(name)) schema['headers'] = KEY_HEADERS
  const notes = [...(call.needsKey ? [NEEDS_KEY] : []), ...(call.tokens ? [BY_TOKEN[call.tokens]] : [])]
  if (notes.length > 0) schema['description'] = notes.join(' ')
  return schema
}

const NEEDS_KEY = '사용자의 증권사 키가 서버에 열려 있어야 합니다(NEED_USERKEY).'
const BY_TOKEN = {
  read: 'API 토큰으로도 부를 수 있습니다(Authorization: Bearer).',
  stop: '범위가 stop인 API 토큰으로도 부를 수 있습니다(Authorization: Bearer). 지금보다 느슨하게 하지는 못합니다.',
} as const

const KEY_HEADERS = {
  type: 'object',
  properties: {
    [KEY_HEADER]: {
      type: 'string',
      pattern: KEY_PATTERN,
      description:
        '요청마다 새로 만든 16–64자(영문, 숫자, -, _, ., :). 답을 받지 못했으면 같은 키로 다시 보냅니다. 이미 한 일은 다시 하지 않고 그 결과를 답합니다. 3일 동안 기억하며, 다른 요청에 쓰면 CONFLICT입니다.',
    },
  },
} as const

const tagOf = (name: CallName, call: Call): string =>
  call.access === 'admin' ? `관리자 /api/admin/${ADMIN_SEGMENT}` : name === 'login' ? '로그인' : '사용자'

// OpenAPI's `nullable` is what the serialiser compiles to straight code; JSON schema's anyOf makes it validate each value.
const output = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'output', unrepresentable: 'any' })
const input = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input', unrepresentable: 'any' })
