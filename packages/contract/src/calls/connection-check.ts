import { ConnectionCheck } from '../connection-check.ts'
import type { Call } from './call.ts'
import { ofUser } from './inputs.ts'

/** Reads at the broker over the account's own connection, and orders nothing. */
export const connectionCheckCalls = {
  connectionCheck: {
    summary: '마지막 연결 점검',
    access: 'owner',
    tokens: 'read',
    params: ofUser,
    reply: ConnectionCheck,
  },
  startConnectionCheck: {
    summary: '연결 점검 시작(읽기만, 1분에 한 번)',
    access: 'owner',
    params: ofUser,
    reply: ConnectionCheck,
    needsKey: true,
  },
} as const satisfies Record<string, Call>
