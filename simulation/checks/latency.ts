/** From the moment the broker's list shows a fill to its booking, ms; the list is read every few seconds. */
export const BOOK_MS = 6_000
/** One question of the ledger's a second (EGW00215), each of a hundred rows at most. */
const ROWS_PER_CALL = 100
const CALL_INTERVAL_MS = 1_050

/** Where the sides of a list that changed change as well, so many stocks are read by themselves; the next reading begins later, ms. */
const STOCKS_AFTER_CHANGE = 4
const RETRY_MS = 2_000

/**
 * How long the reading under way and the one after it may take on a day with so many orders, ms: each is one list, with the
 * balance before it (broker-lists.ts). A fill during the first is booked by the second. A list of several pages may have
 * changed before its last one.
 */
export function listMs(orders: number): number {
  const pages = Math.floor(orders / ROWS_PER_CALL) + 1
  const readings = 2 * (1 + pages) * CALL_INTERVAL_MS
  return pages === 1 ? readings : readings + (2 * pages + STOCKS_AFTER_CHANGE) * CALL_INTERVAL_MS + RETRY_MS
}

/** An order without a verdict waits for its lateness, and then for two readings, ms. */
export const SETTLE_MS = 60_000

/** The broker shows a new order, and a fill in the balance, this late at most (MEASURED_LATENCY), ms. */
export const LISTED_MS = 5_300
