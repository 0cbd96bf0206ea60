import { z } from 'zod'
import { OpenSession } from '../second-factor.ts'
import type { Call } from './call.ts'
import { empty, ofUser } from './inputs.ts'

const ofSession = ofUser.extend({ sessionId: z.string().regex(/^[\da-f]{64}$/, '로그인 목록에서 골라 주세요.') })

export const accessSessionCalls = {
  sessions: { summary: '로그인한 기기', access: 'owner', params: ofUser, reply: z.array(OpenSession) },
  endSession: { summary: '로그인한 기기 하나 끝내기', access: 'owner', params: ofSession, reply: empty },
  /** Of one's own account all but the one that asks; an administrator ends all of another's. */
  endOtherSessions: {
    summary: '다른 기기의 로그인 모두 끝내기',
    access: 'owner',
    params: ofUser,
    reply: z.object({ ended: z.int() }),
  },
} as const satisfies Record<string, Call>
