/** How a test ended, and what it did. */
export interface Ended {
  status: string | undefined
  /** How often it compared something. */
  compared: number
  /** The sentences of the specification that it says it proves. */
  sentences: readonly string[]
  /** Made-up replies that the contract does not know. */
  misfits: readonly string[]
}

/** Why a test proves nothing, or null. */
export function proofless({ status, compared, sentences, misfits }: Ended): string | null {
  if (misfits.length > 0) return `Made-up replies that the contract does not know:\n${misfits.join('\n')}`
  if (status === 'passed' && compared === 0) return 'This test compares nothing: it proves nothing.'
  return status === 'skipped' && sentences.length > 0
    ? 'This test proves sentences of the specification and may not be skipped.'
    : null
}
