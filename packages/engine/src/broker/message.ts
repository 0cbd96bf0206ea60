import { KisError, ProtocolError } from '@digger/kis'

/** A list is there, but rows are missing without which this account may conclude nothing. The message is for people. */
export class UnreadableRowError extends Error {
  override readonly name = 'UnreadableRowError'
}

/** Whether an error's message is a sentence for people: the broker's own where it answered, ours where nobody did. */
export const isForPeople = (error: unknown): error is KisError | UnreadableRowError =>
  error instanceof UnreadableRowError || (error instanceof KisError && !(error instanceof ProtocolError))

/** For people; what only an engineer understands goes to the log. */
export const messageOf = (error: unknown): string =>
  isForPeople(error) ? error.message : '증권사의 답을 읽지 못했습니다.'
