import type { Sentence } from './sentences.ts'

export type Sentences = readonly Sentence[]
const SPEC = 'spec'

interface Annotation {
  type: string
  description?: string
}

/** Says at the test itself which sentences of the specification it proves. */
export const covers = (...sentences: Sentences): { annotation: Annotation[] } => ({
  annotation: sentences.map((description) => ({ type: SPEC, description })),
})

export const sentencesOf = (annotations: readonly Annotation[]): string[] =>
  annotations.flatMap(({ type, description }) => (type === SPEC && description !== undefined ? [description] : []))
