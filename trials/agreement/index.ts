/** Book against broker, for every trial and for the simulation of the whole server. */
export { disagreements, type Book, type Truth } from './agreement.ts'
export { readBook, readTruth } from './book.ts'
