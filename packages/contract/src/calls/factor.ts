import { z } from 'zod'
import { instant } from '../scalars.ts'
import {
  FactorProof,
  Factors,
  NewPasskey,
  PasskeyOptions,
  PasskeyProof,
  ProofWays,
  TotpCode,
} from '../second-factor.ts'
import type { Call } from './call.ts'
import { empty, ofUser, password } from './inputs.ts'
import { sessionCalls } from './session.ts'

/** Ten new ones with the first factor, shown once; null: there were some. */
const codes = z.array(z.string()).nullable()
const Added = z.object({ factors: Factors, codes })

export const factorCalls = {
  passkeyOptions: { summary: '패스키 로그인을 위한 물음', access: 'anyone', reply: PasskeyOptions },
  passkeyLogin: {
    summary: '패스키로 로그인(비밀번호 없이)',
    access: 'anyone',
    body: PasskeyProof.extend({ forceKisLogin: z.boolean().default(false) }),
    reply: sessionCalls.login.reply,
  },
  proofWays: { summary: '본인 확인 방법', access: 'owner', params: ofUser, reply: ProofWays },
  stepUp: {
    summary: '본인 확인',
    access: 'owner',
    params: ofUser,
    /** The password counts only for who has no second factor. */
    body: z.union([z.strictObject({ password }), FactorProof], '비밀번호나 두 번째 인증이 필요합니다.'),
    /** Until when it is not asked for again. */
    reply: z.object({ until: instant }),
  },
  factors: { summary: '두 번째 인증', access: 'owner', params: ofUser, reply: Factors },
  beginPasskey: { summary: '패스키 만들기 시작', access: 'owner', params: ofUser, body: empty, reply: PasskeyOptions },
  addPasskey: {
    summary: '패스키 더하기',
    access: 'owner',
    params: ofUser,
    body: z.object({
      name: z.string().trim().min(1, '이름을 넣어 주세요.').max(40, '이름은 40자까지입니다.'),
      passkey: NewPasskey,
      prf: PasskeyProof.shape.prf,
    }),
    reply: Added,
  },
  removePasskey: {
    summary: '패스키 없애기',
    access: 'owner',
    params: ofUser.extend({ passkeyId: z.string().regex(/^[\da-f]{32}$/, '패스키 목록에서 골라 주세요.') }),
    reply: Factors,
  },
  beginTotp: {
    summary: '인증 앱 연결 시작',
    access: 'owner',
    params: ofUser,
    body: empty,
    /** Base32, and the address that apps read from a picture. Shown once. */
    reply: z.object({ secret: z.string(), uri: z.string() }),
  },
  confirmTotp: {
    summary: '인증 앱 연결',
    access: 'owner',
    params: ofUser,
    body: z.object({ totp: TotpCode }),
    reply: Added,
  },
  removeTotp: { summary: '인증 앱 없애기', access: 'owner', params: ofUser, reply: Factors },
  makeCodes: {
    summary: '복구 코드 새로 만들기(전의 것은 못 쓰게 됨)',
    access: 'owner',
    params: ofUser,
    body: empty,
    reply: z.object({ codes: z.array(z.string()) }),
  },
} as const satisfies Record<string, Call>
