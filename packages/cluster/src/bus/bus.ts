/** Nobody answers there just now: what was asked has not been done. */
export class NobodyThereError extends Error {
  override readonly name = 'NobodyThereError'
  constructor(subject: string) {
    super(`nobody answers ${subject}`)
  }
}

/** No answer in time, or the line was cut: what was asked may have been done. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  constructor(subject: string) {
    super(`no answer from ${subject}`)
  }
}

/** What the one who was asked could not do; told to the one who asked as a text. */
export class AnswerFailedError extends Error {
  override readonly name = 'AnswerFailedError'
}

export type Answer = (data: Uint8Array) => Promise<Uint8Array>

/**
 * Calls and news between processes. It may lose messages and be away: nothing that trades waits for it, and whoever must not
 * miss a piece of news numbers it.
 */
export interface Bus {
  /** Whether messages can go out now. */
  readonly connected: boolean
  /** Throws NobodyThereError, NoAnswerError or AnswerFailedError. */
  request(subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array>
  /** Answers requests from now on; an error goes back to whoever asked. Returns the way to end it. */
  answer(subject: string, answer: Answer): () => void
  publish(subject: string, data: Uint8Array): void
  /** `*` stands for one part of a subject. Returns the way to end it. */
  subscribe(subject: string, received: (data: Uint8Array, subject: string) => void): () => void
  /** Called when messages may have been lost: the line was cut and is back. Returns the way to end it. */
  onGap(listener: () => void): () => void
  close(): Promise<void>
}

const FAILED = 1
const DONE = 0

/** An answer as bytes: the first says whether it is a failure's text. */
export async function answered(answer: Answer, data: Uint8Array): Promise<Uint8Array> {
  try {
    return Buffer.concat([Buffer.of(DONE), await answer(data)])
  } catch (error) {
    return Buffer.concat([Buffer.of(FAILED), Buffer.from(error instanceof Error ? error.message : String(error))])
  }
}

/** Throws AnswerFailedError. */
export function answerOf(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === DONE) return bytes.subarray(1)
  throw new AnswerFailedError(Buffer.from(bytes.subarray(1)).toString())
}
