import { KisError, ProtocolError } from '@digger/kis'

/** Whether an error's message is a sentence for people: the broker's own where it answered, ours where nobody did. */
export const isForPeople = (error: unknown): error is KisError =>
  error instanceof KisError && !(error instanceof ProtocolError)

/** For people; what only an engineer understands goes to the log. */
export const messageOf = (error: unknown): string =>
  isForPeople(error) ? error.message : '증권사의 답을 읽지 못했습니다.'
