import type { StockHistory } from '@digger/contract'

interface Known {
  readonly state: { readonly data: StockHistory | undefined }
}

/** More is kept by then of a stock whose past is still being read, ms; three years of it take a minute or so. */
const MORE_MS = 15_000

const isGrowing = ({ state: { data } }: Known): boolean => data?.progress.isComplete === false

/** For how long a past is taken as it was read, ms. A day is added in the evening, a page is not open for as long. */
export const keptFor = (known: Known): number => (isGrowing(known) ? 0 : Infinity)

/** When an open page reads a past again, ms: while it grows, so that what a person waits for comes by itself. */
export const askedAgain = (known: Known): number | false => (isGrowing(known) ? MORE_MS : false)
