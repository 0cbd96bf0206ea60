/** From the moment the broker's list shows a fill to its booking, ms; the list is read every few seconds. */
export const BOOK_MS = 6_000
/** The broker shows a new order, and a fill in the balance, this late at most (MEASURED_LATENCY), ms. */
export const LISTED_MS = 5_300
