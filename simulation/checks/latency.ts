/** From the moment the broker's list shows a fill to its booking, ms; the list is read every few seconds. */
export const BOOK_MS = 6_000
/** One question of the ledger's a second (EGW00215), each of a hundred rows at most: so long takes one look at a day's list, ms. */
const ROWS_PER_CALL = 100
const CALL_INTERVAL_MS = 1_050

/** A list is read again while the one before is under way; the two ask for the executions twice, and once for the balance, each. */
export const listMs = (orders: number): number => 2 * (2 * Math.floor(orders / ROWS_PER_CALL) + 1) * CALL_INTERVAL_MS

/** The broker shows a new order, and a fill in the balance, this late at most (MEASURED_LATENCY), ms. */
export const LISTED_MS = 5_300
