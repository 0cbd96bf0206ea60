/** From the moment the broker's list shows a fill to its booking, ms; the list is read every few seconds. */
export const BOOK_MS = 6_000
/** One question of the ledger's a second (EGW00215), each of a hundred rows at most. */
const ROWS_PER_CALL = 100
const CALL_INTERVAL_MS = 1_050

/** A comparing reading asks for the balance between two equal lists, in three rounds at most (broker-lists.ts). */
const ROUNDS = 3

/**
 * How long the reading under way and the one after it may take on a day with so many orders, ms. A fill during the first
 * is booked by the second: on a busy day that is more than the broker's list itself costs.
 */
export function listMs(orders: number): number {
  const pages = Math.floor(orders / ROWS_PER_CALL) + 1
  return 2 * ((1 + ROUNDS) * pages + ROUNDS) * CALL_INTERVAL_MS
}

/** The broker shows a new order, and a fill in the balance, this late at most (MEASURED_LATENCY), ms. */
export const LISTED_MS = 5_300
