import { z } from 'zod'
import { ServerState } from '../workers.ts'
import type { Call } from './call.ts'

const ofWorker = z.object({
  worker: z.string().regex(/^[\w-]{1,64}$/, '워커의 이름이 아닙니다. 서버 화면에서 다시 골라 주세요.'),
})

/** The processes that share the accounts. */
export const workerCalls = {
  adminServer: { summary: '서버: 워커와 계좌 묶음', access: 'admin', reply: ServerState },
  drainWorker: {
    summary: '워커 비우기',
    access: 'admin',
    params: ofWorker,
    /** False: it takes accounts again. */
    body: z.object({ draining: z.boolean() }),
    reply: ServerState,
  },
} as const satisfies Record<string, Call>
