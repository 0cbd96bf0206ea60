import { z } from 'zod'
import * as e from '../entities.ts'
import type { Call } from './call.ts'
import { accountNumber, empty, ofUser, password, email, login } from './inputs.ts'
import { tokenCalls } from './token.ts'

/** What a person has from the broker beside the account's number. */
const brokerKeys = {
  appKey: z.string().trim().length(36, 'appKey는 36자입니다. 증권사에서 받은 그대로 넣어 주세요.'),
  appSecret: z.string().trim().length(180, 'appSecret은 180자입니다. 증권사에서 받은 그대로 넣어 주세요.'),
  htsId: z.string().trim().min(1, 'HTS ID를 입력해 주세요.').max(40),
}

export const sessionCalls = {
  ...tokenCalls,
  login: {
    summary: '로그인',
    access: 'anyone',
    body: login,
    reply: z.object({
      diggerAdmin: z.boolean(),
      message: z.string(),
      userId: e.userId,
      email: z.string(),
      /** Made by the operator: it opens for a day, and `message` says until when. */
      temporaryPassword: z.boolean(),
    }),
  },
  logout: { summary: '로그아웃', access: 'anyone', reply: empty },
  signUp: {
    summary: '가입: 증권사 정보를 증권사에 확인한 뒤 만든다',
    access: 'anyone',
    body: z.object({
      email,
      password: z.string().min(8, '비밀번호는 8자 이상이어야 합니다.').max(200),
      ...brokerKeys,
      accountNumber,
    }),
    /** `htsIdChecked` false: the broker did not answer whether the HTS ID is right. */
    reply: z.object({ userId: e.userId, htsIdChecked: z.boolean() }),
  },
  me: { summary: '사용자와 서버 환경', access: 'owner', tokens: 'read', params: ofUser, reply: e.Me },
  credentials: {
    summary: '저장된 증권사 정보(끝 네 글자만)',
    access: 'owner',
    params: ofUser,
    /** Null while the user's key is closed. */
    reply: e.MaskedCredentials.nullable(),
  },
  changeCredentials: {
    summary: '증권사 정보 변경',
    access: 'owner',
    params: ofUser,
    /** One that is left out stays as it is; an account of another number is another user. */
    body: z.object({
      password,
      appKey: brokerKeys.appKey.optional(),
      appSecret: brokerKeys.appSecret.optional(),
      htsId: brokerKeys.htsId.optional(),
    }),
    /** `message`: how the connection with them began. */
    reply: z.object({ htsIdChecked: z.boolean(), connected: z.boolean(), message: z.string() }),
  },
  changePassword: {
    summary: '비밀번호 변경',
    access: 'owner',
    params: ofUser,
    body: z.object({
      oldPassword: password,
      newPassword: z.string().min(8, '새 비밀번호는 8자 이상이어야 합니다.').max(200),
    }),
    reply: empty,
  },
} as const satisfies Record<string, Call>
