import { type Call, type CallName, ErrorCode, Problem, STATUS_OF, calls, paths } from '@digger/contract'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { z } from 'zod'
import { samples } from './samples.ts'

export interface Request {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
}

const isCall = (name: string): name is CallName => name in paths

export const names: CallName[] = Object.keys(paths).filter(isCall).sort()

/** A fresh copy of the good input of a call, about a user. */
export function goodRequest(name: CallName, userId: string): Request {
  const { params, query, body } = samples[name]
  return structuredClone({
    params: hasUser(name) ? { ...params, userId } : { ...params },
    query: { ...query },
    body,
  })
}

export const hasUser = (name: CallName): boolean => paths[name][1].includes('{userId}')

export function injection(name: CallName, request: Request, cookie: string): InjectOptions {
  const [method, path] = paths[name]
  const query = Object.entries(request.query).map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`)
  const url = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(String(request.params[field])))
  return {
    method,
    url: query.length > 0 ? `${url}?${query.join('&')}` : url,
    headers: {
      ...(cookie ? { cookie } : {}),
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(request.body === undefined ? {} : { payload: JSON.stringify(request.body) }),
  }
}

/** Values nobody means. Which of them a field refuses is the contract's to say. */
const ODD: readonly unknown[] = [
  null,
  '',
  ' ',
  'nonsense!',
  '-1',
  '1.5',
  '20260231',
  -1,
  1.5,
  1e20,
  true,
  [],
  {},
  '1e400',
]

export interface Bad {
  readonly title: string
  readonly field: string
  readonly request: Request
}

/** Every field of a call with every odd value its schema refuses, one at a time. */
export function badRequests(name: CallName, userId: string): Bad[] {
  return (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = partOf(name, part)
    if (!schema) return []
    const fields = Object.keys(goodFields(name, part)).filter((field) => field !== 'userId')
    return fields.flatMap((field) =>
      ODD.filter((value) => part === 'body' || typeof value === 'string')
        .filter((value) => part !== 'params' || value !== '')
        .map((value) => {
          const request = goodRequest(name, userId)
          const input = inputOf(request, part)
          input[field] = value
          return { title: `${part}.${field} = ${JSON.stringify(value)}`, field, request, input }
        })
        .filter(({ input }) => !schema.safeParse(input).success),
    )
  })
}

function inputOf(request: Request, part: keyof Request): Record<string, unknown> {
  const input: Record<string, unknown> = Object.assign({}, request[part])
  request[part] = input
  return input
}

function goodFields(name: CallName, part: keyof Request): object {
  const schema = partOf(name, part)
  return schema instanceof z.ZodObject ? schema.shape : {}
}

function partOf(name: CallName, part: keyof Request): z.ZodType | undefined {
  const call: Call = calls[name]
  return call[part]
}

/** Korean, said to the end, and nothing of the inside: no names of errors, no English sentence. */
export const isSentence = (message: string): boolean =>
  /[가-힣]/.test(message) && /[.!?)]$/.test(message) && !/Error|undefined|\[object|[a-z]+ [a-z]+ [a-z]+/.test(message)

/**
 * The code of an error reply, when it is one as the contract wants it: a known code with its status and a Korean
 * sentence. Otherwise the reply as it came, for the test to show.
 */
export function problemIn(reply: LightMyRequestResponse): string {
  const { data } = Problem.strict().safeParse(JSON.parse(reply.body))
  const code = ErrorCode.safeParse(data?.code).data
  const fits = code && STATUS_OF[code] === reply.statusCode && isSentence(data?.message ?? '')
  return fits ? code : `${reply.statusCode} ${reply.body}`
}
