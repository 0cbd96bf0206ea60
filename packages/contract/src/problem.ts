import { z } from 'zod'

import { ProofWays } from './second-factor.ts'

/** `ways`: with SECOND_FACTOR, by what the log-in can go on. */
export const Problem = z.object({ code: z.string(), message: z.string(), ways: ProofWays.exactOptional() })

export const ErrorCode = z.enum([
  'LOGIN_REQUIRED',
  /** The password is right, and alone not enough. */
  'SECOND_FACTOR',
  /** To be sent again after `stepUp`. */
  'STEP_UP',
  /** This server wants a second factor of everybody; it has to be set up first. */
  'NO_SECOND_FACTOR',
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
  SECOND_FACTOR: 403,
  STEP_UP: 403,
  NO_SECOND_FACTOR: 403,
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
