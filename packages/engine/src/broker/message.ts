import { KisError, ProtocolError } from '@digger/kis'

/** For people: the broker's own message where it answered, ours where nobody did; what only an engineer understands stays in the log. */
export const messageOf = (error: unknown): string =>
  error instanceof KisError && !(error instanceof ProtocolError) ? error.message : '증권사의 답을 읽지 못했습니다.'
