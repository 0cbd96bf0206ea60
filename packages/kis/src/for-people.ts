import { KisError, ProtocolError } from './errors.ts'

/** A list is there, but rows are missing without which this account may conclude nothing. The message is for people. */
export class UnreadableRowError extends Error {
  override readonly name = 'UnreadableRowError'
}

/** What the broker's lists say depends on the hour, and nobody knows it yet. The message is for people. */
export class TimeUnknownError extends Error {
  override readonly name = 'TimeUnknownError'

  constructor() {
    super('이 컴퓨터의 시각을 증권사의 시각과 아직 맞추지 못했습니다. 곧 다시 맞춰 봅니다.')
  }
}

/** Whether an error's message is a sentence for people: the broker's own where it answered, ours where nobody did. */
export const isForPeople = (error: unknown): error is KisError | UnreadableRowError | TimeUnknownError =>
  error instanceof UnreadableRowError ||
  error instanceof TimeUnknownError ||
  (error instanceof KisError && !(error instanceof ProtocolError))

/** For people; what only an engineer understands goes to the log. */
export const messageOf = (error: unknown): string =>
  isForPeople(error) ? error.message : '증권사의 답을 읽지 못했습니다.'
