export type * from './account/types.ts'
export type * from './vocabulary.ts'
