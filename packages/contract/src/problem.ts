import { z } from 'zod'

export const Problem = z.object({ code: z.string(), message: z.string() })

export const ErrorCode = z.enum([
  'LOGIN_REQUIRED',
  'FORBIDDEN',
  'NOT_FOUND',
  'INVALID',
  'CONFLICT',
  'NEED_USERKEY',
  'STOPPED',
  'REJECTED',
  'BUSY',
  'BROKER_UNREACHABLE',
  'INTERNAL',
])
export type ErrorCode = z.infer<typeof ErrorCode>

export const STATUS_OF = {
  LOGIN_REQUIRED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  INVALID: 400,
  CONFLICT: 409,
  NEED_USERKEY: 409,
  STOPPED: 409,
  REJECTED: 422,
  BUSY: 429,
  BROKER_UNREACHABLE: 502,
  INTERNAL: 500,
} as const satisfies Record<ErrorCode, number>
