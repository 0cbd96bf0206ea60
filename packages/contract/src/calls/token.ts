import { z } from 'zod'
import { ApiToken, TOKEN_DAYS, TokenScope } from '../tokens.ts'
import type { Call } from './call.ts'
import { ofUser, typed } from './inputs.ts'

/** It stands in logs and in the account's record: no control characters, nor such as turn the writing round. */
const name = z
  .string()
  .trim()
  .min(1, '이름을 넣어 주세요.')
  .max(40, '40자 이하로 넣어 주세요.')
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, '보이지 않는 글자가 있습니다. 이름을 다시 넣어 주세요.')

/** Tokens by which programs ask. No token can reach these calls. */
export const tokenCalls = {
  apiTokens: { summary: 'API 토큰 목록, 새것부터', access: 'owner', params: ofUser, reply: z.array(ApiToken) },
  makeApiToken: {
    summary: 'API 토큰 만들기',
    access: 'owner',
    params: ofUser,
    body: z.object({
      name,
      scope: TokenScope,
      days: typed(z.literal(TOKEN_DAYS, '7, 30, 90, 365 가운데에서 골라 주세요.')).default(90),
    }),
    /** `secret` is shown once: it is nowhere to be read again. */
    reply: z.object({ secret: z.string(), token: ApiToken }),
  },
  revokeApiToken: {
    summary: 'API 토큰 없애기',
    access: 'owner',
    params: ofUser.extend({ tokenId: z.coerce.number().pipe(z.int().min(1)) }),
    /** Those that are left. */
    reply: z.array(ApiToken),
  },
} as const satisfies Record<string, Call>
